/**
 * Measures the streaming engine: the whole server against bare ffmpeg with the server's own arguments, and against nginx, in turns, in
 * one run.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuOf, placesOf, timeTo } from './bare-ffmpeg.ts'
import { treeCpuMs } from './process-cpu.ts'
import { measureDirectFile } from './direct-file.ts'
import { measureCached } from './streaming-cached.ts'
import { prepareFiles, type BenchFiles } from './streaming-files.ts'
import { measureLife } from './streaming-life.ts'
import { openServer, type BenchServer, type Player } from './streaming-server.ts'
import { median, type Report } from './table.ts'

const ROUNDS = 7
const CPU_ROUNDS = 3
const SETTLE_MS = 1_500
/** Beyond the segments made for a player at the start, and beyond those made ahead for a running one. */
const FIRST_SEGMENT = 9
const AWAY_SEGMENT = 36
const PLAYED_SEGMENTS = 20

export async function measureStreaming(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-streaming-'))
  try {
    const films = await prepareFiles(folder)
    await withServer(films, join(folder, 'data'), async (server) => {
      const titles = films.titles.slice(0, ROUNDS)
      const [copy, made] = await qualitiesOf(server, films.titles.at(-1) ?? '')
      report({ what: `film: ${films.source}`, ours: `copied as ${copy}, transcoded to ${made}` })
      await measureFirst(report, server, { titles, quality: made, goals: { first: 1.1, seek: 1.15, next: 0.6 } })
      await measureFirst(report, server, { titles, quality: copy, goals: { first: 1.5 } })
      await measureCpu(report, server, {
        titles: films.titles.slice(0, CPU_ROUNDS + 1),
        quality: made,
        goal: 1.03,
        name: 'CPU, transcoding',
      })
      await measureCpu(report, server, { titles: films.titles.slice(0, CPU_ROUNDS + 1), quality: copy, goal: 2, name: 'CPU, copying' })
    })
    await measureDirectFile(report, films, folder)
    await measureCached(report, films, folder)
    await measureLife(report, films, folder)
    report({ what: 'joins', ours: 'test/media/streaming/joins.test.ts and the validator beside it' })
    report({ what: 'agents elsewhere', ours: 'npm run bench -- agents' })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function withServer(films: BenchFiles, dataDir: string, task: (server: BenchServer) => Promise<void>): Promise<void> {
  const server = await openServer({ dataDir, media: films.folder })
  try {
    await task(server)
  } finally {
    await server.close()
  }
}

async function qualitiesOf(server: BenchServer, title: string): Promise<readonly [string, string]> {
  const player = await server.play(title)
  await player.end()
  const named = (method: string) => player.qualities.find((one) => one.method === method)?.name ?? ''
  return [named('remux'), named('transcode')]
}

interface First {
  /** Copies of the same film, so that each round does the same work and finds no cached segments. */
  readonly titles: readonly string[]
  readonly quality: string
  readonly goals: { readonly first: number; readonly next?: number; readonly seek?: number }
}

interface Times {
  readonly ours: number[]
  readonly bare: number[]
}

const noTimes = (): Times => ({ ours: [], bare: [] })

/** From the request of an uncached segment until its last byte; first in a new session, then far from a running one. */
async function measureFirst(report: Report, server: BenchServer, { titles, quality, goals }: First): Promise<void> {
  const [first, next, seek] = [noTimes(), noTimes(), noTimes()]
  for (const title of titles) {
    const cold = await coldSegment(server, { title, quality, segment: FIRST_SEGMENT })
    const places = await placesOf(cold.args, [cold.bytes, cold.next])
    first.ours.push(cold.ms)
    next.ours.push(cold.ms)
    first.bare.push(await timeTo(cold.args, places[0] ?? 0))
    if (goals.next) next.bare.push(await timeTo(cold.args, places[1] ?? 0))
    if (!goals.seek) continue
    const away = await coldSegment(server, { title, quality, segment: AWAY_SEGMENT, runningAt: 0 })
    seek.ours.push(away.ms)
    seek.bare.push(await timeTo(away.args, (await placesOf(away.args, [away.bytes]))[0] ?? 0))
  }
  const against = (what: string, times: Times, goal: number | undefined) => goal && report(compared(what, times, goal))
  against(`first segment, ${goals.seek ? 'transcoded' : 'copied'} (${quality})`, first, goals.first)
  against('against waiting for the next segment', next, goals.next)
  against('far seek to full segment', seek, goals.seek)
  if (goals.seek)
    report({
      what: 'far seek to first byte',
      ours: 'like a far seek to a full segment: a segment is answered when it is whole',
      goal: '<= 0.6x',
    })
}

/** Compares the minimums: interference by other processes only ever adds time. */
function compared(what: string, { ours, bare }: Times, goal: number) {
  const ratio = Math.min(...ours) / Math.min(...bare)
  return {
    what,
    ours: `min ${Math.min(...ours).toFixed(0)}, median ${median(ours).toFixed(0)} ms`,
    yardstick: `min ${Math.min(...bare).toFixed(0)}, median ${median(bare).toFixed(0)} ms (bare ffmpeg)`,
    ratio,
    goal: `<= ${goal}x`,
    met: ratio <= goal,
  }
}

interface Cold {
  readonly title: string
  readonly quality: string
  readonly segment: number
  /** Position of an earlier player. */
  readonly runningAt?: number
}

async function coldSegment(server: BenchServer, { title, quality, segment, runningAt }: Cold) {
  const player = await server.play(title)
  if (runningAt !== undefined) await player.get(`${quality}/seg-${runningAt}.m4s`)
  await sleep(SETTLE_MS)
  const { ms, bytes } = await player.get(`${quality}/seg-${segment}.m4s`)
  const args = videoRun(server, title)
  const next = runningAt === undefined ? (await player.get(`${quality}/seg-${segment + 1}.m4s`)).bytes : bytes
  await player.end()
  return { ms, bytes, next, args }
}

/** Arguments of the newest process that encodes video. */
function videoRun(server: BenchServer, title: string): readonly string[] {
  const newest = server.ffmpegs(title).findLast(({ args }) => args.some((arg) => /libx264|frag_keyframe/.test(arg)))
  if (!newest) throw new Error('There is no ffmpeg')
  return newest.args
}

interface Cpu {
  readonly titles: readonly string[]
  readonly quality: string
  readonly goal: number
  readonly name: string
}

/** Part of each film, played as fast as it is made; then ffmpeg alone over the same part. */
async function measureCpu(report: Report, server: BenchServer, { titles, quality, goal, name }: Cpu): Promise<void> {
  const cpu = noTimes()
  for (const title of titles) {
    const player = await server.play(title)
    const from = (await segmentCountOf(player, quality)) - PLAYED_SEGMENTS
    await sleep(SETTLE_MS)
    const before = treeCpuMs(server.pid)
    await player.get(`${quality}/seg-${from}.m4s`)
    const args = videoRun(server, title)
    for (let segment = from + 1; segment < from + PLAYED_SEGMENTS; segment++) await player.get(`${quality}/seg-${segment}.m4s`)
    await sleep(200)
    cpu.ours.push(treeCpuMs(server.pid) - before)
    await player.end()
    cpu.bare.push(await cpuOf(args))
  }
  // The first round warmed the server up.
  for (const spent of [cpu.ours, cpu.bare]) spent.shift()
  report(compared(`${name} (${PLAYED_SEGMENTS} segments of ${quality})`, cpu, goal))
}

async function segmentCountOf(player: Player, quality: string): Promise<number> {
  const { bytes } = await player.get(`${quality}/playlist.m3u8`)
  return bytes.toString().split('#EXTINF').length - 1
}
