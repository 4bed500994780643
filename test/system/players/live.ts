/**
 * Players that play on by themselves, each at the film's own pace, while something happens to the server: where one is in the film can
 * be asked at any time.
 */
import { createInterface } from 'node:readline'
import { execa } from 'execa'
import { findPrograms } from '../../../src/ffmpeg/ffmpeg-programs.ts'
import { programs } from '../../fixtures/films.ts'
import { spawnBound } from '../../fakes/bound-process.ts'
import type { Cinema } from './browser.ts'
import { positionIn, startMpv } from './mpv-process.ts'

export interface LivePlayer {
  readonly name: string
  look(): Promise<Look>
  close(): Promise<void>
}

export interface Look {
  /** In the film, seconds; at or below 0 before the first picture. */
  readonly positionS: number
  /** Of the film's pictures, where the player tells. */
  readonly decodedS?: number
  /** It plays no more: it has come to the end, or has given up. */
  readonly ended: boolean
  /** What it complained of so far. */
  readonly errors: readonly string[]
}

export interface Film {
  readonly master: string
  readonly framesPerSecond: number
}

/** Browsers load as far ahead; mpv by itself would have the whole film before anything can happen to it. */
const MPV_AHEAD_S = 30
/** As people use it on lines that break; on segments only `seg_max_retry` acts, which ffmpeg has since 6.0. */
const RECONNECT = ['-reconnect', '1', '-reconnect_streamed', '1', '-reconnect_on_network_error', '1', '-reconnect_delay_max', '10']
const RETRIES = '100000'

/** It holds no more than a segment or two: what the server is late with is seen at once. After a stall it catches up. */
export async function openFfmpeg(program: string, { master, framesPerSecond }: Film): Promise<LivePlayer> {
  const help = await execa(program, ['-hide_banner', '-h', 'demuxer=hls'], { timeout: 20_000 })
  const retries = help.stdout.includes('seg_max_retry') ? ['-seg_max_retry', RETRIES] : []
  const input = ['-re', ...RECONNECT, ...retries, '-i', master, '-map', '0:v:0', '-map', '0:a:0']
  const child = spawnBound(program, [
    '-v',
    'error',
    '-nostdin',
    '-stats_period',
    '0.25',
    '-progress',
    'pipe:1',
    ...input,
    '-f',
    'null',
    '-',
  ])
  const errors: string[] = []
  const seen = { positionS: 0, decodedS: 0, ended: false }
  createInterface(child.stdout).on('line', (line) => {
    const [name, value] = line.split('=')
    if (name === 'frame') seen.decodedS = Number(value) / framesPerSecond
    if (name === 'out_time_us' && Number.isFinite(Number(value))) seen.positionS = Number(value) / 1e6
  })
  createInterface(child.stderr).on('line', (line) => line.trim() !== '' && errors.push(line.trim()))
  const exited = new Promise<void>((settle) => child.once('exit', () => settle()))
  child.once('exit', () => (seen.ended = true))
  return {
    name: 'ffmpeg',
    look: async () => ({ ...seen, errors }),
    async close() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** The packaged one goes back to a segment that failed; an older one on the PATH goes on to the next. */
export async function patientFfmpeg(): Promise<string> {
  const packaged = await findPrograms({}).catch(() => undefined)
  return (packaged ?? (await programs)).ffmpeg
}

export async function openMpv(program: string, { master }: Film): Promise<LivePlayer> {
  const { ipc, errors, ended, close } = await startMpv(program, [`--cache-secs=${MPV_AHEAD_S}`, master])
  let isOver = false
  void ended.then(() => (isOver = true))
  return { name: 'mpv', look: async () => ({ positionS: await positionIn(ipc), ended: isOver, errors }), close }
}

/** hls.js as it comes. */
export async function openHls(cinema: Cinema, { master }: Film): Promise<LivePlayer> {
  const screening = await cinema.show('hls', master)
  return {
    name: 'hls.js',
    async look() {
      const seen = await screening.look()
      return { ...seen, ended: seen.ended || seen.errors.some((text) => text.startsWith('fatal')) }
    },
    close: () => screening.close(),
  }
}
