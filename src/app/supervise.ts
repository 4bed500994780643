/** Supervision of long-running tasks: what ends by an error is reported and started again, after a pause that grows. */
import type { Clock } from '../ports/clock.ts'

const PAUSE_MS = { least: 100, most: 10_000 }
/** A run of this length counts as a success: the next pause is short again. */
const HEALTHY_MS = 60_000

/** Runs until the signal; never throws. */
export async function supervise(
  task: (signal: AbortSignal) => Promise<void>,
  options: { readonly clock: Clock; readonly signal: AbortSignal; readonly problem: (cause: unknown) => void },
): Promise<void> {
  const { clock, signal, problem } = options
  let pauseMs = 0
  while (!signal.aborted) {
    const startedAt = clock.monotonic()
    try {
      await task(signal)
    } catch (cause) {
      if (!signal.aborted) problem(cause)
    }
    pauseMs = clock.monotonic() - startedAt > HEALTHY_MS ? PAUSE_MS.least : Math.min(PAUSE_MS.most, Math.max(PAUSE_MS.least, pauseMs * 2))
    await clock.sleep(pauseMs, signal).catch(() => {})
  }
}
