/** Recognizes the usual constant frame rates of videos. */
import type { MediaDescription, VideoTrack } from '../../vocabulary/media-description.ts'
import type { MediaTimes } from './media-times.ts'
import type { FrameRate } from './rendition.ts'

const RATES: readonly (readonly [numerator: number, denominator: number])[] = [
  [24_000, 1_001],
  [30_000, 1_001],
  [48_000, 1_001],
  [60_000, 1_001],
  [120_000, 1_001],
  [25, 2],
  ...[5, 6, 8, 10, 12, 15, 16, 18, 20, 24, 25, 30, 48, 50, 60, 72, 100, 120].map((rate) => [rate, 1] as const),
]
/** Averages over a whole film are this exact; 24 and 23.976 differ by ten times as much. */
const TOLERANCE = 1e-4
const MILLISECOND_CONTAINERS = new Set(['matroska', 'webm', 'flv', 'asf'])

/**
 * Null for films whose average is no usual rate: their rate is variable. The start is set if the container rounds times to milliseconds, so
 * that they can be corrected; other containers have exact times.
 */
export function frameRateOf({ container }: MediaDescription, track: VideoTrack, times: MediaTimes | undefined): FrameRate | null {
  const [over = 0, under = 1] = (track.frameRateFraction ?? '').split('/').map(Number)
  const average = over / under
  const rate = RATES.find(([numerator, denominator]) => Math.abs((average * denominator) / numerator - 1) < TOLERANCE)
  if (!rate) return null
  const startMs = MILLISECOND_CONTAINERS.has(container) ? (times?.videoStartMs ?? null) : null
  return { numerator: rate[0], denominator: rate[1], startMs }
}

/** If frames come at less than this share of the rate that the container states, that rate is wrong. */
const LEAST_SHARE = 0.5
/** Frames in one group. Fewer are slides, which are repeated when encoded; more are duplicate frames a tick apart. */
const [LEAST_SEEN, MOST_SEEN] = [5, 240]

/**
 * Frame rate to declare. If the container states none, or a wrong one, as for a variable rate, the highest rate of any examined group
 * counts. Null for slides, such as those in Matroska whose default duration is 1/60 s.
 */
export function shownRate({ frameRate }: VideoTrack, times: MediaTimes | undefined): number | null {
  const seen = times?.framesPerSecond
  if (seen === undefined || (frameRate !== null && seen >= frameRate * LEAST_SHARE)) return frameRate
  return seen >= LEAST_SEEN && seen <= MOST_SEEN ? seen : null
}
