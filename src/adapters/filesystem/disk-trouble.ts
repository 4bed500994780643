/** Trouble of a store with its disk: told in one sentence, once, until something can be written again; nothing is tried for a while. */
import type { Clock } from '../../ports/clock.ts'

export interface DiskTrouble {
  failed(this: void, cause: unknown): void
  /** Something was written. */
  worked(): void
  /** Whether it is too soon after the last failure to try again. */
  isPausing(): boolean
}

export interface DiskTroubleOptions {
  /** Of what is kept in memory only meanwhile. */
  readonly what: string
  /** What becomes of it, where that is something else. */
  readonly outcome?: string
  readonly clock: Clock
  readonly onError: (cause: Error) => void
}

const PAUSE_MS = 30_000

export function createDiskTrouble({ what, outcome = 'are kept in memory only', clock, onError }: DiskTroubleOptions): DiskTrouble {
  let pausedUntil = -Infinity
  let isTold = false
  return {
    failed(cause) {
      pausedUntil = clock.monotonic() + PAUSE_MS
      const reason = cause instanceof Error ? cause.message : String(cause)
      if (!isTold) onError(new Error(`${what} ${outcome}: ${reason}`, { cause }))
      isTold = true
    },
    worked: () => void (isTold = false),
    isPausing: () => clock.monotonic() < pausedUntil,
  }
}
