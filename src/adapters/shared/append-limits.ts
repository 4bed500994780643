/** Limits that every event log checks before it looks at the stream, so that no engine accepts an append that another would not. */
import type { EncodedEvent } from '../../events/envelope.ts'
import { AppendRefused, MAX_APPEND_BYTES, MAX_APPEND_EVENTS, type Expected } from '../../ports/event-log.ts'

/** An event in stored form: data and metadata as JSON text. */
export interface EventText {
  readonly id: string
  readonly type: string
  readonly data: string
  readonly metadata: string
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** @throws AppendRefused */
export function textsWithinLimits(stream: string, expected: Expected, events: readonly EncodedEvent[]): readonly EventText[] {
  if (stream === '') throw new AppendRefused('A stream needs a name')
  if (stream.startsWith('$')) throw new AppendRefused(`${stream} is no name for a stream: those that begin with $ are an engine's own`)
  if (expected !== 'absent' && !(Number.isSafeInteger(expected) && expected >= 0)) throw new AppendRefused(`${expected} is no revision`)
  if (events.length === 0) throw new AppendRefused('An append needs an event')
  if (events.length > MAX_APPEND_EVENTS) throw new AppendRefused(`${events.length} events in one append, ${MAX_APPEND_EVENTS} are allowed`)
  if (new Set(events.map((event) => event.id)).size < events.length) throw new AppendRefused('An id twice in one append')
  const stranger = events.find((event) => !UUID.test(event.id))
  if (stranger) throw new AppendRefused(`${stranger.id} is no UUID in lower case`)
  const own = events.find((event) => event.type.startsWith('$'))
  if (own) throw new AppendRefused(`${own.type} is no type of an event: those that begin with $ are an engine's own`)
  const texts = events.map(({ id, type, data, metadata }) => ({ id, type, data: JSON.stringify(data), metadata: JSON.stringify(metadata) }))
  const sizeBytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text.data), 0)
  if (sizeBytes > MAX_APPEND_BYTES) throw new AppendRefused(`${sizeBytes} bytes of data in one append, ${MAX_APPEND_BYTES} are allowed`)
  return texts
}
