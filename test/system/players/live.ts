/** Runs players at the film's own speed while something happens to the server; their position can be queried at any time. */
import { createInterface } from 'node:readline'
import { execa } from 'execa'
import { findPrograms } from '../../../src/ffmpeg/ffmpeg-programs.ts'
import { programs } from '../../fixtures/media-files.ts'
import { spawnBound } from '../../fakes/bound-process.ts'
import type { Cinema } from './browser.ts'
import { positionIn, startMpv } from './mpv-process.ts'

export interface LivePlayer {
  readonly name: string
  look(): Promise<Look>
  close(): Promise<void>
}

export interface Look {
  /** Position in the film, seconds; at or below 0 before the first frame. */
  readonly positionS: number
  /** Duration of the decoded video, if the player reports it. */
  readonly decodedS?: number
  /** It has reached the end, or has given up. */
  readonly ended: boolean
  /** Its errors so far. */
  readonly errors: readonly string[]
}

export interface Movie {
  readonly master: string
  readonly framesPerSecond: number
}

/** As much as browsers buffer; by default mpv would have the whole film before anything can happen to it. */
const MPV_AHEAD_S = 30
/** The usual options for unreliable connections; for segments only `seg_max_retry` has an effect, in ffmpeg since 6.0. */
const RECONNECT = ['-reconnect', '1', '-reconnect_streamed', '1', '-reconnect_on_network_error', '1', '-reconnect_delay_max', '10']
const RETRIES = '100000'

/** It buffers only a segment or two, so that every delay of the server shows at once. After a stall it catches up. */
export async function openFfmpeg(program: string, { master, framesPerSecond }: Movie): Promise<LivePlayer> {
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

/** The packaged ffmpeg retries a failed segment; an older one on the PATH skips it. */
export async function patientFfmpeg(): Promise<string> {
  const packaged = await findPrograms({}).catch(() => undefined)
  return (packaged ?? (await programs)).ffmpeg
}

export async function openMpv(program: string, { master }: Movie): Promise<LivePlayer> {
  const { ipc, errors, ended, close } = await startMpv(program, [`--cache-secs=${MPV_AHEAD_S}`, master])
  let isOver = false
  void ended.then(() => (isOver = true))
  return { name: 'mpv', look: async () => ({ positionS: await positionIn(ipc), ended: isOver, errors }), close }
}

/** hls.js with its default settings. */
export async function openHls(cinema: Cinema, { master }: Movie): Promise<LivePlayer> {
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
