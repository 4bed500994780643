/** Frame rates: whether a video has one of the usual constant rates. */
import type { MediaDescription, VideoTrack } from '../../vocabulary/media-description.ts'
import type { FilmTimes } from './film-times.ts'
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
/** Averages over a whole film are this exact; 24 and 23.976 are ten times as far apart. */
const TOLERANCE = 1e-4
const MILLISECOND_CONTAINERS = new Set(['matroska', 'webm', 'flv', 'asf'])

/**
 * Null for films whose average is no usual rate, which have a variable one. The start is told where the container rounds times to
 * milliseconds, so that they can be put right; other containers have exact ones.
 */
export function frameRateOf({ container }: MediaDescription, track: VideoTrack, times: FilmTimes | undefined): FrameRate | null {
  const [over = 0, under = 1] = (track.frameRateFraction ?? '').split('/').map(Number)
  const average = over / under
  const rate = RATES.find(([numerator, denominator]) => Math.abs((average * denominator) / numerator - 1) < TOLERANCE)
  if (!rate) return null
  const startMs = MILLISECOND_CONTAINERS.has(container) ? (times?.videoStartMs ?? null) : null
  return { numerator: rate[0], denominator: rate[1], startMs }
}

/** Of frames that come at less than this share of the rate that the container states, that rate is not theirs. */
const LEAST_SHARE = 0.5
/** What is counted in one group: fewer are slides, which are shown again when they are encoded; more are two frames a tick apart. */
const [LEAST_SEEN, MOST_SEEN] = [5, 240]

/**
 * Rate to declare. If the container states none, or one that its frames do not have, as of a film with a variable rate, it is the most
 * of any stretch that was looked into. Null for slides in Matroska whose default duration is 1/60 s.
 */
export function shownRate({ frameRate }: VideoTrack, times: FilmTimes | undefined): number | null {
  const seen = times?.framesPerSecond
  if (seen === undefined || (frameRate !== null && seen >= frameRate * LEAST_SHARE)) return frameRate
  return seen >= LEAST_SEEN && seen <= MOST_SEEN ? seen : null
}
