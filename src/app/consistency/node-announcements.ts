/**
 * Announces to the other API nodes how far the views in this node's memory have come, and this node's time of day. Sends at once after a
 * pause, else at most every few milliseconds, and also once a second. Sends hardly anything while there are no other nodes.
 */
import { Type } from 'typebox'
import { isPosition, type Position } from '../../events/position.ts'
import { messageSchema } from '../message-schema.ts'
import type { Bus } from '../../ports/bus.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ClockSkews } from './clock-skews.ts'
import type { OtherNodes } from './other-nodes.ts'

const NODE_SUBJECT = 'node.passed'

/** `position` is null when the node leaves. `now`: milliseconds since the epoch. */
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
  /** This node's position has advanced. */
  passed(): void
  /** From now on other nodes wait for this node, until the returned function is called. */
  join(): () => void
  close(): void
}

export interface NodeAnnouncementsDependencies {
  readonly bus: Bus
  readonly clock: Clock
  /** Name of this node. It is unique, and a computer gets another one with each restart. */
  readonly node: string
  readonly others: OtherNodes
  readonly skews: ClockSkews
  /** Position of this node's own views. */
  readonly own: () => Position
  /** Position that all views known to this node have reached. */
  readonly reached: () => Position
  /** Called when an announcement of another node arrives. */
  readonly heard: () => void
}

export function createNodeAnnouncements(deps: NodeAnnouncementsDependencies): NodeAnnouncements {
  const { bus, clock, node, others, skews } = deps
  let announcedAtMs = -EVERY_MS
  let stopBeating: (() => void) | undefined
  let stopWaiting: (() => void) | undefined

  function announce(): void {
    stopWaiting?.()
    stopWaiting = undefined
    if (!stopBeating) return
    announcedAtMs = clock.monotonic()
    bus.publish(NODE_SUBJECT, { head: { node, position: deps.own(), now: clock.now() } })
  }

  const subscription = bus.subscribe(NODE_SUBJECT, ({ head }) => {
    if (!isAnnouncement(head) || head.node === node) return
    const { node: name, position, now } = head
    if (now === undefined) skews.left(name)
    else skews.heard(name, now)
    if (!isPosition(position)) others.left(name)
    else if (others.heard(name, position, deps.reached())) announce()
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
      const leftMs = announcedAtMs + LEAST_PAUSE_MS - clock.monotonic()
      if (leftMs <= 0) announce()
      else stopWaiting = clock.after(leftMs, announce)
    },
    join() {
      stopBeating ??= clock.every(EVERY_MS, announce)
      announce()
      return leave
    },
    close() {
      leave()
      subscription.close()
    },
  }
}
