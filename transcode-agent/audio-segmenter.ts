/**
 * Segments audio. Each codec frame is a sample, so segments are cut between frames. Copied frames keep the media file's times, corrected if
 * the container rounded them. Gaps are filled with frames of silence.
 */
import { segmentCount, startOf } from '../src/domain/streaming/segment-grid.ts'
import { joined } from './box-stream.ts'
import { onBeat, ROUNDING_MS, ticksOf, type Cut, type Segmenter, type SegmenterOptions } from './segmenter.ts'
import { frameBoundary } from './audio-arguments.ts'
import type { Fragment } from './fragment.ts'
import { writeSegment, type TimedSample } from './segment-writer.ts'

export interface AudioSegmenterOptions extends SegmenterOptions {
  /** Length of a codec frame in ticks; undefined if frames vary in length: each then keeps its own time and length. */
  readonly frameTicks: number | undefined
  /** Set if each frame states its own length: `frameTicks` is then that of a frame of silence. */
  readonly stated?: StatedLengths | undefined
  /** `made` audio starts its segments on whole frames counted from zero; `copied` audio has a frame at this time. */
  readonly frames:
    | {
        readonly type: 'made'
        readonly silence?: Uint8Array | undefined
        /** No earlier audio was found: a first segment without audio is silent. */
        readonly fromFirst?: boolean
      }
    | {
        readonly type: 'copied'
        readonly anchorMs: number
        readonly silence: Uint8Array | undefined
        /** Decoders report errors if silence follows, since it lacks SBR data: a short gap at the end is left to the last frame. */
        readonly sbr?: boolean
      }
}

export interface StatedLengths {
  /** Length of a frame in ticks; undefined if its bytes state none. */
  readonly ticksOf: (frame: Uint8Array) => number | undefined
  readonly longestTicks: number
}

interface Frame {
  readonly pts: number
  readonly duration: number
  readonly bytes: Uint8Array
}

/** A frame later than this after its segment's boundary was not merely displaced by timestamp jitter, in longest frames. */
const LATE_FRAMES = 1.5

