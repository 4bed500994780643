/**
 * Sliding window of accepted spendings, as values. Large budgets are kept in at most a hundred and one steps. A step counts as spent at its
 * last moment: no window ever holds too much, and a spending expires at most 1 % of the window late.
 */
import type { Budget, Spent } from '../../ports/counters.ts'

/** Times with the number spent at each; oldest first. */
export type Times = readonly (readonly [atMs: number, count: number])[]

const STEPS = 100
/** A time further ahead was written by a wrong clock; less may be the difference between two nodes' measurements of the server's time. */
const AHEAD_MAX_MS = 5_000

/** The time, or that of the last spending if later: for one key time never goes back, whichever node writes. */
export function timeOf(times: Times, clockMs: number): number {
  const lastMs = times.at(-1)?.[0] ?? clockMs
  return lastMs - clockMs > AHEAD_MAX_MS ? clockMs : Math.max(lastMs, clockMs)
}

/** Spendings in the window that ends now; one ahead of now counts as now. */
export function within(times: Times, { windowMs }: Budget, nowMs: number): Times {
  return times.filter(([atMs]) => atMs + windowMs > nowMs).map(([atMs, count]) => [Math.min(atMs, nowMs), count] as const)
}

/** With one more spending. */
export function withOne(times: Times, { max, windowMs }: Budget, nowMs: number): Times {
  const stepMs = max > STEPS ? Math.max(1, Math.ceil(windowMs / STEPS)) : 1
  const last = times.at(-1)
  if (last && Math.floor(last[0] / stepMs) === Math.floor(nowMs / stepMs)) return [...times.slice(0, -1), [nowMs, last[1] + 1]]
  return [...times, [nowMs, 1]]
}

/** With one spending less. */
export function withoutNewest(times: Times): Times {
  const [atMs = 0, count = 0] = times.at(-1) ?? []
  return count > 1 ? [...times.slice(0, -1), [atMs, count - 1]] : times.slice(0, -1)
}

/** The state with one more spending, if that is allowed. `times`: those within the window. */
export function answer(times: Times, { max, windowMs }: Budget, nowMs: number): Spent {
  const before = times.reduce((sum, [, count]) => sum + count, 0)
  const allowed = before < max
  const count = allowed ? before + 1 : before
  const newestMs = allowed ? nowMs : (times.at(-1)?.[0] ?? nowMs - windowMs)
  return {
    allowed,
    remaining: Math.max(0, max - count),
    retryAfterMs: count < max ? 0 : Math.ceil(leavesMs(times, count - max, nowMs) + windowMs - nowMs),
    resetAfterMs: Math.ceil(newestMs + windowMs - nowMs),
  }
}

/** Time of the spending that must expire before there is room: the one with so many before it. */
function leavesMs(times: Times, earlier: number, nowMs: number): number {
  let passed = 0
  for (const [atMs, count] of times) {
    passed += count
    if (passed > earlier) return atMs
  }
  return nowMs
}

const BASE = 36

/** As a text a tenth as long as a document: each time as the difference to the previous one, and its count. */
export function writeTimes(times: Times): string {
  return times.map(([atMs, count], index) => `${(atMs - (times[index - 1]?.[0] ?? 0)).toString(BASE)}:${count.toString(BASE)}`).join(' ')
}

export function readTimes(text: string): Times {
  let atMs = 0
  return text.split(' ').flatMap((step) => {
    const [passed = '', count = ''] = step.split(':')
    if (count === '') return []
    atMs += Number.parseInt(passed, BASE)
    return [[atMs, Number.parseInt(count, BASE)] as const]
  })
}
