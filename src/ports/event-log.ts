/**
 * EventLog: the truth. Streams of events with optimistic concurrency, and all of them in commit order.
 *
 * One append is one stream. Position order = commit order = delivery order of `follow`.
 */
import type { EncodedEvent, StoredEvent } from '../events/envelope.ts'
import type { Position } from '../events/position.ts'

/** Revision that the stream must have: that of its last event, or that it does not exist. There is no "any". */
export type Expected = number | 'absent'

/** What one append may hold, on every engine: events, and bytes of their data as JSON (metadata is not counted). */
export const MAX_APPEND_EVENTS = 1_000
export const MAX_APPEND_BYTES = 1_048_576

export interface Appended {
  /** Revision of the last event appended. */
  readonly revision: number
  /** Its position; may be missing when an append is repeated. */
  readonly position?: Position
}

export interface EventLog {
  /**
   * Appends 1 to 1,000 events to one stream in one atomic, durable step. The same ids with the same `expected` again answer as
   * the first time.
   * @throws Conflict the stream has another revision; nothing was stored
   * @throws AppendRefused another known refusal (empty list, too large, a stream or type that begins with `$`, an id twice or, where
   *   the engine can tell, an id that stands elsewhere in the log); nothing was stored
   * @throws ServerUnavailable the engine did not take this call (it cannot be reached, takes neither name nor password, too much waits for it
   *   already): this call stored nothing
   * @throws OutcomeUnknown it may have been stored: repeat the same append, same ids, same `expected`
   */
  append(stream: string, expected: Expected, events: readonly EncodedEvent[]): Promise<Appended>

  /** Events of a stream from a revision on (inclusive), in order; nothing for a stream that does not exist. @throws ServerUnavailable */
  read(stream: string, from?: number): AsyncIterable<StoredEvent>

  /** Position of the last event that `follow` can deliver; START for an empty log. @throws ServerUnavailable */
  head(): Promise<Position>

  /**
   * Every event after `after` (exclusive), in commit order, each once, in batches of 1 to 500; goes on with new ones as they
   * come and ends only by the signal. Never waits to fill a batch. @throws UnreadableEvent
   */
  follow(after: Position, signal: AbortSignal): AsyncIterable<readonly StoredEvent[]>

  /**
   * What is wrong with the log as a whole, a sentence each, where the engine can tell more than its events do; it may take minutes.
   */
  inspect?(signal: AbortSignal): Promise<readonly string[]>

  close(): Promise<void>
}

/** Where an event stands that cannot be read; what is not known is left out. */
export interface EventPlace {
  readonly position: Position
  readonly stream?: string
  readonly revision?: number
  readonly type?: string
}

/** Thrown by `read` and `follow`; a follower may go on after its position. */
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
