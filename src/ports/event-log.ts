/**
 * EventLog: the source of truth. Streams of events with optimistic concurrency, and all of them in commit order.
 *
 * One append is one stream. Position order = commit order = delivery order of `follow`.
 */
import type { EncodedEvent, StoredEvent } from '../events/envelope.ts'
import type { Position } from '../events/position.ts'

/** Revision that the stream must have: that of its last event, or `absent` if it must not exist. There is no "any". */
export type Expected = number | 'absent'

/** Limits of one append on every engine: events, and bytes of their data as JSON (metadata is not counted). */
export const MAX_APPEND_EVENTS = 1_000
export const MAX_APPEND_BYTES = 1_048_576

export interface Appended {
  /** Revision of the last event appended. */
  readonly revision: number
  /** Its position; may be missing if an append is repeated. */
  readonly position?: Position
}

export interface EventLog {
  /**
   * Appends 1 to 1,000 events to one stream in one atomic, durable step. Repeating it with the same ids and the same `expected` returns the
   * first answer.
   * @throws Conflict the stream has another revision; nothing was stored
   * @throws AppendRefused another known refusal: an empty list, too large, a stream or type that begins with `$`, a duplicate id or, if the
   * engine can detect it, an id that exists elsewhere in the log; nothing was stored
   * @throws ServerUnavailable the engine did not accept this call (it is unreachable, rejects the credentials, or its queue is full): this
   * call stored nothing
   * @throws OutcomeUnknown it may have been stored: repeat the same append, same ids, same `expected`
   */
  append(stream: string, expected: Expected, events: readonly EncodedEvent[]): Promise<Appended>

  /** Events of a stream from a revision on (inclusive), in order; nothing if the stream does not exist. @throws ServerUnavailable */
  read(stream: string, from?: number): AsyncIterable<StoredEvent>

  /** Position of the last event that `follow` can deliver; START for an empty log. @throws ServerUnavailable */
  head(): Promise<Position>

  /**
   * Every event after `after` (exclusive), in commit order, each once, in batches of 1 to 500. It continues with new events as they arrive
   * and ends only by the signal. Never waits to fill a batch. @throws UnreadableEvent
   */
  follow(after: Position, signal: AbortSignal): AsyncIterable<readonly StoredEvent[]>

  /** Problems of the log as a whole, one sentence each, if the engine can check more than single events; it may take minutes. */
  inspect?(signal: AbortSignal): Promise<readonly string[]>

  close(): Promise<void>
}

/** Location of an unreadable event; unknown members are left out. */
export interface EventPlace {
  readonly position: Position
  readonly stream?: string
  readonly revision?: number
  readonly type?: string
}

/** Thrown by `read` and `follow`; a follower may continue after its position. */
export class UnreadableEvent extends Error {
  readonly code = 'unreadable-event'
  readonly place: EventPlace
  constructor(place: EventPlace, reason: string, options?: ErrorOptions) {
    const { position, stream, revision, type } = place
    const where = stream === undefined ? '' : ` (stream ${stream}, revision ${revision}, ${type})`
    super(`The event at position ${BigInt(position)}${where} cannot be read: ${reason}`, options)
    this.name = 'UnreadableEvent'
    this.place = place
  }
}

export class Conflict extends Error {
  readonly code = 'conflict'
  readonly actual: Expected
  constructor(stream: string, expected: Expected, actual: Expected) {
    super(`Stream ${stream} is at ${actual}, not at ${expected}`)
    this.name = 'Conflict'
    this.actual = actual
  }
}

export class AppendRefused extends Error {
  readonly code = 'append-refused'
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'AppendRefused'
  }
}

export class OutcomeUnknown extends Error {
  readonly code = 'outcome-unknown'
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'OutcomeUnknown'
  }
}
