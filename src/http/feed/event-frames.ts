/**
 * Builds frames of server-sent events. Each is built once for all its recipients; a scan's twice, with paths for administrators and
 * without.
 */
import { actsAsAdmin, type Caller } from '../../app/access/caller.ts'
import type { DetailedEvent } from '../../app/feed/live-event-details.ts'
import type { JsonObject } from '../../events/envelope.ts'
import { toSeq, type Position } from '../../events/position.ts'
import type { Clock } from '../../ports/clock.ts'
import { presentScan } from '../scans/scan-presenter.ts'
import { time } from '../server/values-presenter.ts'

export interface EventFrames {
  of(event: DetailedEvent, caller: Caller): string
  /** A frame that is not in the log: `hello`, `reset`, `server.stopping`. */
  bare(kind: string, position: Position, payload?: JsonObject): string
  /** A frame that is not in the log and does not count as received: it may precede events of lower positions. */
  unnumbered(kind: string, position: Position, payload: JsonObject): string
}

export const COMMENT = ':\n\n'

export function createEventFrames(clock: Clock): EventFrames {
  const texts = { admin: new WeakMap<DetailedEvent, string>(), user: new WeakMap<DetailedEvent, string>() }
  return {
    of(event, caller) {
      const known = texts[event.scan && actsAsAdmin(caller) ? 'admin' : 'user']
      const made = known.get(event)
      if (made !== undefined) return made
      const text = frame(event.kind, event.position, { at: event.at, ...payloadOf(event, caller) })
      known.set(event, text)
      return text
    },
    bare: (kind, position, payload = {}) => frame(kind, position, { at: time(clock.now()), ...payload }),
    unnumbered: (kind, position, payload) => unnumbered(kind, position, { at: time(clock.now()), ...payload }),
  }
}

/** The data of an event, without its position and its time. */
export const payloadOf = ({ payload, scan, at }: DetailedEvent, caller: Pick<Caller, 'role' | 'scopes'>): JsonObject =>
  scan ? { ...payload, scan: { ...presentScan(scan, caller, Date.parse(at)) } } : payload

function frame(kind: string, position: Position, data: object): string {
  return `id: ${toSeq(position)}\n${unnumbered(kind, position, data)}`
}

function unnumbered(kind: string, position: Position, data: object): string {
  return `event: ${kind}\ndata: ${JSON.stringify({ seq: toSeq(position), ...data })}\n\n`
}
