/** Measures cached segments: time to the first byte, and segments per second against nginx, from memory and from disk. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { firstByteTimes } from './first-byte.ts'
import { requestsPerSecond, startNginx } from './nginx.ts'
import { treeCpuMs } from './process-cpu.ts'
import type { BenchFiles } from './streaming-files.ts'
import { openServer, type BenchServer, type Player } from './streaming-server.ts'
import type { Report } from './table.ts'

const TTFB_GOAL_MS = 5
const ASKED = 300
const ROUNDS = 3
const WRITTEN_MS = 1_500
const PLAYED = 12
const WANTED_BYTES = 1024 * 1024

export async function measureCached(report: Report, films: BenchFiles, folder: string): Promise<void> {
  const dataDir = join(folder, 'cached')
  const title = films.titles[0] ?? ''
  const settings = { dataDir, media: films.folder }
  const server = await openServer(settings)
  const player = await server.play(title)
  const segment = await nearestTo(player, WANTED_BYTES)
  const paths = { segment: `original/seg-${segment}.m4s`, init: 'original/init.mp4', playlist: 'original/playlist.m3u8' }
  for (const [what, path] of Object.entries(paths)) await measureFirstByte(report, server, { what, path: player.path(path) })
  await sleep(WRITTEN_MS)
  const size = statSync(fileOf(join(dataDir, 'cache'), segment)).size
  const what = (tier: string) => `${tier}, segments of ${(size / 1024).toFixed(0)} kB a second, 8 connections`
  const place = { cache: join(dataDir, 'cache'), segment, folder: join(folder, 'nginx') }
  await measureThroughput(report, { ...place, server, path: player.path(paths.segment), what: what('from memory'), goal: 0.9 })
  await server.close()
  // Too little memory for even one segment: each is read from disk.
  const again = await openServer({ ...settings, env: { MARQUEE_MEMORY_CACHE_BYTES: '65536' } })
  const onDisk = await again.play(title)
  await onDisk.get(paths.segment)
  await measureThroughput(report, { ...place, server: again, path: onDisk.path(paths.segment), what: what('from disk'), goal: 0.25 })
  await again.close()
}

/** Plays some segments; returns the one whose size is nearest. */
async function nearestTo(player: Player, bytes: number): Promise<number> {
  const sizes: number[] = []
  for (let segment = 0; segment < PLAYED; segment++) sizes.push((await player.get(`original/seg-${segment}.m4s`)).bytes.byteLength)
  const distance = (segment: number) => Math.abs((sizes[segment] ?? 0) - bytes)
  return sizes.reduce((best, _, segment) => (distance(segment) < distance(best) ? segment : best), 0)
}

async function measureFirstByte(
  report: Report,
  { server, token }: BenchServer,
  { what, path }: { readonly what: string; readonly path: string },
) {
  const times = (await firstByteTimes(server.url + path, { token, count: ASKED })).toSorted((a, b) => a - b)
  const at = (share: number) => times[Math.floor((times.length - 1) * share)] ?? 0
  report({
    what: `first byte of a cached ${what}`,
    ours: `p50 ${at(0.5).toFixed(1)}, p99 ${at(0.99).toFixed(1)} ms`,
    goal: `p99 <= ${TTFB_GOAL_MS} ms`,
    met: at(0.99) <= TTFB_GOAL_MS,
  })
}

function fileOf(cache: string, segment: number): string {
  const names = readdirSync(cache, { recursive: true, encoding: 'utf8' })
  // Video segments are larger than audio segments.
  const files = names.filter((name) => name.endsWith(`/${segment}.m4s`)).map((name) => join(cache, name))
  return files.reduce((largest, file) => (statSync(file).size > statSync(largest).size ? file : largest), files[0] ?? '')
}

interface Throughput {
  readonly server: BenchServer
  readonly path: string
  readonly cache: string
  readonly segment: number
  readonly folder: string
  readonly what: string
  readonly goal: number
}

async function measureThroughput(report: Report, { server, path, cache, segment, folder, what, goal }: Throughput): Promise<void> {
  const nginx = await startNginx(folder, cache)
  if (!nginx) return report({ what, ours: 'not measured: nginx is not on the PATH' })
  const file = fileOf(cache, segment).slice(cache.length)
  const [ours, theirs] = [[] as number[], [] as number[]]
  const before = treeCpuMs(server.pid)
  for (let round = 0; round < ROUNDS; round++) {
    ours.push((await requestsPerSecond(server.server.url + path, server.token)) ?? Number.NaN)
    theirs.push((await requestsPerSecond(nginx.url + file, server.token)) ?? Number.NaN)
  }
  const cpuMs = treeCpuMs(server.pid) - before
  await nginx.close()
  if (ours.some(Number.isNaN)) return report({ what, ours: 'not measured: wrk is not on the PATH' })
  const ratio = Math.max(...ours) / Math.max(...theirs)
  const perRequest = cpuMs / ours.reduce((sum, rate) => sum + rate * 3, 0)
  report({
    what,
    ours: `max ${Math.max(...ours).toFixed(0)} (${perRequest.toFixed(2)} ms of CPU each)`,
    yardstick: `max ${Math.max(...theirs).toFixed(0)} (nginx)`,
    ratio,
    goal: `>= ${goal}x`,
    met: ratio >= goal,
  })
}
