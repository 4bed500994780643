/** A log that tests fill with events, whatever streams they would stand in. */
import { randomUUID } from 'node:crypto'
import { encode } from '../../src/events/codec.ts'
import type { EncodedEvent } from '../../src/events/envelope.ts'
import { later, START, type Position } from '../../src/events/position.ts'
import type { EventLog } from '../../src/ports/event-log.ts'
import { iso, NOON, type Happened } from '../given.ts'

const STREAM = 'story-of_a_test'

/** Appends events one second apart; gives the position of the last one. */
export function createStory(log: EventLog): (events: readonly Happened[]) => Promise<Position> {
  let revision = -1
  let prev = ''
  let position = START
  return async (events) => {
    const expected = revision < 0 ? 'absent' : revision
    const encoded = events.map(({ atMs, ...event }): EncodedEvent => {
      const at = iso(atMs ?? NOON + ++revision * 1000)
      const next = encode(randomUUID(), event, { at, actor: 'system' }, { stream: STREAM, revision, prev })
      prev = next.metadata.hash
      return next
    })
    const appended = await log.append(STREAM, expected, encoded)
    position = later(position, appended.position ?? position)
    return position
  }
}
