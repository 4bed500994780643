/**
 * Late outcomes: where the engine that keeps outcomes is away when a request has been carried out, its answer is given all the same,
 * and what became of it is told to the engine as soon as it is back. Otherwise its key would count as running for two minutes.
 */
import type { Clock } from '../../ports/clock.ts'
import { EngineAway } from '../../ports/engine.ts'
import { OUTCOME_RUNNING_MS, type Outcomes } from '../../ports/outcomes.ts'

export interface LateOutcomesDependencies {
  readonly outcomes: Outcomes
  readonly clock: Clock
}

const RETRY_EVERY_MS = 1000
const LATE_MAX = 1000

interface Late {
  readonly tell: () => Promise<void>
  /** Afterwards the key may be begun again anyway, and another run's outcome must not be overwritten. */
  readonly untilMs: number
}

export function createLateOutcomes({ outcomes, clock }: LateOutcomesDependencies): Outcomes {
  const late = new Map<string, Late>()
  let stopRetrying: (() => void) | undefined
  let isRetrying = false

  async function orLater(key: string, tell: () => Promise<void>): Promise<void> {
    try {
      await tell()
    } catch (cause) {
      if (!(cause instanceof EngineAway)) throw cause
      if (late.size >= LATE_MAX) return
      late.set(key, { tell, untilMs: clock.monotonic() + OUTCOME_RUNNING_MS })
      stopRetrying ??= clock.every(RETRY_EVERY_MS, () => void retryAll())
    }
  }

  /** @throws EngineAway */
  async function retry(key: string): Promise<void> {
    const found = late.get(key)
    if (found && clock.monotonic() < found.untilMs) await found.tell()
    late.delete(key)
  }

  async function retryAll(): Promise<void> {
    if (isRetrying) return
    isRetrying = true
    try {
      for (const key of late.keys()) await retry(key)
      stopRetrying?.()
      stopRetrying = undefined
    } catch {
      // It is still away: again in a moment.
    } finally {
      isRetrying = false
    }
  }

  return {
    async begin(key, request) {
      await retry(key)
      return outcomes.begin(key, request)
    },
    settle: (key, answer) => orLater(key, () => outcomes.settle(key, answer)),
    release: (key) => orLater(key, () => outcomes.release(key)),
    forget: (key) => orLater(key, () => outcomes.forget(key)),
    async close() {
      stopRetrying?.()
      await outcomes.close()
    },
  }
}
