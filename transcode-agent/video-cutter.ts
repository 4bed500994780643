/**
 * Cutter of pictures: each group that begins with a keyframe belongs to the segment that holds the keyframe's time. Groups are
 * never divided, so the pictures that lead an open-GOP keyframe stay with it.
 */
import { segmentAt, segmentCount, TOLERANCE_MS } from '../src/domain/streaming/grid.ts'
import { onBeat, ROUNDING_MS, ticksOf, type Cut, type Cutter, type CutterOptions } from './cutter.ts'
import type { Cadence } from '../src/domain/streaming/rendition.ts'
import { decodeTimes, segmentStart } from './decode-times.ts'
import type { Fragment, Sample } from './fragment.ts'
import { joined } from './box-stream.ts'
import { writeSegment } from './segment-writer.ts'

/** A little more than the encoder's tolerance, so that rounding never puts a keyframe into the segment before its own. */
const KEYFRAME_TOLERANCE_MS = TOLERANCE_MS + 0.5

interface Open {
  readonly segment: number
  readonly samples: Sample[]
  readonly data: Uint8Array[]
}

export interface VideoCutterOptions extends CutterOptions {
  readonly cadence: Cadence | null
}

export function createVideoCutter(options: VideoCutterOptions): Cutter {
  const zero = ticksOf(options, options.zeroMs)
  const placed = placing(options)
  /** The last picture stays until the sound has ended too, as the playlist says. */
  const filmEnd = ticksOf(options, options.grid.endMs)
  let open: Open | undefined
  /** The segment that must come next. */
  let next = options.startSegment

  const shifted = (sample: Sample): Sample => ({ ...sample, pts: placed(sample.pts - zero) })

  function push(fragment: Fragment): readonly Cut[] {
    const samples = fragment.samples.map(shifted)
    const first = samples[0]
    if (!first) return []
    const ms = (first.pts * 1000) / options.timescale
    const segment = first.key ? segmentAt(options.grid, ms + KEYFRAME_TOLERANCE_MS) : -1
    if (open && segment <= open.segment) {
      add(open, samples, fragment)
      return []
    }
    const cuts = open ? [close(open, segmentStart(samples.map((one) => one.pts)))] : []
    open = undefined
    if (segment >= next) {
      if (segment > next) cuts.push({ type: 'missing', from: next, through: segment - 1 })
      open = { segment, samples: [], data: [] }
      add(open, samples, fragment)
      next = segment + 1
    }
    return cuts
  }

  function end(): readonly Cut[] {
    const last = segmentCount(options.grid) - 1
    const cuts = open ? [close(open, open.segment === last ? Math.max(endOf(open.samples), filmEnd) : endOf(open.samples))] : []
    open = undefined
    return next <= last ? [...cuts, { type: 'missing', from: next, through: last }] : cuts
  }
  return { push, end }
}

function placing({ cadence, timescale }: VideoCutterOptions): (pts: number) => number {
  if (cadence === null || cadence.startMs === null) return (pts) => pts
  const beat = {
    start: (cadence.startMs * timescale) / 1000,
    ticks: (timescale * cadence.denominator) / cadence.numerator,
    tolerance: ticksOf({ timescale }, ROUNDING_MS),
  }
  return (pts) => onBeat(pts, beat)
}

function add(open: Open, samples: readonly Sample[], fragment: Fragment): void {
  open.samples.push(...samples)
  open.data.push(...fragment.data)
}

function close(open: Open, nextStart: number): Cut {
  const { segment, samples, data } = open.segment === 0 ? withoutLeaders(open) : open
  const pts = samples.map((sample) => sample.pts)
  const start = segment === 0 ? 0 : segmentStart(pts)
  const end = Math.max(nextStart, start + 1)
  const times = decodeTimes(pts, start, end)
  const timed = samples.map(({ pts, sizeBytes, key }, index) => ({ pts, sizeBytes, key, dts: times[index] ?? start }))
  return { type: 'segment', segment, bytes: writeSegment({ segment, samples: timed, end, data }) }
}

/** A film that begins inside an open group: what leads its first keyframe refers to pictures that are not there. */
function withoutLeaders(open: Open): Open {
  const first = open.samples[0]
  if (!first || segmentStart(open.samples.map((sample) => sample.pts)) >= 0) return open
  const bytes = joined(open.data)
  const kept: Open = { segment: open.segment, samples: [], data: [] }
  let at = 0
  for (const sample of open.samples) {
    if (sample.pts >= first.pts) add(kept, [sample], { samples: [], data: [bytes.subarray(at, at + sample.sizeBytes)] })
    at += sample.sizeBytes
  }
  return kept
}

/** Where the last picture shown ends; where the film does not say, it lasts as long as the one before it. */
function endOf(samples: readonly Sample[]): number {
  const shown = samples.map((sample) => sample.pts).sort((a, b) => a - b)
  const last = shown.at(-1) ?? 0
  const told = samples.at(-1)?.duration ?? 0
  return last + Math.max(1, told > 0 ? told : last - (shown.at(-2) ?? last))
}
