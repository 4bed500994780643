/** A stored event: its wire encoding for readers, and the fields by which it is found. */
import shared from '@eventstore/db-client/generated/shared_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'

export interface Recorded {
  /** Byte offset of its record in the log; commit and prepare position are equal. */
  readonly position: number
  /** End offset of its record. */
  readonly endPosition: number
  readonly stream: string
  /** `DELETED_REVISION` for the tombstone. */
  readonly revision: number
  readonly id: string
  readonly type: string
  readonly createdMs: number
  /** A `ReadResp` with the event, ready to send. */
  readonly wire: Buffer
}

export interface NewEvent {
  readonly id: string
  readonly type: string
  readonly contentType: string
  readonly data: Uint8Array
  readonly metadata: Uint8Array
}

/** Represents the revision of a tombstone, 2^63-1, which a number cannot hold. */
export const DELETED_REVISION = Number.MAX_SAFE_INTEGER
const DELETED_REVISION_TEXT = '9223372036854775807'
/** `created` is in 100 ns ticks on the wire. */
const TICKS_PER_MS = 10_000n
/** A record consists of its length in four bytes, then its `ReadResp`. */
export const RECORD_HEADER_BYTES = 4

export interface Place {
  readonly position: number
  readonly stream: string
  readonly revision: number
  readonly createdMs: number
}

export function recordEvent(event: NewEvent, place: Place): Recorded {
  const wire = encode(event, place)
  const { id, type } = event
  return { ...place, id, type, wire, endPosition: place.position + RECORD_HEADER_BYTES + wire.length }
}

/** @throws the bytes are not a `ReadResp` with an event */
export function readRecord(wire: Buffer): Recorded {
  const event = streams.ReadResp.deserializeBinary(wire).getEvent()?.getEvent()
  if (!event) throw new Error('A record without an event')
  const position = Number(event.getCommitPosition())
  const revision = event.getStreamRevision()
  return {
    position,
    endPosition: position + RECORD_HEADER_BYTES + wire.length,
    stream: textOf(event.getStreamIdentifier()?.getStreamName_asU8()),
    revision: revision === DELETED_REVISION_TEXT ? DELETED_REVISION : Number(revision),
    id: event.getId()?.getString() ?? '',
    type: event.getMetadataMap().get('type') ?? '',
    createdMs: Number(BigInt(event.getMetadataMap().get('created') ?? '0') / TICKS_PER_MS),
    wire,
  }
}

/** The event's data, for the few events that the server itself reads. */
export const dataOf = ({ wire }: Recorded): string =>
  textOf(streams.ReadResp.deserializeBinary(wire).getEvent()?.getEvent()?.getData_asU8())

export const revisionText = (revision: number): string => (revision === DELETED_REVISION ? DELETED_REVISION_TEXT : String(revision))

export const textOf = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('utf8')

function encode({ id, type, contentType, data, metadata }: NewEvent, { position, stream, revision, createdMs }: Place): Buffer {
  const event = new streams.ReadResp.ReadEvent.RecordedEvent()
  event.setId(new shared.UUID().setString(id))
  event.setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(stream)))
  event.setStreamRevision(revisionText(revision))
  event.setCommitPosition(String(position)).setPreparePosition(String(position))
  event.getMetadataMap().set('type', type).set('content-type', contentType)
  event.getMetadataMap().set('created', String(BigInt(createdMs) * TICKS_PER_MS))
  event.setData(data).setCustomMetadata(metadata)
  const readEvent = new streams.ReadResp.ReadEvent().setEvent(event).setCommitPosition(String(position))
  const bytes = new streams.ReadResp().setEvent(readEvent).serializeBinary()
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
