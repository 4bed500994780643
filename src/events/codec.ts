/**
 * Codec: domain events to envelopes and back, with the audit metadata and the hash chain of the stream.
 *
 * `hash = SHA-256(prev | canonical JSON of stream, revision, id, type, v, data, metadata without hash)`, hex; `prev` of the
 * first event is empty. The expected revision of an append makes a fork impossible.
 */
import { hash as digest } from 'node:crypto'
import { canonicalJson } from './canonical-json.ts'
import { isEventType, VERSIONS, type DomainEvent } from './catalogue.ts'
import type { EncodedEvent, JsonObject, Metadata, StoredEvent } from './envelope.ts'
import type { RecordedEvent } from './recorded.ts'
import { isUpcastable, upcast } from './upcasters.ts'

/** Metadata that the caller gives; the codec adds `v`, `prev` and `hash`. */
export type Origin = Readonly<Record<string, string>> & { readonly at: string; readonly actor: string }

/** Position in its stream at which an event goes. */
export interface Place {
  readonly stream: string
  readonly revision: number
  /** Hash of the previous event, empty for the first. */
  readonly prev: string
}

export function encode(id: string, event: DomainEvent, origin: Origin, place: Place): EncodedEvent {
  const data = plain(event.data)
  const bare = { ...origin, v: String(VERSIONS[event.type]), prev: place.prev }
  const metadata: Metadata = { ...bare, hash: chainHash({ id, type: event.type, data, metadata: bare }, place) }
  return { id, type: event.type, data, metadata }
}

/** The event lifted to today's version; undefined if this version of Marquee does not know the type. */
export function decode(stored: StoredEvent): RecordedEvent | undefined {
  if (!isEventType(stored.type)) return undefined
  const { id, stream, revision, position, metadata } = stored
  const data = upcast(stored.type, Number(metadata.v), stored.data)
  return { id, stream, revision, position, metadata, at: metadata.at, type: stored.type, data } as unknown as RecordedEvent
}

/** Why this version of Marquee cannot decode the event; undefined: it can. */
export function whyUndecodable({ type, metadata }: Pick<StoredEvent, 'type' | 'metadata'>): string | undefined {
  if (!isEventType(type)) return 'its type is not known to this version of Marquee'
  return isUpcastable(type, Number(metadata.v)) ? undefined : `its version ${metadata.v} is not known to this version of Marquee`
}

/** For followers, which skip an event that cannot be decoded: ReadableLog reports it. Commands on its stream use `decode`. */
export const decodeKnown = (stored: StoredEvent): RecordedEvent | undefined => (whyUndecodable(stored) ? undefined : decode(stored))

/** Whether the event's hash matches its content and its predecessor. */
export function verifies(stored: StoredEvent, prev: string): boolean {
  const { hash, ...bare } = stored.metadata
  return (
    stored.metadata.prev === prev &&
    hash === chainHash({ ...stored, metadata: bare }, { stream: stored.stream, revision: stored.revision, prev })
  )
}

function chainHash(
  event: { id: string; type: string; data: JsonObject; metadata: Readonly<Record<string, string>> },
  place: Place,
): string {
  const { id, type, data, metadata } = event
  const text = canonicalJson({ stream: place.stream, revision: place.revision, id, type, v: metadata['v'] ?? '', data, metadata })
  return digest('sha256', `${place.prev}|${text}`, 'hex')
}

/** Members that are undefined are left out, as JSON does. */
const plain = (data: object): JsonObject => JSON.parse(JSON.stringify(data)) as JsonObject
