/**
 * Announcements of API nodes to each other: how far the views that each holds in memory have come, and what time it is there. At
 * once when there was nothing for a while, else at most every few milliseconds, and every second besides; hardly anything while
 * nobody else is there.
 */
import { Type } from 'typebox'
import { isPosition, type Position } from '../../events/position.ts'
import { messageSchema } from '../message-schema.ts'
import type { Bus } from '../../ports/bus.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ClockSkews } from './clock-skews.ts'
import type { OtherNodes } from './other-nodes.ts'

const NODE_SUBJECT = 'node.passed'

/** `position` null: the node leaves. `now`: milliseconds since the epoch. */
const isAnnouncement = messageSchema(
  Type.Object({
    node: Type.String({ maxLength: 200 }),
    position: Type.Union([Type.String({ pattern: '^\\d{20}$' }), Type.Null()]),
    now: Type.Optional(Type.Number({ minimum: 0, maximum: 8.64e15 })),
  }),
)
const LEAST_PAUSE_MS = 5
const EVERY_MS = 1000

export interface NodeAnnouncements {
  /** This node has come further. */
  passed(): void
  /** From now on this node counts for the others, until what is returned is called. */
  join(): () => void
  close(): void
}

export interface NodeAnnouncementsDependencies {
  readonly bus: Bus
  readonly clock: Clock
  /** Name of this node: no other one has it, and the same computer has another one after a restart. */
  readonly node: string
  readonly others: OtherNodes
  readonly skews: ClockSkews
  /** How far this node's own views have come. */
  readonly own: () => Position
  /** How far all views have come that this node knows of. */
  readonly reached: () => Position
  /** Others were heard. */
  readonly heard: () => void
}

export function createNodeAnnouncements(deps: NodeAnnouncementsDependencies): NodeAnnouncements {
  const { bus, clock, node, others, skews } = deps
  let toldAtMs = -EVERY_MS
  let stopBeating: (() => void) | undefined
  let stopWaiting: (() => void) | undefined

  function tell(): void {
    stopWaiting?.()
    stopWaiting = undefined
    if (!stopBeating) return
    toldAtMs = clock.monotonic()
    bus.publish(NODE_SUBJECT, { head: { node, position: deps.own(), now: clock.now() } })
  }

  const subscription = bus.subscribe(NODE_SUBJECT, ({ head }) => {
    if (!isAnnouncement(head) || head.node === node) return
    const { node: name, position, now } = head
    if (now === undefined) skews.left(name)
    else skews.heard(name, now)
    if (!isPosition(position)) others.left(name)
    else if (others.heard(name, position, deps.reached())) tell()
    deps.heard()
  })

  function leave(): void {
    if (!stopBeating) return
    stopBeating()
    stopBeating = undefined
    stopWaiting?.()
    stopWaiting = undefined
    bus.publish(NODE_SUBJECT, { head: { node, position: null } })
  }

  return {
    passed() {
      if (!stopBeating || stopWaiting || !others.any()) return
      const leftMs = toldAtMs + LEAST_PAUSE_MS - clock.monotonic()
      if (leftMs <= 0) tell()
      else stopWaiting = clock.after(leftMs, tell)
    },
    join() {
      stopBeating ??= clock.every(EVERY_MS, tell)
      tell()
      return leave
    },
    close() {
      leave()
      subscription.close()
    },
  }
}
