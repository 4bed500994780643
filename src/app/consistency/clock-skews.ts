/**
 * Clock skews: how far the clocks of other nodes are from this one's, by the time that their announcements carry. A message that
 * comes late makes its sender's clock look slow, so of the last seconds the quickest one counts.
 */
import type { Clock } from '../../ports/clock.ts'

export interface ClockSkews {
  /** `saidMs`: the time of day there when it was said. */
  heard(node: string, saidMs: number): void
  left(node: string): void
  /** How far the slowest clock of the others is behind this one's, in milliseconds; 0 if that is no more than a second. */
  behindMs(): number
  /** A line for each node whose clock differs by more than a second. */
  warnings(): readonly string[]
}

interface Node {
  /** How far ahead its clock was at least, in this stretch of time and in the one before; undefined: not heard then. */
  aheadMs: number
  aheadBeforeMs: number | undefined
  stretchBeganMs: number
  heardAtMs: number
  count: number
}

/** Sessions, logins and tokens are judged by the clock, in seconds. */
const WARN_MS = 1_000
const STRETCH_MS = 10_000
/** Of what is heard in one go, after a pause of this process, all is late. */
const HEARD_LEAST = 3
const FORGOTTEN_AFTER_MS = 10_000
/** More than anybody runs. */
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
    heard(name, saidMs) {
      const node = meet(name)
      node.aheadMs = Math.max(node.aheadMs, saidMs - clock.now())
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
