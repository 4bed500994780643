/**
 * Announcements of projectors: what they tell on the bus of the views that they keep, after each batch and every second, and at
 * once when somebody who has just started asks.
 */
import type { Json, JsonObject } from '../../events/envelope.ts'
import { isPosition, type Position } from '../../events/position.ts'
import type { Bus } from '../../ports/bus.ts'

export const PASSED_SUBJECT = 'projector.passed'
export const WHO_SUBJECT = 'projector.who'

export interface Announcement {
  /** How far each collection has come. */
  readonly passed: Readonly<Record<string, Position>>
  /** Last position of the log, as far as the projector knows. */
  readonly head: Position
  /** From when the last event happened, by its time stamp, until it was visible; null before the first one. */
  readonly lagMs: number | null
  /** Whether they have caught up with the log once. */
  readonly isLive: boolean
}

export function announce(bus: Bus, { passed, head, lagMs, isLive }: Announcement): void {
  bus.publish(PASSED_SUBJECT, { head: { passed, head, lagMs, isLive } })
}

/** Asks all projectors once, then hears them until it is closed. */
export function hearProjectors(bus: Bus, handler: (announcement: Announcement) => void): { close(): void } {
  const subscription = bus.subscribe(PASSED_SUBJECT, ({ head }) => {
    const announcement = readAnnouncement(head)
    if (announcement) handler(announcement)
  })
  let closed = false
  // Who cannot ask now hears them within a second of the bus being back.
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

/** Undefined where another version of the projector speaks another language. */
function readAnnouncement({ passed, head, lagMs, isLive }: JsonObject): Announcement | undefined {
  if (!isObject(passed) || !isPosition(head)) return undefined
  return {
    passed: positionsIn(passed),
    head,
    lagMs: typeof lagMs === 'number' ? lagMs : null,
    isLive: isLive === true,
  }
}

/** In a loop: each node reads this of every collection after each event. */
function positionsIn(passed: JsonObject): Announcement['passed'] {
  const positions: Record<string, Position> = {}
  for (const [name, position] of Object.entries(passed)) if (isPosition(position)) positions[name] = position
  return positions
}

const isObject = (value: Json | undefined): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)
