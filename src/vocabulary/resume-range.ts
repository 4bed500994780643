/** The part of a film in which a viewer can resume it. Positions and durations are in milliseconds. */

/** A position below min(30 s, 1 % of the film) is too near to the beginning; from 90 % on the film counts as watched. */
const LEAST_MS = 30_000
const LEAST_SHARE = 0.01
const SEEN_SHARE = 0.9

/** Whether a film that was left there was not watched to its end. */
export const isBeforeEnd = (positionMs: number, durationMs: number): boolean => positionMs < durationMs * SEEN_SHARE

/** Whether the position is a resume point, neither too near to the beginning nor to the end. */
export const isResumable = (positionMs: number, durationMs: number): boolean =>
  positionMs > 0 && positionMs >= Math.min(LEAST_MS, durationMs * LEAST_SHARE) && isBeforeEnd(positionMs, durationMs)
