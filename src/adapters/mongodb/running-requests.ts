/**
 * Tracks which node works on which keyed request. A node renews its runs every few seconds. A run whose mark has not changed for a lease's
 * time, by this node's own monotonic clock, has lost its node. No wall clocks are compared.
 */
import { createLruCache } from '../../concurrency/lru-cache.ts'
import type { Clock } from '../../ports/clock.ts'
import { IDEMPOTENCY_LEASE_MS, IDEMPOTENCY_RUNNING_MS } from '../../ports/idempotency-store.ts'

export interface RunningRequests {
  /** This node works on the key from now on. */
  started(key: string, runningAt: number): void
  ended(key: string): void
  /** Whether nobody works on the run any more. For a run elsewhere the first check starts its lease's time. */
  isLost(key: string, runningAt: number): boolean
  close(): void
}

/** Writes that the run continues; returns its new mark, undefined if it is no longer this node's. */
export type RenewRun = (key: string, runningAt: number) => Promise<number | undefined>

interface OwnRun {
  runningAt: number
  readonly untilMs: number
}

const RENEW_EVERY_MS = IDEMPOTENCY_LEASE_MS / 3
const RUNS_MAX = 10_000

export function createRunningRequests(clock: Clock, renew: RenewRun): RunningRequests {
  const own = createLruCache<OwnRun>(RUNS_MAX)
  const seen = createLruCache<{ readonly runningAt: number; readonly sinceMs: number }>(RUNS_MAX)
  let stopRenewing: (() => void) | undefined
  let isRenewing = false

  /** A server that is unavailable renews nothing, but hands nothing to another node either. */
  async function renewAll(): Promise<void> {
    if (isRenewing) return
    isRenewing = true
    try {
      const live = [...own.entries()].filter(([, run]) => clock.monotonic() < run.untilMs)
      for (const [key, run] of live) run.runningAt = (await renew(key, run.runningAt)) ?? run.runningAt
      if (live.length === 0) stop()
    } catch {
      // Retried in a few seconds.
    } finally {
      isRenewing = false
    }
  }

  function stop(): void {
    stopRenewing?.()
    stopRenewing = undefined
  }

  return {
    started(key, runningAt) {
      own.put(key, { runningAt, untilMs: clock.monotonic() + IDEMPOTENCY_RUNNING_MS })
      stopRenewing ??= clock.every(RENEW_EVERY_MS, () => void renewAll())
    },
    ended: (key) => own.remove(key),
    isLost(key, runningAt) {
      const run = own.peek(key)
      if (run?.runningAt === runningAt) return clock.monotonic() >= run.untilMs
      const known = seen.get(key)
      if (known?.runningAt === runningAt) return clock.monotonic() - known.sinceMs >= IDEMPOTENCY_LEASE_MS
      seen.put(key, { runningAt, sinceMs: clock.monotonic() })
      return false
    },
    close: stop,
  }
}
