/** Holds requests that wait for a numbered result. Each waits at most for its timeout, and only while its client is connected. */
import type { Clock } from '../../../ports/clock.ts'

export interface Waiters<Value> {
  /** @throws the signal's reason if it aborts first */
  wait(key: number, limit: WaitLimit<Value>): Promise<Value>
  settle(key: number, value: Value): void
  settleAll(value: Value): void
  has(key: number): boolean
  /** Ascending. */
  keys(): readonly number[]
}

export interface WaitLimit<Value> {
  readonly signal: AbortSignal
  readonly timeoutMs: number
  readonly timedOut: () => Value
  /** Called when the signal ended the wait. */
  readonly aborted: () => void
}

export function createWaiters<Value>(clock: Clock): Waiters<Value> {
  const waiting = new Map<number, Set<(value: Value) => void>>()

  function settle(key: number, value: Value): void {
    const resolvers = waiting.get(key)
    waiting.delete(key)
    for (const resolve of resolvers ?? []) resolve(value)
  }

  async function wait(key: number, { signal, timeoutMs, timedOut, aborted }: WaitLimit<Value>): Promise<Value> {
    signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<Value>()
    const resolvers = waiting.get(key) ?? new Set()
    waiting.set(key, resolvers.add(resolve))
    const abort = (): void => {
      remove()
      reject(signal.reason)
      aborted()
    }
    const disarm = clock.after(timeoutMs, () => {
      remove()
      resolve(timedOut())
    })
    signal.addEventListener('abort', abort, { once: true })
    function remove(): void {
      resolvers.delete(resolve)
      if (resolvers.size === 0 && waiting.get(key) === resolvers) waiting.delete(key)
    }
    try {
      return await promise
    } finally {
      disarm()
      signal.removeEventListener('abort', abort)
    }
  }

  return {
    wait,
    settle,
    settleAll: (value) => [...waiting.keys()].forEach((key) => settle(key, value)),
    has: (key) => waiting.has(key),
    keys: () => [...waiting.keys()].sort((a, b) => a - b),
  }
}
