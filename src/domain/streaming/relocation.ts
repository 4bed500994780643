/** Wait or relocate: whether a run that is under way will come to a wanted segment sooner than a new one would. */
import { startOf, type Grid } from './grid.ts'

/** Measured on this rendition; the first guesses are those of a small machine. */
export interface Pace {
  /** From the order to start to the first segment. */
  readonly restartMs: number
  /** For each segment after it. */
  readonly segmentMs: number
}

export const FIRST_PACE: Pace = { restartMs: 650, segmentMs: 300 }

/** A run is preferred a little, since what it makes on the way is kept. */
const PREFERENCE = 1.3
/** Never waits for more media than this. */
const REACH_MS = 16_000
/** Weight of the newest measurement. */
const NEWEST = 0.3

export function willReach(grid: Grid, { next, wanted }: { readonly next: number; readonly wanted: number }, pace: Pace): boolean {
  if (wanted < next) return false
  if (wanted === next) return true
  return startOf(grid, wanted) - startOf(grid, next) <= REACH_MS && (wanted - next) * pace.segmentMs < PREFERENCE * pace.restartMs
}

export const restarted = (pace: Pace, ms: number): Pace => ({ ...pace, restartMs: blend(pace.restartMs, ms) })
export const made = (pace: Pace, ms: number): Pace => ({ ...pace, segmentMs: blend(pace.segmentMs, ms) })
const blend = (before: number, now: number): number => before * (1 - NEWEST) + now * NEWEST

/** Wait before the next start after so many that were given up before they made anything: a viewer who drags the slider. */
export function startDelayMs(barren: number): number {
  return barren === 0 ? 0 : Math.min(2_400, 150 * 2 ** barren)
}
