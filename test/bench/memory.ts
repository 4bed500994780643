/**
 * Measures the memory of the whole server, built as `npm start` runs it: idle without a film, while it scans a folder of films, and idle
 * after that. Beside it a bare Fastify, and where the memory of the idle server lies.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { childrenOf, treeCpuMs } from './process-cpu.ts'
import type { Report } from './table.ts'
import { BARE_FASTIFY, rssMb, startProgram, stopProgram } from './whole-server.ts'

const ROOT = join(import.meta.dirname, '../..')
const SETTLE_MS = 8_000
const LOOK_EVERY_MS = 250
/** Idle: so long with less than this share of a core. */
const QUIET_MS = 40_000
const QUIET_SHARE = 0.1
const BOUND_MS = 30 * 60_000
const IDLE_GOAL_MB = 110
const SCANNED_GOAL_MB = 150
const PEAK_GOAL_MB = 300

export async function measureMemoryOf(report: Report, media: string | undefined): Promise<void> {
  await built()
  const bare = await inFolder(async (folder) => idle(await start(BARE_FASTIFY, folder)))
  await inFolder(async (folder) => {
    const server = await start(['src/main.ts'], folder)
    await sleep(SETTLE_MS)
    await stopProgram({ child: server })
    // The first start makes the files, the first account and the compiled code.
    const again = await start(['src/main.ts'], folder)
    await sleep(SETTLE_MS)
    for (const { what, mb } of mappings(again)) report({ what: `idle, ${what}`, ours: `${mb.toFixed(1)} MB` })
    const rss = await idle(again)
    report({
      what: 'memory, no film, idle (RSS)',
      ours: `${rss.toFixed(0)} MB`,
      yardstick: `${bare.toFixed(0)} MB (bare Fastify)`,
      ratio: rss / bare,
      goal: `<= ${IDLE_GOAL_MB} MB`,
      met: rss <= IDLE_GOAL_MB,
    })
  })
  if (media !== undefined) await inFolder((folder) => scanned(report, folder, media))
}

async function scanned(report: Report, folder: string, media: string): Promise<void> {
  const server = await start(['src/main.ts', '--media', media, '--name', 'Films'], folder)
  let peak = 0
  const look = setInterval(() => (peak = Math.max(peak, rssMb(server))), LOOK_EVERY_MS)
  await quiet(server).finally(() => clearInterval(look))
  const pss = pssMb(server)
  const rss = await idle(server)
  report({
    what: 'memory, peak while scanning (RSS)',
    ours: `${peak.toFixed(0)} MB`,
    goal: `<= ${PEAK_GOAL_MB} MB`,
    met: peak <= PEAK_GOAL_MB,
  })
  report({
    what: 'memory, scanned and idle (RSS)',
    ours: `${rss.toFixed(0)} MB (PSS ${pss.toFixed(0)} MB)`,
    goal: `<= ${SCANNED_GOAL_MB} MB`,
    met: rss <= SCANNED_GOAL_MB,
  })
}

/** Settles when the server and its children have done nearly nothing for a while. */
async function quiet({ pid = 0 }: ChildProcess): Promise<void> {
  const untilMs = performance.now() + BOUND_MS
  let [sinceMs, lastCpuMs] = [performance.now(), treeCpuMs(pid)]
  while (performance.now() - sinceMs < QUIET_MS) {
    if (performance.now() > untilMs) throw new Error('The server has not come to rest')
    await sleep(LOOK_EVERY_MS * 4)
    const cpuMs = treeCpuMs(pid)
    if (cpuMs - lastCpuMs > QUIET_SHARE * LOOK_EVERY_MS * 4 || childrenOf(pid).length > 1) sinceMs = performance.now()
    lastCpuMs = cpuMs
  }
}

async function built(): Promise<void> {
  const [code] = (await once(spawn(process.execPath, ['build/programs.ts'], { cwd: ROOT, stdio: 'inherit' }), 'exit')) as [number]
  if (code !== 0) throw new Error('The programs could not be built')
}

const start = async (args: readonly string[], dataDir: string): Promise<ChildProcess> => (await startProgram(args, dataDir)).child

async function idle(child: ChildProcess): Promise<number> {
  const rss = rssMb(child)
  await stopProgram({ child })
  return rss
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-memory-'))
  return work(folder).finally(() => rmSync(folder, { recursive: true, force: true }))
}

/** Resident memory by what it is, the largest first. */
function mappings({ pid }: ChildProcess): readonly { readonly what: string; readonly mb: number }[] {
  const sizes = new Map<string, number>()
  let what = ''
  for (const line of readFileSync(`/proc/${pid}/smaps`, 'utf8').split('\n')) {
    const mapping = /^(?<from>[0-9a-f]+)-(?<to>[0-9a-f]+) \S+ \S+ \S+ \d+\s*(?<name>.*)$/.exec(line)?.groups
    if (mapping) what = kindOf(mapping as unknown as Mapping)
    const kb = /^Rss:\s+(\d+)/.exec(line)?.[1]
    if (kb !== undefined) sizes.set(what, (sizes.get(what) ?? 0) + Number(kb) / 1024)
  }
  return [...sizes].map(([name, mb]) => ({ what: name, mb })).toSorted((one, other) => other.mb - one.mb)
}

interface Mapping {
  readonly from: string
  readonly to: string
  readonly name: string
}

const V8_PAGE = 256 * 1024

function kindOf({ from, to, name }: Mapping): string {
  if (name === '[heap]') return 'C heap of the main thread'
  if (name.startsWith('/')) return name.endsWith('/node') ? 'the program node' : 'libraries and files'
  if (name !== '') return 'stack and kernel'
  const [start, end] = [BigInt(`0x${from}`), BigInt(`0x${to}`)]
  if (start % (64n << 20n) === 0n) return 'C arenas of other threads'
  return Number(end - start) % V8_PAGE === 0 && Number(end - start) <= 8 * V8_PAGE ? 'V8 heaps' : 'other'
}

const pssMb = ({ pid }: ChildProcess): number =>
  Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024
