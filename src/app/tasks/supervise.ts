/** Supervises long-running tasks: a task that fails is reported and restarted, after a growing delay. */
import type { Clock } from '../../ports/clock.ts'
import { ServerUnavailable } from '../../ports/server.ts'
import { createBackoff } from './backoff.ts'

/** Runs until the signal; never throws. An outage of a server is reported once. */
export async function supervise(
  task: (signal: AbortSignal) => Promise<void>,
  options: { readonly clock: Clock; readonly signal: AbortSignal; readonly onError: (cause: unknown) => void },
): Promise<void> {
  const { clock, signal, onError } = options
  const pauses = createBackoff()
  let wasAway = false
  while (!signal.aborted) {
    const startedAt = clock.monotonic()
    let failed: unknown
    try {
      await task(signal)
    } catch (cause) {
      failed = cause
      if (!signal.aborted && !(wasAway && cause instanceof ServerUnavailable)) onError(cause)
    }
    wasAway = failed instanceof ServerUnavailable
    await clock.sleep(pauses.after(clock.monotonic() - startedAt, failed), signal).catch(() => {})
  }
}
