/**
 * Segments video. A group of pictures belongs to the segment that holds its keyframe's time. Groups are never divided, so the leading
 * frames of an open GOP stay with their keyframe.
 */
import { segmentAt, segmentCount, startOf, TOLERANCE_MS } from '../src/domain/streaming/segment-grid.ts'
import { onBeat, ROUNDING_MS, ticksOf, type Cut, type Segmenter, type SegmenterOptions } from './segmenter.ts'
import type { FrameRate } from '../src/domain/streaming/rendition.ts'
import { decodeTimes } from './decode-times.ts'
import { distinctTimes, sharesTimes, shownOrder, type TimedFrame } from './frame-times.ts'
import type { Fragment, Sample } from './fragment.ts'
import { joined } from './box-stream.ts'
import { writeSegment } from './segment-writer.ts'
import { isBidirectional, isIdr } from './slice-type.ts'

/** A little more than the encoder's tolerance, so that rounding never puts a keyframe into the previous segment. */
const KEYFRAME_TOLERANCE_MS = TOLERANCE_MS + 0.5

/** Parameter sets and SEI messages come before a sample's first slice. */
const ENOUGH_BYTES = 16 * 1024
const EMPTY = new Uint8Array()

type Frame = Sample & TimedFrame

interface Open {
  readonly segment: number
  readonly samples: Frame[]
  readonly data: Uint8Array[]
}

export interface VideoSegmenterOptions extends SegmenterOptions {
  readonly cadence: FrameRate | null
  /** The video is H.264. */
  readonly isAvc?: boolean
  /**
   * Set for encoded video, whose keyframes depend on nothing else: no segment stays empty. `isRepeat` decides by its file time whether a
   * frame repeats the previous one; a repeat is moved to its segment's boundary.
   */
  readonly filling?: {
    readonly isRepeat: (ticks: number) => boolean
    /** The run started as near to the beginning of the film's video as possible: its first frame fills the time before it. */
    readonly fromFirst: boolean
  }
}

/** If the first frame comes later than this, it is shown from the film's beginning: a player would otherwise wait with an empty screen. */
const LATE_START_MS = 500

interface State extends VideoSegmenterOptions {
  readonly zero: number
  readonly placed: (pts: number) => number
  /** The last frame stays until the audio has ended too, as in the playlist. */
  readonly mediaEnd: number
  open: Open | undefined
  /** The next segment to emit. */
  next: number
}

export function createVideoSegmenter(options: VideoSegmenterOptions): Segmenter {
  const state: State = {
    ...options,
    zero: ticksOf(options, options.zeroMs),
    placed: placing(options),
    mediaEnd: ticksOf(options, options.grid.endMs),
    open: undefined,
    next: options.startSegment,
  }

  return { push: (fragment) => push(state, fragment), end: () => end(state) }
}

const close = (state: State, one: Open, end: Pick<Ending, 'nextStart' | 'isJoin'>): Cut =>
  closed(state.isAvc && sharesTimes(one.samples) ? withTypes(one) : one, {
    ...end,
    timescale: state.timescale,
    lateTicks: ticksOf(state, LATE_START_MS),
  })

const shifted = ({ placed, zero }: State, sample: Sample): Frame => ({ ...sample, pts: placed(sample.pts - zero), storedPts: sample.pts })

const startTicks = (state: State, segment: number): number => ticksOf(state, startOf(state.grid, segment))

function push(state: State, fragment: Fragment): readonly Cut[] {
  const samples = fragment.samples.map((sample) => shifted(state, sample))
  const first = samples[0]
  if (!first) return []
  const ms = (first.pts * 1000) / state.timescale
  const segment = first.key ? segmentAt(state.grid, ms + KEYFRAME_TOLERANCE_MS) : -1
  if (state.open && segment <= state.open.segment) {
    if (state.isAvc && first.key && isOpenKeyframe(first, fragment)) samples[0] = { ...first, key: false }
    add(state.open, samples, fragment)
    return []
  }
  if (segment < state.next) return []
  const isFilled = segment > state.next && isFilling(state, state.next)
  const repeats = state.filling?.isRepeat(fragment.samples[0]?.pts ?? 0) === true
  if (isFilled || repeats) samples[0] = { ...first, pts: Math.min(first.pts, startTicks(state, segment)) }
  const cuts = state.open
    ? [close(state, state.open, { nextStart: isFilled ? startTicks(state, state.next) : startOfShown(samples), isJoin: true })]
    : []
  if (isFilled) cuts.push(...filled(state, { from: state.next, to: segment }, standingOf(samples, fragment.data)))
  else if (segment > state.next) cuts.push({ type: 'missing', from: state.next, through: segment - 1 })
  state.open = { segment, samples: [], data: [] }
  add(state.open, samples, fragment)
  state.next = segment + 1
  return cuts
}

/** Segments before a film's first frame are filled only by a run that has looked far enough back for an earlier frame. */
const isFilling = (state: State, segment: number): boolean =>
  state.filling !== undefined && (segment > state.startSegment || state.filling.fromFirst)

/** Segments that all hold the same frame, which depends on no other. */
function filled(state: State, { from, to }: { readonly from: number; readonly to: number }, { sample, data }: Standing): readonly Cut[] {
  return Array.from({ length: to - from }, (_, index): Cut => {
    const segment = from + index
    const start = startTicks(state, segment)
    const samples = [{ pts: start, dts: start, sizeBytes: sample.sizeBytes, key: true }]
    return { type: 'segment', segment, bytes: writeSegment({ segment, samples, end: startTicks(state, segment + 1), data: [data] }) }
  })
}

