/** Supervision of long-running tasks: what ends by an error is reported and started again, after a pause that grows. */
import type { Clock } from '../../ports/clock.ts'
import { EngineAway } from '../../ports/engine.ts'
import { createPauses } from './pauses.ts'

/** Runs until the signal; never throws. A server that stays away is reported once. */
export async function supervise(
  task: (signal: AbortSignal) => Promise<void>,
  options: { readonly clock: Clock; readonly signal: AbortSignal; readonly problem: (cause: unknown) => void },
): Promise<void> {
  const { clock, signal, problem } = options
  const pauses = createPauses()
  let wasAway = false
  while (!signal.aborted) {
    const startedAt = clock.monotonic()
    let failed: unknown
    try {
      await task(signal)
    } catch (cause) {
      failed = cause
      if (!signal.aborted && !(wasAway && cause instanceof EngineAway)) problem(cause)
    }
    wasAway = failed instanceof EngineAway
    await clock.sleep(pauses.after(clock.monotonic() - startedAt, failed), signal).catch(() => {})
  }
}
