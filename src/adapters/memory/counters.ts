/** Counters of one process. Bounded: keys whose window has passed are dropped, and beyond `maxKeys` the longest unused one. */
import type { Clock } from '../../ports/clock.ts'
import type { Budget, Counters, Spent } from '../../ports/counters.ts'

export interface MemoryCounters extends Counters {
  /** Keys in memory. */
  size(): number
}

export interface MemoryCountersOptions {
  readonly clock: Clock
  readonly maxKeys?: number
}

interface Spending {
  /** When each was accepted, oldest first; at most as many as the budget allows. */
  readonly atMs: number[]
  /** When the last one leaves its window. */
  emptyAtMs: number
}

const MAX_KEYS = 100_000
/** Keys looked at with each spending: more than one, so that dropping outruns adding. */
const SWEPT_AT_ONCE = 2

export function createMemoryCounters({ clock, maxKeys = MAX_KEYS }: MemoryCountersOptions): MemoryCounters {
  /** In the order of their last spending. */
  const spendings = new Map<string, Spending>()
  let sweep = spendings.entries()

  function dropPassed(): void {
    for (let looked = 0; looked < SWEPT_AT_ONCE; looked++) {
      const { value, done } = sweep.next()
      if (done) sweep = spendings.entries()
      else if (value[1].emptyAtMs <= clock.monotonic()) spendings.delete(value[0])
    }
    const longestUnused = spendings.keys().next()
    if (spendings.size > maxKeys && !longestUnused.done) spendings.delete(longestUnused.value)
  }

  return {
    async spend(key, budget) {
      const nowMs = clock.monotonic()
      const atMs = withinWindow(spendings.get(key)?.atMs ?? [], budget, nowMs)
      const allowed = atMs.length < budget.max
      if (allowed) atMs.push(nowMs)
      spendings.delete(key)
      spendings.set(key, { atMs, emptyAtMs: (atMs.at(-1) ?? nowMs) + budget.windowMs })
      dropPassed()
      return answer(atMs, allowed, budget, nowMs)
    },
    async peek(key, budget) {
      const nowMs = clock.monotonic()
      const atMs = withinWindow(spendings.get(key)?.atMs ?? [], budget, nowMs)
      const allowed = atMs.length < budget.max
      return answer(allowed ? [...atMs, nowMs] : atMs, allowed, budget, nowMs)
    },
    clear: async (key) => void spendings.delete(key),
    size: () => spendings.size,
  }
}

const withinWindow = (atMs: readonly number[], { windowMs }: Budget, nowMs: number): number[] => atMs.filter((at) => at + windowMs > nowMs)

function answer(atMs: readonly number[], allowed: boolean, { max, windowMs }: Budget, nowMs: number): Spent {
  const remaining = Math.max(0, max - atMs.length)
  const leavesFirst = atMs[atMs.length - max] ?? nowMs
  return {
    allowed,
    remaining,
    retryAfterMs: remaining > 0 ? 0 : Math.ceil(leavesFirst + windowMs - nowMs),
    resetAfterMs: Math.ceil((atMs.at(-1) ?? nowMs - windowMs) + windowMs - nowMs),
  }
}
