/** Events without a meaning, for tests of what stores them. */
import { randomUUID } from 'node:crypto'
import type { EncodedEvent, JsonObject } from '../../src/events/envelope.ts'

export function someEvent(data: JsonObject = {}, id: string = randomUUID()): EncodedEvent {
  const metadata = { v: '1', at: '2026-01-02T12:00:00.000Z', actor: 'system', prev: '', hash: id.replaceAll('-', '') }
  return { id, type: 'SomethingHappened', data, metadata }
}

export const someEvents = (count: number): EncodedEvent[] => Array.from({ length: count }, (_, number) => someEvent({ number }))
