/**
 * Estimates how far the clocks of other nodes are from this node's clock, by the times in their announcements. A late message makes its
 * sender's clock look slow, so the fastest message of the last seconds counts.
 */
import type { Clock } from '../../ports/clock.ts'

export interface ClockSkews {
  /** `reportedMs`: the sender's time of day when it sent the announcement. */
  heard(node: string, reportedMs: number): void
  left(node: string): void
  /** How far the slowest clock of the other nodes is behind this node's, in milliseconds; 0 if that is no more than a second. */
  behindMs(): number
  /** One line for each node whose clock differs by more than a second. */
  warnings(): readonly string[]
}

interface Node {
  /** Lower bound of how far its clock is ahead, in this window of time and in the one before; undefined if it was not heard then. */
  aheadMs: number
  aheadBeforeMs: number | undefined
  stretchBeganMs: number
  heardAtMs: number
  count: number
}

/** Sessions, logins and tokens expire by the clock, with a precision of seconds. */
const WARN_MS = 1_000
const STRETCH_MS = 10_000
/** Messages that arrive in one burst, after a pause of this process, are all late. */
const HEARD_LEAST = 3
const FORGOTTEN_AFTER_MS = 10_000
/** More than any installation runs. */
const MOST_NODES = 64

export function createClockSkews(clock: Pick<Clock, 'now' | 'monotonic'>): ClockSkews {
  const nodes = new Map<string, Node>()

  function meet(name: string): Node {
    const nowMs = clock.monotonic()
    const node = nodes.get(name) ?? { aheadMs: -Infinity, aheadBeforeMs: undefined, stretchBeganMs: nowMs, heardAtMs: nowMs, count: 0 }
    if (nodes.size < MOST_NODES) nodes.set(name, node)
    if (nowMs - node.stretchBeganMs >= STRETCH_MS) {
      node.aheadBeforeMs = nowMs - node.heardAtMs < STRETCH_MS ? node.aheadMs : undefined
      node.aheadMs = -Infinity
      node.stretchBeganMs = nowMs
    }
    return node
  }

  function forgetSilent(): void {
    for (const [name, { heardAtMs }] of nodes) if (clock.monotonic() - heardAtMs > FORGOTTEN_AFTER_MS) nodes.delete(name)
  }

  return {
    heard(name, reportedMs) {
      const node = meet(name)
      node.aheadMs = Math.max(node.aheadMs, reportedMs - clock.now())
      node.heardAtMs = clock.monotonic()
      node.count++
    },
    left: (name) => void nodes.delete(name),
    behindMs() {
      forgetSilent()
      const slowest = [...nodes.values()].map(aheadOf).reduce((a, b) => Math.min(a, b), 0)
      return slowest < -WARN_MS ? -slowest : 0
    },
    warnings() {
      forgetSilent()
      return [...nodes].flatMap(([name, node]) => {
        const { count } = node
        const ms = aheadOf(node)
        return count < HEARD_LEAST || Math.abs(ms) <= WARN_MS ? [] : [warningOf(name, ms)]
      })
    },
  }
}

const aheadOf = ({ aheadMs, aheadBeforeMs = -Infinity }: Node): number => Math.max(aheadMs, aheadBeforeMs)

const warningOf = (name: string, aheadMs: number): string =>
  `The clock of ${name} is ${(Math.abs(aheadMs) / 1000).toFixed(1)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} this node's`
