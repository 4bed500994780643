/**
 * Reports a failure that is tried again: as a warning when it begins or changes, as an error once it has lasted for some minutes, and its
 * end. So one cause has one line, however often it is met.
 */
import type { Clock } from '../../ports/clock.ts'
import type { Report } from '../../ports/report.ts'

export interface Trouble {
  failed(this: void, cause: unknown): void
  /** It works. */
  passed(this: void): void
}

/** What lasts longer does not pass by itself. */
const PERSISTS_MS = 5 * 60_000

export function createTrouble(clock: Pick<Clock, 'monotonic'>, onError: Report): Trouble {
  let current: { readonly message: string; readonly sinceMs: number; readonly isError: boolean } | undefined
  return {
    failed(cause) {
      const nowMs = clock.monotonic()
      const { message: before, sinceMs = nowMs, isError: wasError = false } = current ?? {}
      const message = cause instanceof Error ? cause.message : String(cause)
      const isError = wasError || nowMs - sinceMs >= PERSISTS_MS
      if (message !== before || isError !== wasError) onError(cause, isError ? 'error' : 'warn')
      current = { message, sinceMs, isError }
    },
    passed() {
      if (!current) return
      const seconds = Math.round((clock.monotonic() - current.sinceMs) / 1000)
      onError(new Error(`It works again after ${seconds} s: ${current.message}`), 'info')
      current = undefined
    },
  }
}
