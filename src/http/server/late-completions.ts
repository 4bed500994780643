/**
 * Retries the storage of outcomes. If the idempotency store is down when a request completes, the client still gets its response. The
 * outcome
 * is stored as soon as the store is back. Otherwise the key would count as running for two minutes.
 */
import type { Clock } from '../../ports/clock.ts'
import { ServerUnavailable } from '../../ports/server.ts'
import { IDEMPOTENCY_RUNNING_MS, type IdempotencyStore } from '../../ports/idempotency-store.ts'

export interface LateCompletionsDependencies {
  readonly idempotencyStore: IdempotencyStore
  readonly clock: Clock
}

const RETRY_EVERY_MS = 1000
const LATE_MAX = 1000

interface TimedOut {
  readonly store: () => Promise<void>
  /** After that the key may be started again anyway, and another run's outcome must not be overwritten. */
  readonly untilMs: number
}

export function createLateCompletions({ idempotencyStore, clock }: LateCompletionsDependencies): IdempotencyStore {
  const late = new Map<string, TimedOut>()
  let stopRetrying: (() => void) | undefined
  let isRetrying = false

  async function orLater(key: string, store: () => Promise<void>): Promise<void> {
    try {
      await store()
    } catch (cause) {
      if (!(cause instanceof ServerUnavailable)) throw cause
      if (late.size >= LATE_MAX) return
      late.set(key, { store, untilMs: clock.monotonic() + IDEMPOTENCY_RUNNING_MS })
      stopRetrying ??= clock.every(RETRY_EVERY_MS, () => void retryAll())
    }
  }

  /** @throws ServerUnavailable */
  async function retry(key: string): Promise<void> {
    const found = late.get(key)
    if (found && clock.monotonic() < found.untilMs) await found.store()
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
      // It is still down: retried in a moment.
    } finally {
      isRetrying = false
    }
  }

  return {
    async begin(key, request) {
      await retry(key)
      return idempotencyStore.begin(key, request)
    },
    settle: (key, answer) => orLater(key, () => idempotencyStore.settle(key, answer)),
    release: (key) => orLater(key, () => idempotencyStore.release(key)),
    forget: (key) => orLater(key, () => idempotencyStore.forget(key)),
    async close() {
      stopRetrying?.()
      await idempotencyStore.close()
    },
  }
}