function end(state: State): readonly Cut[] {
  const last = segmentCount(state.grid) - 1
  const isFilled = state.open !== undefined && state.open.segment < last && state.filling !== undefined
  const stands = isFilled && state.open ? standingOf(state.open.samples, state.open.data) : undefined
  const cuts = state.open
    ? [
        close(
          state,
          state.open,
          stands
            ? { nextStart: startTicks(state, state.next), isJoin: true }
            : { nextStart: endingOf(state, state.open, last), isJoin: false },
        ),
      ]
    : []
  state.open = undefined
  if (state.next > last) return cuts
  return [
    ...cuts,
    ...(stands
      ? filled(state, { from: state.next, to: last + 1 }, stands)
      : [{ type: 'missing', from: state.next, through: last } as const]),
  ]
}

const endingOf = ({ mediaEnd }: State, { segment, samples }: Open, last: number): number =>
  segment === last ? Math.max(endOf(samples), mediaEnd) : endOf(samples)

/**
 * Players also start at sync samples within a segment: a recovery point must not be one, since frames shown after it depend on earlier
 * ones.
 */
function isOpenKeyframe({ sizeBytes }: Sample, { data }: Fragment): boolean {
  const [first = EMPTY] = data
  const sample = first.byteLength >= Math.min(sizeBytes, ENOUGH_BYTES) ? first : joined(data)
  return isIdr(sample.subarray(0, sizeBytes)) === false
}

interface Standing {
  readonly sample: Sample
  readonly data: Uint8Array
}

/** The keyframe at the beginning. */
function standingOf([sample]: readonly Sample[], data: readonly Uint8Array[]): Standing {
  if (!sample) throw new Error('A group without a frame')
  return { sample, data: joined(data).slice(0, sample.sizeBytes) }
}

function placing({ cadence, timescale }: VideoSegmenterOptions): (pts: number) => number {
  if (cadence === null || cadence.startMs === null) return (pts) => pts
  const beat = {
    start: (cadence.startMs * timescale) / 1000,
    ticks: (timescale * cadence.denominator) / cadence.numerator,
    tolerance: ticksOf({ timescale }, ROUNDING_MS),
  }
  return (pts) => onBeat(pts, beat)
}

function add(open: Open, samples: readonly Frame[], fragment: Fragment): void {
  // Spread as arguments, a long group would overflow the stack.
  for (const sample of samples) open.samples.push(sample)
  for (const piece of fragment.data) open.data.push(piece)
}

interface Ending {
  readonly nextStart: number
  /** Another segment starts there. */
  readonly isJoin: boolean
  readonly timescale: number
  readonly lateTicks: number
}

function closed(open: Open, { nextStart, isJoin, timescale, lateTicks }: Ending): Cut {
  const { segment, samples, data } = open.segment === 0 ? fromZero(withoutLeaders(open), lateTicks) : open
  const start = segment === 0 ? 0 : startOfShown(samples)
  const end = Math.max(nextStart, start + 1)
  const pts = distinctTimes(samples, { timescale, end, isJoin })
  const times = decodeTimes(pts, start, end)
  const timed = samples.map(({ sizeBytes, key }, index) => ({ pts: pts[index] ?? start, sizeBytes, key, dts: times[index] ?? start }))
  return { type: 'segment', segment, bytes: writeSegment({ segment, samples: timed, end, data }) }
}

function withTypes(open: Open): Open {
  const bytes = joined(open.data)
  let from = 0
  const samples = open.samples.map((sample) => {
    const own = bytes.subarray(from, (from += sample.sizeBytes))
    return { ...sample, isBidirectional: isBidirectional(own) }
  })
  return { ...open, samples, data: [bytes] }
}

/** A run that comes from the previous segment sees only this segment's first frames, so these alone decide. */
function startOfShown(samples: readonly Frame[]): number {
  const first = shownOrder(samples)[0] ?? 0
  return (samples[first]?.pts ?? 0) - first
}

/** Shows the first frame from the film's beginning. */
function fromZero(open: Open, lateTicks: number): Open {
  const firstPts = open.samples.reduce((least, { pts }) => Math.min(least, pts), Infinity)
  if (firstPts <= lateTicks) return open
  return { ...open, samples: open.samples.map((sample) => (sample.pts === firstPts ? { ...sample, pts: 0 } : sample)) }
}

/** For a film that begins inside an open group: frames before its first keyframe refer to missing frames. */
function withoutLeaders(open: Open): Open {
  const first = open.samples[0]
  if (!first || startOfShown(open.samples) >= 0) return open
  const bytes = joined(open.data)
  const kept: Open = { segment: open.segment, samples: [], data: [] }
  let at = 0
  for (const sample of open.samples) {
    if (sample.pts >= first.pts) add(kept, [sample], { samples: [], data: [bytes.subarray(at, at + sample.sizeBytes)] })
    at += sample.sizeBytes
  }
  return kept
}

/** End of the last frame shown; if the film does not state it, the frame lasts as long as the previous one. */
function endOf(samples: readonly Sample[]): number {
  const shown = samples.map((sample) => sample.pts).sort((a, b) => a - b)
  const last = shown.at(-1) ?? 0
  const before = shown.findLast((pts) => pts < last) ?? last
  const duration = samples.at(-1)?.duration ?? 0
  return last + Math.max(1, duration > 0 ? duration : last - before)
}
