/** Supervises long-running tasks: a task that fails is reported and restarted, after a growing delay. */
import type { Clock } from '../../ports/clock.ts'
import { createBackoff } from './backoff.ts'
import type { Trouble } from './trouble.ts'

/** A task that has run this long since it was started again works. */
const WORKS_AFTER_MS = 5_000

/** Runs until the signal; never throws. A failure is reported once for as long as it lasts. */
export async function supervise(
  task: (signal: AbortSignal) => Promise<void>,
  options: { readonly clock: Clock; readonly signal: AbortSignal; readonly trouble: Trouble },
): Promise<void> {
  const { clock, signal, trouble } = options
  const pauses = createBackoff()
  while (!signal.aborted) {
    const startedAt = clock.monotonic()
    let failed: unknown
    const disarm = clock.after(WORKS_AFTER_MS, trouble.passed)
    try {
      await task(signal)
    } catch (cause) {
      failed = cause
      if (!signal.aborted) trouble.failed(cause)
    } finally {
      disarm()
    }
    await clock.sleep(pauses.after(clock.monotonic() - startedAt, failed), signal).catch(() => {})
  }
}
