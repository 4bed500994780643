/** Measures the side effects of streaming: disk space, leftover processes, and CPU while a player pauses or two watch. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { argumentsOf, cpuMs, treeCpuMs } from './process-cpu.ts'
import type { BenchFiles } from './streaming-files.ts'
import { openServer, type BenchServer } from './streaming-server.ts'
import type { Report } from './table.ts'

const BUDGET_BYTES = 40_000_000
const REMUXES = 8
const PLAYED = 12
const LOOK_EVERY_MS = 20
const PAUSE_MS = 5_000
const GONE_MS = 10_000
const WRITTEN_MS = 60_000

export async function measureLife(report: Report, films: BenchFiles, folder: string): Promise<void> {
  await measureBudget(report, films, join(folder, 'budget'))
  const server = await openServer({ dataDir: join(folder, 'life'), media: films.folder })
  try {
    await measurePause(report, server, films.titles[0] ?? '')
    await measureSharing(report, server, films.titles.slice(1, 5))
    await measureKill(report, server, films)
  } finally {
    await server.close()
  }
}

/** Eight players, each as fast as segments are copied; the cache size is monitored all the while. */
async function measureBudget(report: Report, films: BenchFiles, dataDir: string): Promise<void> {
  const server = await openServer({ dataDir, media: films.folder, env: { MARQUEE_CACHE_BYTES: String(BUDGET_BYTES) } })
  const cache = join(dataDir, 'cache')
  let [most, playedBytes] = [0, 0]
  const look = setInterval(() => (most = Math.max(most, bytesBelow(cache))), LOOK_EVERY_MS)
  await Promise.all(
    films.titles.slice(0, REMUXES).map(async (title) => {
      const player = await server.play(title)
      for (let segment = 0; segment < PLAYED; segment++) {
        const { bytes } = await player.get(`original/seg-${segment}.m4s`)
        playedBytes += bytes.byteLength
      }
    }),
  )
  await untilWritten(cache)
  clearInterval(look)
  await server.close()
  report({
    what: `cache on disk, ${REMUXES} copies at full speed (${megabytes(playedBytes)} played)`,
    ours: `at most ${megabytes(most)}`,
    yardstick: `${megabytes(BUDGET_BYTES)} (budget)`,
    ratio: most / BUDGET_BYTES,
    goal: '<= 1.0x',
    met: most <= BUDGET_BYTES,
  })
}

async function untilWritten(cache: string): Promise<void> {
  for (let before = -1, now = bytesBelow(cache), waitedMs = 0; now !== before && waitedMs < WRITTEN_MS; waitedMs += 2_000) {
    before = now
    await sleep(2_000)
    now = bytesBelow(cache)
  }
}

function bytesBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).reduce((sum, entry) => {
    const stat = entry.isFile() ? statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false }) : undefined
    return sum + (stat?.size ?? 0)
  }, 0)
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

async function measurePause(report: Report, server: BenchServer, title: string): Promise<void> {
  const player = await server.play(title)
  const quality = player.qualities.find(({ method }) => method === 'transcode')?.name ?? ''
  for (let segment = 0; segment < 3; segment++) await player.get(`${quality}/seg-${segment}.m4s`)
  // It continues until its read-ahead is complete.
  await untilStill(server, title)
  const held = server.ffmpegs(title)
  const before = held.reduce((sum, { pid }) => sum + cpuMs(pid), 0)
  await sleep(PAUSE_MS)
  const share = (held.reduce((sum, { pid }) => sum + cpuMs(pid), 0) - before) / PAUSE_MS
  await player.end()
  report({
    what: 'CPU of ffmpeg while the player pauses',
    ours: `${(share * 100).toFixed(1)} % (${held.length} processes)`,
    goal: '< 1 %',
    met: held.length > 0 && share < 0.01,
  })
}

async function untilStill(server: BenchServer, title: string): Promise<void> {
  const cpu = () => server.ffmpegs(title).reduce((sum, { pid }) => sum + cpuMs(pid), 0)
  for (let before = -1, now = cpu(), waitedMs = 0; now !== before && waitedMs < 60_000; waitedMs += 1_000) {
    before = now
    await sleep(1_000)
    now = cpu()
  }
}

/** The same part of identical films, by one player and by two at the same time, in turns. */
async function measureSharing(report: Report, server: BenchServer, titles: readonly string[]): Promise<void> {
  const cpu: { readonly one: number[]; readonly two: number[] } = { one: [], two: [] }
  for (const [turn, title] of titles.entries()) {
    const viewers = 1 + (turn % 2)
    const players = await Promise.all(Array.from({ length: viewers }, () => server.play(title)))
    await untilStill(server, title)
    const before = treeCpuMs(server.pid)
    const quality = players[0]?.qualities.find(({ method }) => method === 'transcode')?.name ?? ''
    for (let segment = 0; segment < PLAYED; segment++) {
      await Promise.all(players.map((player) => player.get(`${quality}/seg-${segment}.m4s`)))
    }
    await untilStill(server, title)
    const spent = treeCpuMs(server.pid) - before
    if (viewers === 1) cpu.one.push(spent)
    else cpu.two.push(spent)
    for (const player of players) await player.end()
  }
  const ratio = Math.min(...cpu.two) / Math.min(...cpu.one)
  report({
    what: 'CPU for two viewers of one rendition',
    ours: `min ${Math.min(...cpu.two)} ms`,
    yardstick: `min ${Math.min(...cpu.one)} ms (one viewer)`,
    ratio,
    goal: '<= 1.1x',
    met: ratio <= 1.1,
  })
}

/** The server is killed while it transcodes. */
async function measureKill(report: Report, server: BenchServer, films: BenchFiles): Promise<void> {
  const titles = films.titles.slice(5, 8)
  for (const title of titles) {
    const player = await server.play(title)
    const quality = player.qualities.find(({ method }) => method === 'transcode')?.name ?? ''
    await player.get(`${quality}/seg-0.m4s`)
  }
  const running = () => processesOn(films.folder).length
  const before = running()
  const startMs = performance.now()
  await server.server.end('SIGKILL')
  while (running() > 0 && performance.now() - startMs < GONE_MS) await sleep(10)
  const left = running()
  report({
    what: 'ffmpeg left when the server was killed',
    ours: `${left} of ${before} (the last one gone after ${(performance.now() - startMs).toFixed(0)} ms)`,
    goal: '0 after 10 s',
    met: before > 0 && left === 0,
  })
}

function processesOn(folder: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || pid === String(process.pid)) return false
    return argumentsOf(Number(pid)).some((arg) => arg.startsWith(`file:${folder}`)) && !isZombie(pid)
  })
}

function isZombie(pid: string): boolean {
  try {
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return true
  }
}
