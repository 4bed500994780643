/** Handles disk errors of a store: reports them in one sentence, once, until a write succeeds again; pauses retries for a while. */
import type { Clock } from '../../ports/clock.ts'
import type { Report } from '../../ports/report.ts'

export interface DiskTrouble {
  failed(this: void, cause: unknown): void
  /** A write has succeeded. */
  worked(): void
  /** Whether it is too soon after the last failure to try again. */
  isPausing(): boolean
}

export interface DiskTroubleOptions {
  /** The data that is kept only in memory meanwhile. */
  readonly what: string
  /** The consequence, if it is another one. */
  readonly outcome?: string
  readonly clock: Clock
  readonly onError: Report<Error>
}

const PAUSE_MS = 30_000

export function createDiskTrouble({ what, outcome = 'are kept in memory only', clock, onError }: DiskTroubleOptions): DiskTrouble {
  let pausedUntil = -Infinity
  let isReported = false
  return {
    failed(cause) {
      pausedUntil = clock.monotonic() + PAUSE_MS
      const reason = cause instanceof Error ? cause.message : String(cause)
      if (!isReported) onError(new Error(`${what} ${outcome}: ${reason}`, { cause }), 'warn')
      isReported = true
    },
    worked() {
      if (isReported) onError(new Error(`${what} are stored again`), 'info')
      isReported = false
    },
    isPausing: () => clock.monotonic() < pausedUntil,
  }
}
