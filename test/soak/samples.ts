/** Measures a server at rest: memory, open files, what its event loop holds, its children, and its data folder. Linux only. */
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { argumentsOf, childrenOf } from '../bench/process-cpu.ts'
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

/** In the data folder: a part of its own, because it has a budget instead of growing with the log. */
const CACHE = 'cache'
const BLOBS = 'blobs'

export async function takeSample({ pid, inspectorPort, dataDir, backups, events, sessions }: Measured): Promise<Sample> {
  const { heapBytes, bufferBytes, resources } = await processState(inspectorPort)
  const children = childrenOf(pid).map((child) => argumentsOf(child)[0]?.split('/').at(-1) ?? 'ended')
  const places = bytesByPlace(dataDir)
  const [cache, blobs] = [places.get(CACHE), places.get(BLOBS)]
  const log = [...places].filter(([place]) => place !== CACHE && place !== BLOBS).reduce((sum, [, { bytes }]) => sum + bytes, 0)
  return {
    'memory: RSS (MB)': memoryMb(pid, 'status', /^VmRSS:\s+(\d+)/m),
    'memory: PSS (MB)': memoryMb(pid, 'smaps_rollup', /^Pss:\s+(\d+)/m),
    'memory: files, mapped (MB)': memoryMb(pid, 'status', /^RssFile:\s+(\d+)/m),
    'memory: heap (MB)': heapBytes / MB,
    'memory: buffers (MB)': bufferBytes / MB,
    ...named('handles', resources),
    ...named('open', openFiles(pid)),
    ...named('children', countOf(children)),
    'children: ffmpeg': children.filter((name) => /^ff(mpeg|probe)/.test(name)).length,
    threads: readdirSync(`/proc/${pid}/task`).length,
    sessions: sessions,
    'disk: cache (MB)': (cache?.bytes ?? 0) / MB,
    'disk: blobs (MB)': (blobs?.bytes ?? 0) / MB,
    'disk: files': [...places.values()].reduce((sum, { files }) => sum + files, 0),
    'log: entries of the backup folder': entriesIn(backups),
    'disk: log and views (bytes an event)': log / Math.max(1, events),
    'log: events': events,
  }
}

const MB = 1024 * 1024

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

interface Place {
  files: number
  bytes: number
}

/** By the first part of the path within the data folder. Blocks on disk count, as `du` does. */
function bytesByPlace(dataDir: string): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>()
  for (const entry of readdirSync(dataDir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const stat = entry.isFile() ? statSync(path, { throwIfNoEntry: false }) : undefined
    if (!stat) continue
    const [name = ''] = relative(dataDir, path).split(sep)
    const place = places.get(name) ?? { files: 0, bytes: 0 }
    places.set(name, { files: place.files + 1, bytes: place.bytes + stat.blocks * 512 })
  }
  return places
}

/** Pieces of the log, which all kept backups share. */
const entriesIn = (folder: string): number => readdirSync(folder, { recursive: true }).length
