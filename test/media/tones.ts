/** Generates clips with a different tone in each channel, and measures the level of each in an output. */
import { execa } from 'execa'
import { findPrograms } from '../../src/ffmpeg/ffmpeg-programs.ts'
import { programs } from '../fixtures/media-files.ts'

export const RATE = 48_000
/** Whole numbers of cycles per window, so that the tones do not disturb each other. */
export const toneOf = (channel: number): number => 40 + 40 * channel
const WINDOW = RATE / 4

/** The ffmpeg on the PATH, and the packaged one if it is another. */
export async function bothFfmpegs(): Promise<readonly string[]> {
  const packaged = await findPrograms({}).catch(() => undefined)
  return [...new Set([(await programs).ffmpeg, ...(packaged ? [packaged.ffmpeg] : [])])]
}

/** Arguments of an input: tones of that amplitude, one per channel; as one of ffmpeg's layouts, or as unnamed channels. */
export function tones(layout: string | { readonly unnamed: number }, amplitude: number, seconds = 0.6): readonly string[] {
  const count = typeof layout === 'string' ? channelsOf(layout) : layout.unnamed
  const each = Array.from({ length: count }, (_, channel) => `${amplitude}*sin(2*PI*${toneOf(channel)}*t)`)
  const as = typeof layout === 'string' ? `:c=${layout}` : ''
  return ['-f', 'lavfi', '-i', `aevalsrc=${each.join('|')}${as}:s=${RATE}:d=${seconds}`]
}

const COUNTS: Readonly<Record<string, number>> = { mono: 1, stereo: 2, quad: 4, hexagonal: 6, octagonal: 8, hexadecagonal: 16 }
export const channelsOf = (layout: string): number =>
  COUNTS[layout] ??
  layout
    .replace(/\(.*/, '')
    .split('.')
    .reduce((sum, part) => sum + Number(part), 0)

/** Samples of each channel. */
export async function decoded(ffmpeg: string, args: readonly string[], channels: number): Promise<readonly Float32Array[]> {
  const { stdout } = await execa(ffmpeg, ['-v', 'error', '-nostdin', ...args, '-f', 'f32le', 'pipe:1'], {
    encoding: 'buffer',
    timeout: 60_000,
    maxBuffer: 64 * 1024 * 1024,
  })
  const bytes = new Uint8Array(stdout)
  const all = new Float32Array(bytes.buffer, 0, Math.floor(bytes.length / 4))
  return Array.from({ length: channels }, (_, channel) => all.filter((_, at) => at % channels === channel))
}

/** Amplitude of a tone in a quarter of a second of audio. */
export function levelOf(samples: Float32Array, frequency: number, from = RATE / 10): number {
  const { re, im } = wave(samples, frequency, from)
  return (2 * Math.hypot(re, im)) / WINDOW
}

/** Delay of a tone in samples; `from`: whole seconds. */
export function delayOf(samples: Float32Array, frequency: number, from: number): number {
  const { re, im } = wave(samples, frequency, from)
  return (Math.atan2(-re, im) * RATE) / (2 * Math.PI * frequency)
}

function wave(samples: Float32Array, frequency: number, from: number) {
  const step = (2 * Math.PI * frequency) / RATE
  let [re, im] = [0, 0]
  for (let at = 0; at < WINDOW; at++) {
    re += (samples[from + at] ?? 0) * Math.cos(step * at)
    im += (samples[from + at] ?? 0) * Math.sin(step * at)
  }
  return { re, im }
}

export const decibels = (level: number): number => 20 * Math.log10(Math.max(1e-6, level))
export const peakOf = (samples: Float32Array): number => samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
