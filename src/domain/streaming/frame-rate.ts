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

/** Of pictures that come at less than this share of the rate that the container states, the rate is not known. */
const LEAST_SHARE = 0.5

/** Rate to declare; null when the container's own is not that of its pictures: slides in Matroska whose default duration is 1/60 s. */
export function shownRate({ frameRate }: VideoTrack, times: FilmTimes | undefined): number | null {
  const seen = times?.framesPerSecond
  return frameRate !== null && seen !== undefined && seen < frameRate * LEAST_SHARE ? null : frameRate
}
