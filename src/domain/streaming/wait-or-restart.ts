/** Decides whether a wanted segment comes sooner from a run in progress or from a new one. */
import { startOf, type Grid } from './segment-grid.ts'

/** Measured on this rendition; the initial values are those of a small machine. */
export interface Pace {
  /** From the start order to the first segment. */
  readonly restartMs: number
  /** For each segment after it. */
  readonly segmentMs: number
}

export const FIRST_PACE: Pace = { restartMs: 650, segmentMs: 300 }

/** The current run is slightly preferred, since the segments that it makes on the way are kept. */
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

/** Times of the last two starts of runs of a rendition. */
export interface Starts {
  readonly last: number
  readonly before: number
}

/** How long the request must stay unchanged before a start that follows another one this soon: debounces a viewer who drags the slider. */
const STEADY = [
  { start: 'before', withinMs: 4_000, steadyMs: 300 },
  { start: 'last', withinMs: 1_000, steadyMs: 150 },
] as const
/** Longest debounce. */
const MOST_STEADY_MS = 2_000

/** The time for the next start if the wanted segment last changed at `wantedAt`. All times are by the same clock. */
export function startAt(starts: Starts, wantedAt: number): number {
  const rule = STEADY.find(({ start, withinMs }) => wantedAt - starts[start] < withinMs)
  return rule ? Math.min(wantedAt + rule.steadyMs, starts.last + MOST_STEADY_MS) : wantedAt
}

/** Delay before the next start after this many consecutive starts that failed before they made anything. */
export function retryDelayMs(failed: number): number {
  return failed <= 1 ? 0 : Math.min(2_400, 75 * 2 ** failed)
}
