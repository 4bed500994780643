/**
 * Other API nodes: how far the views that they hold in memory have come, as they tell on the bus. A command waits for them, so that
 * the user's next read shows it whichever node answers. Who says nothing any more, or stays where it was, is not waited for.
 */
import { BEYOND, later, START, type Position } from '../../events/position.ts'
import type { Clock } from '../../ports/clock.ts'

/** Less than a command waits at most, so that none fails because a node died. */
const FORGOTTEN_AFTER_MS = 1500
/** More than anybody runs; further ones are not waited for. */
const MOST_NODES = 64

interface Node {
  position: Position
  heardAtMs: number
  /** What somebody waits for, while it has not come so far, and since when. */
  awaited: Position
  awaitedSinceMs: number
  /** Took too long; counts again when it has come as far as this node was when it was heard before. */
  isSlow: boolean
}

export interface OtherNodes {
  /** `reached`: how far this node is. True where it was not known before. */
  heard(name: string, position: Position, reached: Position): boolean
  left(name: string): void
  /** Somebody waits until they have come so far. */
  expect(position: Position): void
  /** How far all of them have come that count. */
  least(): Position
  /** The furthest that any of them was heard to be, also one that is gone. */
  furthest(): Position
  /** Whether there are any. */
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
