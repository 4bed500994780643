/**
 * Appends: by plain Append, one call each, bounded in number, in bytes and in time. What is no known refusal has an unknown
 * outcome: a deadline that passed says nothing about what was stored (eventstoredb.md, 0.1, 0.5 and 2).
 */
import { ErrorType, NO_STREAM, WrongExpectedVersionError, isCommandError, type JSONEventData } from '@eventstore/db-client'
import type { EncodedEvent } from '../../events/envelope.ts'
import { toPosition } from '../../events/position.ts'
import { within } from '../../flow/deadline.ts'
import { createSlots, NoSlot } from '../../flow/in-parallel.ts'
import { EngineAway } from '../../ports/engine.ts'
import { AppendRefused, Conflict, OutcomeUnknown, type Appended, type Expected } from '../../ports/event-log.ts'
import { textsWithinLimits, type EventText } from '../append-limits.ts'
import type { Connection } from './connection.ts'
import { NAME } from './reading.ts'

export interface Appends {
  append(stream: string, expected: Expected, events: readonly EncodedEvent[]): Promise<Appended>
  /** Settles when none is on its way any more. */
  settled(): Promise<void>
}

const MAX_WAITING = 1_000
/** Characters of data and metadata. */
const MAX_WAITING_LENGTH = 64 * 1024 * 1024
/** Appends on their way to the server at once: below the 100 calls that its web server takes over one connection by default. */
const AT_ONCE = 64

export function createAppends(connection: Connection, timeoutMs: number): Appends {
  const inTurn = createSlots(AT_ONCE, { patience: { clock: connection.clock, ms: timeoutMs } })
  const waiting = new Set<Promise<unknown>>()
  let waitingLength = 0

  async function sent(order: Order): Promise<Appended> {
    try {
      return await inTurn(() => send(connection, order))
    } catch (error) {
      // The same append may be on its way from an earlier try.
      if (error instanceof NoSlot) throw new OutcomeUnknown('EventStoreDB is too slow for the appends that wait', { cause: error })
      throw error
    }
  }

  async function append(stream: string, expected: Expected, events: readonly EncodedEvent[]): Promise<Appended> {
    if (connection.closing.aborted) throw new AppendRefused('The event log is closed')
    const texts = textsWithinLimits(stream, expected, events)
    const length = texts.reduce((sum, { data, metadata }) => sum + data.length + metadata.length, 0)
    if (waiting.size >= MAX_WAITING || waitingLength + length > MAX_WAITING_LENGTH) {
      // No refusal: nothing is wrong with this append, and it is taken as soon as the server answers the others.
      throw new EngineAway(NAME, { cause: new Error('Too many appends wait') })
    }
    const appending = sent({ stream, expected, list: serverEvents(events, texts), timeoutMs })
    waiting.add(appending)
    waitingLength += length
    try {
      return await appending
    } finally {
      waiting.delete(appending)
      waitingLength -= length
    }
  }

  return {
    append,
    async settled() {
      await Promise.allSettled(waiting)
    },
  }
}

interface Order {
  readonly stream: string
  readonly expected: Expected
  readonly list: JSONEventData[]
  readonly timeoutMs: number
}

async function send(connection: Connection, { stream, expected, list, timeoutMs }: Order): Promise<Appended> {
  const { client, clock, credentials, outage } = connection
  const expectedRevision = expected === 'absent' ? NO_STREAM : BigInt(expected)
  try {
    // The deadline of the driver does not cover finding the server.
    const call = client.appendToStream(stream, list, { expectedRevision, credentials, deadline: timeoutMs })
    const { nextExpectedRevision, position } = await within(call, { clock, ms: timeoutMs, message: `No answer for ${timeoutMs} ms` })
    outage.ended()
    return { revision: Number(nextExpectedRevision), ...(position && { position: toPosition(position.commit) }) }
  } catch (error) {
    const refusal = refusalOf(error, stream, expected)
    if (refusal) outage.ended()
    else outage.began()
    throw refusal ?? new OutcomeUnknown('EventStoreDB did not say whether it stored the events', { cause: error })
  }
}

/** Undefined where the events may have been stored. */
function refusalOf(error: unknown, stream: string, expected: Expected): Error | undefined {
  if (error instanceof WrongExpectedVersionError) {
    const actual = error.actualVersion
    return new Conflict(stream, expected, typeof actual === 'bigint' && actual >= 0n ? Number(actual) : 'absent')
  }
  if (!(error instanceof Error) || !isCommandError(error)) return undefined
  const { type, message } = error
  if (type === ErrorType.STREAM_DELETED) return new AppendRefused(`Stream ${stream} was deleted for good`, { cause: error })
  if (type === ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED) return new AppendRefused('More data than the server takes', { cause: error })
  if (type === ErrorType.UNKNOWN && message.includes('Could not recognize BadRequest')) return new AppendRefused(message, { cause: error })
  return undefined
}

/** Metadata as bytes: the driver would take texts apart and put them together twice more. */
function serverEvents(events: readonly EncodedEvent[], texts: readonly EventText[]): JSONEventData[] {
  const encoder = new TextEncoder()
  return events.map(({ id, type, data }, index) => ({
    id,
    type,
    contentType: 'application/json',
    data: data as Record<string, unknown>,
    metadata: encoder.encode(texts[index]?.metadata),
  }))
}
