/** Measures a server at rest: memory, open files, what its event loop holds, its children, and its data folder. Linux only. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { argumentsOf, childrenOf } from '../bench/process-cpu.ts'
import { diskFigures } from './disk.ts'
import { countOf, processState } from './inspector.ts'

/** Every figure by its name. */
export type Sample = Readonly<Record<string, number>>

export interface Measured {
  readonly pid: number
  readonly inspectorPort: number
  readonly dataDir: string
  readonly backups: string
  /** Events in the log. */
  readonly events: number
  /** Playback sessions of all users that have not ended. */
  readonly sessions: number
}

export async function takeSample({ pid, inspectorPort, dataDir, backups, events, sessions }: Measured): Promise<Sample> {
  const { heapBytes, heapTotalBytes, threadHeapsBytes, bufferBytes, resources } = await processState(inspectorPort)
  const children = childrenOf(pid).map((child) => argumentsOf(child)[0]?.split('/').at(-1) ?? 'ended')
  return {
    'memory: RSS (MB)': memoryMb(pid, 'status', /^VmRSS:\s+(\d+)/m),
    'memory: files, mapped (MB)': memoryMb(pid, 'status', /^RssFile:\s+(\d+)/m),
    'memory: heap (MB)': heapBytes / MB,
    'memory: buffers (MB)': bufferBytes / MB,
    ...named('handles', resources),
    ...named('open', openFiles(pid)),
    ...named('children', countOf(children)),
    'children: ffmpeg': children.filter((name) => /^ff(mpeg|probe)/.test(name)).length,
    threads: readdirSync(`/proc/${pid}/task`).length,
    sessions: sessions,
    ...diskFigures(dataDir, events),
    // Parts of RSS.
    'log: memory, C heap (MB)': memoryMb(pid, 'smaps', /\[heap\]\n(?:\S+:.*\n)*?Rss:\s+(\d+)/),
    'log: memory, C arenas of other threads (MB)': arenasMb(pid),
    'log: memory, held by V8 (MB)': heapTotalBytes / MB,
    'log: memory, held by V8 for other threads (MB)': threadHeapsBytes / MB,
    // Less than RSS by what other processes of the same program share.
    'log: memory, PSS (MB)': memoryMb(pid, 'smaps_rollup', /^Pss:\s+(\d+)/m),
    'log: entries of the backup folder': entriesIn(backups),
    'log: events': events,
  }
}

const MB = 1024 * 1024

/** The C library begins each heap of an arena at a multiple of 64 MiB; what V8 places is at lower addresses. */
const ARENA_HEAP = /^7f[0-9a-f]*[048c]000000-[0-9a-f]+ rw-p 00000000 00:00 0 *\n(?:[A-Z]\S+:.*\n)*?Rss: +(\d+)/gm
const arenasMb = (pid: number): number =>
  [...readFileSync(`/proc/${pid}/smaps`, 'utf8').matchAll(ARENA_HEAP)].reduce((sum, [, kb]) => sum + Number(kb), 0) / 1024

const named = (group: string, counts: Readonly<Record<string, number>>): Sample =>
  Object.fromEntries(Object.entries(counts).map(([kind, count]) => [`${group}: ${kind}`, count]))

const memoryMb = (pid: number, file: string, line: RegExp): number =>
  Number(line.exec(readFileSync(`/proc/${pid}/${file}`, 'utf8'))?.[1] ?? 0) / 1024

/** By kind: sockets, pipes, and files, of which the devices and the kernel's own are one kind. */
function openFiles(pid: number): Record<string, number> {
  const kinds = readdirSync(`/proc/${pid}/fd`).flatMap((number) => {
    try {
      return [kindOf(readlinkSync(`/proc/${pid}/fd/${number}`))]
    } catch {
      // Closed since it was listed.
      return []
    }
  })
  return countOf(kinds)
}

function kindOf(target: string): string {
  if (target.startsWith('socket:')) return 'sockets'
  if (target.startsWith('pipe:')) return 'pipes'
  return target.startsWith('/') && !target.startsWith('/dev/') ? 'files' : 'kernel'
}

/** Pieces of the log, which all kept backups share. */
const entriesIn = (folder: string): number => readdirSync(folder, { recursive: true }).length
