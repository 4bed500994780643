/**
 * Cutter of sound: each codec frame is a sample of its own, so segments are cut between frames. Copied frames keep the film's
 * times, put right where a container rounded them; where the film has no sound for a whole segment, frames of silence are put in.
 */
import { segmentCount, startOf } from '../src/domain/streaming/grid.ts'
import { joined } from './box-stream.ts'
import { onBeat, ROUNDING_MS, ticksOf, type Cut, type Cutter, type CutterOptions } from './cutter.ts'
import { frameBoundary } from './ffmpeg-arguments.ts'
import type { Fragment } from './fragment.ts'
import { writeSegment, type TimedSample } from './segment-writer.ts'

export interface AudioCutterOptions extends CutterOptions {
  /** Length of a codec frame in ticks. */
  readonly frameTicks: number
  /** `made` sound begins its segments on whole frames from zero; `copied` sound has a frame at this time. */
  readonly frames:
    | { readonly type: 'made' }
    | { readonly type: 'copied'; readonly anchorMs: number; readonly silence: Uint8Array | undefined }
}

interface Frame {
  readonly pts: number
  readonly bytes: Uint8Array
}

export function createAudioCutter(options: AudioCutterOptions): Cutter {
  const { grid, frameTicks } = options
  const zero = ticksOf(options, options.zeroMs)
  const bounds = Array.from({ length: segmentCount(grid) + 1 }, (_, segment) => boundary(options, segment))
  const boundOf = (segment: number): number => bounds[segment] ?? Infinity
  const grain = grainOf(options)
  let frames: Frame[] = []
  let current = options.startSegment
  let lastPts = -1

  function push(fragment: Fragment): readonly Cut[] {
    const cuts: Cut[] = []
    const bytes = joined(fragment.data)
    let at = 0
    for (const sample of fragment.samples) {
      const pts = grain.placed(sample.pts - zero)
      if (pts > lastPts && pts >= boundOf(current)) {
        cuts.push(...advance(pts))
        frames.push({ pts, bytes: bytes.subarray(at, at + sample.sizeBytes) })
        lastPts = pts
      }
      at += sample.sizeBytes
    }
    return cuts
  }

  /** Closes the segments that end at or before this frame. */
  function advance(pts: number): Cut[] {
    const cuts: Cut[] = []
    while (pts >= boundOf(current + 1)) cuts.push(close(pts))
    return cuts
  }

  function close(nextPts: number): Cut {
    const segment = current++
    const held = segment === 0 ? grain.led(frames) : frames
    const all = held.length > 0 ? held : grain.silent(boundOf(segment), boundOf(segment + 1))
    frames = []
    if (all.length === 0) return { type: 'missing', from: segment, through: segment }
    const samples = all.map(({ pts, bytes }): TimedSample => ({ dts: pts, pts, sizeBytes: bytes.byteLength, key: true }))
    const last = samples.at(-1)?.pts ?? 0
    const end = nextPts < boundOf(segment + 2) ? nextPts : grain.atOrAfter(boundOf(segment + 1))
    const bytes = writeSegment({
      segment,
      samples,
      end: Number.isFinite(end) ? end : last + frameTicks,
      data: all.map((frame) => frame.bytes),
    })
    return { type: 'segment', segment, bytes }
  }

  function end(): readonly Cut[] {
    const cuts: Cut[] = []
    while (current < segmentCount(grid)) cuts.push(close(Infinity))
    return cuts
  }
  return { push, end }
}

function boundary(options: AudioCutterOptions, segment: number): number {
  if (segment >= segmentCount(options.grid)) return Infinity
  const ms = startOf(options.grid, segment)
  return options.frames.type === 'made' ? frameBoundary(ms, options.timescale, options.frameTicks) : ticksOf(options, ms)
}

interface Grain {
  /** A frame's time, put on the grid where it is off by rounding only. */
  placed(pts: number): number
  /** First place for a frame at or after a time. */
  atOrAfter(ticks: number): number
  /** Frames of silence from one time up to another. */
  silent(from: number, to: number): Frame[]
  /** With silence before them, for sound that begins later than the picture. */
  led(frames: Frame[]): Frame[]
}

function grainOf(options: AudioCutterOptions): Grain {
  const { frames, frameTicks } = options
  const anchor = frames.type === 'copied' ? ticksOf(options, frames.anchorMs) : 0
  const silence = frames.type === 'copied' ? frames.silence : undefined
  const atOrAfter = (ticks: number): number => anchor + Math.ceil((ticks - anchor) / frameTicks) * frameTicks
  const endTicks = ticksOf(options, options.grid.endMs)

  function silent(from: number, to: number): Frame[] {
    const made: Frame[] = []
    if (silence) for (let pts = atOrAfter(from); pts < Math.min(to, endTicks); pts += frameTicks) made.push({ pts, bytes: silence })
    return made
  }

  return {
    placed: (pts) => onBeat(pts, { start: anchor, ticks: frameTicks, tolerance: ticksOf(options, ROUNDING_MS) }),
    atOrAfter,
    silent,
    led(held) {
      const first = held[0]
      if (!first || !silence) return held
      const lead: Frame[] = []
      for (let pts = first.pts - frameTicks; pts >= 0; pts -= frameTicks) lead.unshift({ pts, bytes: silence })
      return [...lead, ...held]
    },
  }
}
