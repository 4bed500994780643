/** Generates short films with subtitles to burn in, and measures the brightness of the output. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import type { Test } from 'tap'
import { programs } from '../fixtures/media-files.ts'
import { graphicSubtitles, type Canvas, type Plate } from './graphic-subtitles.ts'

const TIMEOUT_MS = 120_000
const FPS = 25
const X264 = '-c:v libx264 -preset ultrafast -crf 30 -bf 2 -g 50 -pix_fmt yuv420p'.split(' ')

/** From 1 s to 7 s a white box of 80 by 30 at 100, 4, in a frame of 192 by 108. */
export const BOX_SCRIPT = `[Script Info]
ScriptType: v4.00+
PlayResX: 192
PlayResY: 108

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
Style: Sign,No Such Font,24,&H00FFFFFF,&H00FFFFFF,&H00FFFFFF,&H00FFFFFF,0,0,0,0,100,100,0,0,1,1,0,7,0,0,0,1

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:01.00,0:00:07.00,Sign,,0,0,0,,{\\pos(100,4)\\p1}m 0 0 l 80 0 80 30 0 30
`

export function folderFor(t: Test, name = 'marquee-burnt-'): string {
  const folder = mkdtempSync(join(tmpdir(), name))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export interface PlainClip {
  readonly width?: number
  readonly height?: number
  readonly seconds?: number
  /** More input files, all of whose streams are added unchanged. */
  readonly beside?: readonly string[]
  readonly output?: readonly string[]
}

/** A dark frame: whatever is drawn is brighter. */
export async function darkClip(path: string, film: PlainClip = {}): Promise<string> {
  const { width = 192, height = 108, seconds = 12, beside = [], output = [] } = film
  const video = ['-f', 'lavfi', '-i', `color=c=0x202020:size=${width}x${height}:rate=${FPS}:duration=${seconds}`]
  const audio = ['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=48000:duration=${seconds}`]
  const inputs = beside.flatMap((one) => ['-i', one])
  const maps = ['-map', '0:v', '-map', '1:a', ...beside.flatMap((_, index) => ['-map', String(index + 2)])]
  const { ffmpeg } = await programs
  const args = [
    '-v',
    'error',
    '-nostdin',
    '-y',
    ...video,
    ...audio,
    ...inputs,
    ...maps,
    ...X264,
    '-c:a',
    'aac',
    '-b:a',
    '64k',
    '-c:s',
    'copy',
    '-copyts',
    ...output,
    path,
  ]
  await execa(ffmpeg, args, { timeout: TIMEOUT_MS })
  return path
}

export async function bitmapClip(folder: string, canvas: Canvas, plates: readonly Plate[], film: PlainClip = {}): Promise<string> {
  const sup = join(folder, 'graphics.sup')
  writeFileSync(sup, graphicSubtitles(canvas, plates))
  return darkClip(join(folder, 'film.mkv'), { ...film, beside: [sup] })
}

export interface Shown {
  readonly width: number
  readonly height: number
  /** Luma of each frame, row by row. */
  readonly frames: readonly Uint8Array[]
}

/** The segments' frames in the given order, as a player displays them. */
export async function shownIn(init: Uint8Array, segments: readonly Uint8Array[], size: Canvas): Promise<Shown> {
  const { ffmpeg } = await programs
  const args = ['-v', 'error', '-i', 'pipe:0', '-map', '0:v', '-fps_mode', 'passthrough', '-pix_fmt', 'gray', '-f', 'rawvideo', 'pipe:1']
  const input = Buffer.concat([init, ...segments])
  const { stdout } = await execa(ffmpeg, args, { input, encoding: 'buffer', maxBuffer: 512 * 1024 * 1024, timeout: TIMEOUT_MS })
  const bytes = size.width * size.height
  const count = Math.floor(stdout.byteLength / bytes)
  return { ...size, frames: Array.from({ length: count }, (_, index) => stdout.subarray(index * bytes, (index + 1) * bytes)) }
}

/** The frame at a time. */
export const frameAt = ({ frames }: Shown, ms: number): Uint8Array => frames[Math.floor((ms * FPS) / 1000)] ?? new Uint8Array()

/** Bounding box of everything much brighter than the film; undefined if there is nothing. */
export function brightBox(frame: Uint8Array, { width }: Canvas) {
  const BRIGHT = 140
  const places = [...frame.keys()].filter((place) => (frame[place] ?? 0) > BRIGHT)
  if (places.length === 0) return undefined
  const xs = places.map((place) => place % width)
  const ys = places.map((place) => Math.floor(place / width))
  const least = (values: readonly number[]) => values.reduce((a, b) => Math.min(a, b))
  const most = (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b))
  return { left: least(xs), right: most(xs) + 1, top: least(ys), bottom: most(ys) + 1 }
}

/** Number of pixels that are bright in one and dark in the other, in the frame with most of them. Encoders alone cause none. */
export function mostDiffering(a: Shown, b: Shown): number {
  const FAR = 64
  const counts = a.frames.map((frame, index) => {
    const other = b.frames[index] ?? new Uint8Array()
    return frame.reduce((count, luma, place) => count + Number(!(Math.abs(luma - (other[place] ?? NaN)) <= FAR)), 0)
  })
  return counts.reduce((most, count) => Math.max(most, count), 0)
}

/** The same film as a broadcast: a transport stream with DVB subtitles. */
export async function asBroadcast(path: string): Promise<string> {
  const { ffmpeg } = await programs
  const ts = path.replace(/\.mkv$/, '.ts')
  const copied = ['-map', '0', '-c:v', 'copy', '-c:a', 'copy', '-c:s', 'dvbsub']
  await execa(ffmpeg, ['-v', 'error', '-nostdin', '-y', '-fix_sub_duration', '-i', path, ...copied, ts], { timeout: TIMEOUT_MS })
  return ts
}
