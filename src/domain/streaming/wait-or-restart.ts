/** Wait or relocate: whether a run that is under way will come to a wanted segment sooner than a new one would. */
import { startOf, type Grid } from './segment-grid.ts'

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

/** When runs of a rendition were started: the last time, and the time before that. */
export interface Starts {
  readonly last: number
  readonly before: number
}

/** How long nothing new was asked for, before a start follows another one so soon: a viewer who drags the slider. */
const STEADY = [
  { start: 'before', withinMs: 4_000, steadyMs: 300 },
  { start: 'last', withinMs: 1_000, steadyMs: 150 },
] as const
/** Nobody waits longer than this for others to hold still. */
const MOST_STEADY_MS = 2_000

/** The moment for the next start, when what is wanted last changed at `wantedAt`. The same clock tells all of them. */
export function startAt(starts: Starts, wantedAt: number): number {
  const rule = STEADY.find(({ start, withinMs }) => wantedAt - starts[start] < withinMs)
  return rule ? Math.min(wantedAt + rule.steadyMs, starts.last + MOST_STEADY_MS) : wantedAt
}

/** Wait before the next start after so many in a row that failed before they made anything. */
export function retryDelayMs(failed: number): number {
  return failed <= 1 ? 0 : Math.min(2_400, 75 * 2 ** failed)
}
