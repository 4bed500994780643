/** When a delivery that failed is tried again: after growing delays, for three days. */

export const RETRY_FOR_MS = 3 * 86_400_000

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** After the first failure, the second, and so on; the last one repeats. */
const DELAYS_MS = [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS]
const LONGEST_MS = 6 * HOUR_MS
/** Longest pause that a receiver may ask for. */
export const PAUSE_MAX_MS = 24 * HOUR_MS

export const boundedPauseMs = (pauseMs: number): number => Math.min(pauseMs, PAUSE_MAX_MS)

export interface Tries {
  /** Failures so far, at least one. */
  readonly failures: number
  readonly firstMs: number
  readonly nowMs: number
  /** The pause that the receiver asked for. */
  readonly pauseMs: number | undefined
}

/** Time of the next try; undefined: it is not tried again. The last try is three days after the first. */
export function nextTryMs({ failures, firstMs, nowMs, pauseMs = 0 }: Tries): number | undefined {
  const lastMs = firstMs + RETRY_FOR_MS
  if (nowMs >= lastMs) return undefined
  const delayMs = DELAYS_MS[failures - 1] ?? LONGEST_MS
  return Math.min(lastMs, nowMs + Math.max(delayMs, boundedPauseMs(pauseMs)))
}