export function createAudioSegmenter(options: AudioSegmenterOptions): Segmenter {
  const { grid, frameTicks } = options
  const zero = ticksOf(options, options.zeroMs)
  const bounds = Array.from({ length: segmentCount(grid) + 1 }, (_, segment) => boundary(options, segment))
  const boundOf = (segment: number): number => bounds[segment] ?? Infinity
  const grain = grainOf(options)
  const lateTicks = (options.stated?.longestTicks ?? frameTicks ?? 0) * LATE_FRAMES
  const mediaEnd = ticksOf(options, grid.endMs)
  let frames: Frame[] = []
  let current = options.startSegment
  let lastPts = -1

  function push(fragment: Fragment): readonly Cut[] {
    const cuts: Cut[] = []
    const bytes = joined(fragment.data)
    let at = 0
    for (const sample of fragment.samples) {
      const frame = bytes.subarray(at, at + sample.sizeBytes)
      const ticks = options.stated?.ticksOf(frame) ?? frameTicks
      const pts = grain.placed(sample.pts - zero, ticks)
      // A wrong clock may run on for hours.
      const isInside = pts >= boundOf(current) && pts < mediaEnd + (frameTicks ?? sample.duration)
      if (pts > lastPts && isInside) {
        cuts.push(...advance(pts))
        frames.push({ pts, duration: ticks ?? sample.duration, bytes: frame })
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
    if (frames.length === 0 && segment === options.startSegment && options.frames.type === 'made' && !options.frames.fromFirst) {
      return { type: 'missing', from: segment, through: segment }
    }
    const all = grain.filled(frames, { from: joinAt(segment, frames[0]?.pts), to: joinAt(segment + 1, nextPts) })
    frames = []
    const last = all.at(-1)
    if (!last) return { type: 'missing', from: segment, through: segment }
    const samples = all.map(({ pts, bytes }): TimedSample => ({ dts: pts, pts, sizeBytes: bytes.byteLength, key: true }))
    const end = segment + 1 < segmentCount(grid) ? joinAt(segment + 1, nextPts) : grain.lastEnd(last)
    return { type: 'segment', segment, bytes: writeSegment({ segment, samples, end, data: all.map((frame) => frame.bytes) }) }
  }

  /**
   * Start of a segment: its first audio frame or, if that comes much later, silence on the boundary. A run that comes from the previous
   * segment and a run that starts here both know that frame, and so agree.
   */
  function joinAt(segment: number, firstPts = Infinity): number {
    const isNear = firstPts < boundOf(segment) + (segment === 0 ? (frameTicks ?? 0) : lateTicks)
    return isNear || (firstPts < boundOf(segment + 1) && !grain.fills) ? firstPts : grain.atOrAfter(boundOf(segment))
  }

  function end(): readonly Cut[] {
    const cuts: Cut[] = []
    while (current < segmentCount(grid)) cuts.push(close(Infinity))
    return cuts
  }
  return { push, end }
}

function boundary(options: AudioSegmenterOptions, segment: number): number {
  if (segment >= segmentCount(options.grid)) return Infinity
  const ms = startOf(options.grid, segment)
  return options.frames.type === 'made' ? frameBoundary(ms, options.timescale, options.frameTicks) : ticksOf(options, ms)
}

interface Grain {
  /** Silence is available to fill gaps with. */
  readonly fills: boolean
  /** A frame's time, snapped to the grid of frames of its length if it is off by rounding only. */
  placed(pts: number, ticks: number | undefined): number
  /** The first frame position at or after a time. */
  atOrAfter(ticks: number): number
  /** The frames with silence filled into the gaps between two times; infinity is the film's end. */
  filled(frames: readonly Frame[], stretch: { readonly from: number; readonly to: number }): readonly Frame[]
  /** End of the film's last frame. */
  lastEnd(frame: Frame): number
}

function grainOf(options: AudioSegmenterOptions): Grain {
  return options.frameTicks === undefined ? freeGrain(options) : regularGrain(options, options.frameTicks)
}

const endOf = ({ pts, duration }: Frame): number => pts + duration

/** Frames of varying length: a segment without any holds one silent frame. */
function freeGrain(options: AudioSegmenterOptions): Grain {
  const { silence } = options.frames
  const mediaEnd = ticksOf(options, options.grid.endMs)
  const silent = (from: number): readonly Frame[] => (silence ? [{ pts: from, duration: 1, bytes: silence }] : [])
  return {
    fills: false,
    placed: (pts) => pts,
    atOrAfter: (ticks) => ticks,
    filled: (frames, { from }) => (frames.length > 0 ? frames : silent(from)),
    lastEnd: (last) => (last.bytes === silence ? Math.max(last.pts + 1, mediaEnd) : endOf(last)),
  }
}

function regularGrain(options: AudioSegmenterOptions, frameTicks: number): Grain {
  const { frames } = options
  const anchor = frames.type === 'copied' ? ticksOf(options, frames.anchorMs) : 0
  const { silence } = frames
  const leavesTail = frames.type === 'copied' && frames.sbr === true
  const mediaEnd = ticksOf(options, options.grid.endMs)

  function filled(held: readonly Frame[], { from, to }: { readonly from: number; readonly to: number }): readonly Frame[] {
    if (!silence || (frames.type === 'made' && held.length > 0)) return held
    const all: Frame[] = []
    const still = (start: number, end: number): void => {
      const count = Math.max(held.length > 0 ? 0 : 1, Math.round((end - start) / frameTicks))
      for (let one = 0; one < count; one++) all.push({ pts: start + one * frameTicks, duration: frameTicks, bytes: silence })
    }
    let at = from
    for (const frame of held) {
      still(at, frame.pts)
      all.push(frame)
      at = endOf(frame)
    }
    if (!leavesTail || to < mediaEnd || held.length === 0) still(at, Math.min(to, mediaEnd))
    return all
  }

  return {
    fills: silence !== undefined,
    placed: (pts, ticks = frameTicks) => onBeat(pts, { start: anchor, ticks, tolerance: ticksOf(options, ROUNDING_MS) }),
    atOrAfter: (ticks) => anchor + Math.ceil((ticks - anchor) / frameTicks) * frameTicks,
    filled,
    // Padding that an encoder adds to its last frame is not part of the film; silence covers a remainder shorter than a frame.
    lastEnd(last) {
      const mayEndEarly = frames.type === 'made' || (silence !== undefined && endOf(last) < mediaEnd)
      return mayEndEarly ? Math.max(last.pts + 1, mediaEnd) : endOf(last)
    },
  }
}
