/**
 * Sends and receives the announcements of projectors about their views: after each batch, every second, and at once when a node that has
 * just started asks for them.
 */
import type { Json, JsonObject } from '../../events/envelope.ts'
import { isPosition, type Position } from '../../events/position.ts'
import type { Bus } from '../../ports/bus.ts'

export const PASSED_SUBJECT = 'projector.passed'
export const WHO_SUBJECT = 'projector.who'

export interface Announcement {
  /** Position of each collection. */
  readonly passed: Readonly<Record<string, Position>>
  /** Head of the log, as far as the projector knows. */
  readonly head: Position
  /** Time from the last event, by its time stamp, until it was visible; null before the first event. */
  readonly lagMs: number | null
  /** Whether the collections have caught up with the log once. */
  readonly isLive: boolean
}

export function announce(bus: Bus, { passed, head, lagMs, isLive }: Announcement): void {
  bus.publish(PASSED_SUBJECT, { head: { passed, head, lagMs, isLive } })
}

/** Asks all projectors once, then receives their announcements until it is closed. */
export function hearProjectors(bus: Bus, handler: (announcement: Announcement) => void): { close(): void } {
  const subscription = bus.subscribe(PASSED_SUBJECT, ({ head }) => {
    const announcement = readAnnouncement(head)
    if (announcement) handler(announcement)
  })
  let closed = false
  // If the bus is down now, their announcements arrive within a second of its return.
  subscription.ready.then(
    () => closed || bus.publish(WHO_SUBJECT, { head: {} }),
    () => {},
  )
  return {
    close() {
      closed = true
      subscription.close()
    },
  }
}

/** Undefined for an unknown format, from a projector of another version. */
function readAnnouncement({ passed, head, lagMs, isLive }: JsonObject): Announcement | undefined {
  if (!isObject(passed) || !isPosition(head)) return undefined
  return {
    passed: positionsIn(passed),
    head,
    lagMs: typeof lagMs === 'number' ? lagMs : null,
    isLive: isLive === true,
  }
}

/** A loop, for speed: each node reads this for every collection after each event. */
function positionsIn(passed: JsonObject): Announcement['passed'] {
  const positions: Record<string, Position> = {}
  for (const [name, position] of Object.entries(passed)) if (isPosition(position)) positions[name] = position
  return positions
}

const isObject = (value: Json | undefined): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)
