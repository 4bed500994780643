/** Counters of one process. Bounded: keys whose window has passed are dropped, and beyond `maxKeys` the least recently used one. */
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
  /** Times of accepted spendings, oldest first; at most as many within the window as the budget allows. */
  readonly atMs: number[]
  /** So many at the front have left the window; never more than those within, so that a spending costs the same for any budget. */
  passed: number
  /** When the last one leaves its window. */
  emptyAtMs: number
}

const MAX_KEYS = 100_000
/** Keys checked at each spending: more than one, so that dropping outruns adding. */
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
      const spending = spendings.get(key) ?? { atMs: [], passed: 0, emptyAtMs: nowMs }
      dropBefore(spending, passedOf(spending, budget, nowMs))
      const spent = answer(spending, budget, nowMs)
      if (spent.allowed) spending.atMs.push(nowMs)
      spending.emptyAtMs = (spending.atMs.at(-1) ?? nowMs) + budget.windowMs
      spendings.delete(key)
      spendings.set(key, spending)
      dropPassed()
      return spent
    },
    async peek(key, budget) {
      const nowMs = clock.monotonic()
      const { atMs, passed } = spendings.get(key) ?? NOTHING_SPENT
      return answer({ atMs, passed: passedOf({ atMs, passed }, budget, nowMs) }, budget, nowMs)
    },
    async giveBack(key, budget) {
      const spending = spendings.get(key)
      if (spending && spending.atMs.length > passedOf(spending, budget, clock.monotonic())) spending.atMs.pop()
    },
    clear: async (key) => void spendings.delete(key),
    size: () => spendings.size,
  }
}

type Times = Readonly<Pick<Spending, 'atMs' | 'passed'>>

const NOTHING_SPENT: Times = { atMs: [], passed: 0 }

function passedOf({ atMs, passed }: Times, { windowMs }: Budget, nowMs: number): number {
  let n = passed
  while (n < atMs.length && (atMs[n] ?? nowMs) + windowMs <= nowMs) n++
  return n
}

function dropBefore(spending: Spending, passed: number): void {
  const moves = passed * 2 > spending.atMs.length
  if (moves) spending.atMs.splice(0, passed)
  spending.passed = moves ? 0 : passed
}

/** The state with one more spending, if that is allowed. */
function answer({ atMs, passed }: Times, { max, windowMs }: Budget, nowMs: number): Spent {
  const before = atMs.length - passed
  const allowed = before < max
  const count = allowed ? before + 1 : before
  const remaining = Math.max(0, max - count)
  const leavesFirst = atMs[passed + count - max] ?? nowMs
  const newest = allowed ? nowMs : before > 0 ? (atMs.at(-1) ?? nowMs) : nowMs - windowMs
  return {
    allowed,
    remaining,
    retryAfterMs: remaining > 0 ? 0 : Math.ceil(leavesFirst + windowMs - nowMs),
    resetAfterMs: Math.ceil(newest + windowMs - nowMs),
  }
}
