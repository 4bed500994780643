/**
 * Tracks how far the in-memory views of the other API nodes have come, by their announcements on the bus. A command waits for them, so that
 * the user's next read shows its effect on every node. A node that falls silent or stops advancing is not waited for.
 */
import { BEYOND, later, START, type Position } from '../../events/position.ts'
import type { Clock } from '../../ports/clock.ts'

/** Less than the timeout of a command, so that no command fails because a node died. */
const FORGOTTEN_AFTER_MS = 1500
/** More than any installation runs; commands do not wait for further ones. */
const MOST_NODES = 64

interface Node {
  position: Position
  heardAtMs: number
  /** The position that commands wait for and the node has not reached, and since when. */
  awaited: Position
  awaitedSinceMs: number
  /** The node took too long. It counts again once it reaches the position that this node had at the previous announcement. */
  isSlow: boolean
}

export interface OtherNodes {
  /** `reached`: the position of this node. True if the node is new. */
  heard(name: string, position: Position, reached: Position): boolean
  left(name: string): void
  /** A command waits until the nodes have reached the position. */
  expect(position: Position): void
  /** The least position among the nodes that count. */
  least(): Position
  /** The furthest position that any node has announced, including nodes that are gone. */
  furthest(): Position
  /** Whether there are other nodes. */
  any(): boolean
}

export function createOtherNodes(clock: Pick<Clock, 'monotonic'>): OtherNodes {
  const nodes = new Map<string, Node>()
  let furthest = START

  function heard(name: string, position: Position, reached: Position): boolean {
    furthest = later(furthest, position)
    const heardAtMs = clock.monotonic()
    const node = nodes.get(name)
    if (!node) {
      if (nodes.size < MOST_NODES) nodes.set(name, { position, heardAtMs, awaited: START, awaitedSinceMs: heardAtMs, isSlow: false })
      return true
    }
    node.position = later(node.position, position)
    node.heardAtMs = heardAtMs
    if (node.isSlow && node.position >= node.awaited) node.isSlow = false
    else if (node.isSlow) node.awaited = reached
    return false
  }

  function forgetOrSkip(name: string, node: Node, nowMs: number): boolean {
    if (nowMs - node.heardAtMs > FORGOTTEN_AFTER_MS) return nodes.delete(name)
    if (node.position < node.awaited && nowMs - node.awaitedSinceMs > FORGOTTEN_AFTER_MS) node.isSlow = true
    return node.isSlow
  }

  return {
    heard,
    left: (name) => void nodes.delete(name),
    expect(position) {
      for (const node of nodes.values()) {
        if (node.position >= position || node.position < node.awaited) continue
        node.awaited = position
        node.awaitedSinceMs = clock.monotonic()
      }
    },
    least() {
      if (nodes.size === 0) return BEYOND
      const nowMs = clock.monotonic()
      let least = BEYOND
      for (const [name, node] of nodes) {
        if (!forgetOrSkip(name, node, nowMs) && node.position < least) least = node.position
      }
      return least
    },
    furthest: () => furthest,
    any: () => nodes.size > 0,
  }
}
