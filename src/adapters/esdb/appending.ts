/**
 * Sends appends to EventStoreDB by plain Append, one call each, bounded in number, in bytes and in time. Any failure that is not a known
 * refusal has an unknown outcome: a passed deadline does not show whether the events were stored (docs/eventstoredb.md).
 */
import type { JSONEventData } from '@eventstore/db-client'
import type { EncodedEvent } from '../../events/envelope.ts'
import { createSemaphore, QueueFull } from '../../concurrency/semaphore.ts'
import { ServerUnavailable } from '../../ports/server.ts'
import { AppendRefused, OutcomeUnknown, type Appended, type Expected } from '../../ports/event-log.ts'
import { textsWithinLimits, type EventText } from '../shared/append-limits.ts'
import type { Connection } from './connection.ts'
import { NAME } from './refusals.ts'
import { sendAppend, type Order } from './sending.ts'

export interface Appends {
  append(stream: string, expected: Expected, events: readonly EncodedEvent[]): Promise<Appended>
  /** Settles when no append is in flight. */
  settled(): Promise<void>
}

const MAX_WAITING = 1_000
/** Characters of data and metadata. */
const MAX_WAITING_LENGTH = 64 * 1024 * 1024
/** Appends in flight at once: below the 100 calls that its web server takes over one connection by default. */
const AT_ONCE = 64

export function createAppends(connection: Connection, timeoutMs: number): Appends {
  const inTurn = createSemaphore(AT_ONCE, { patience: { clock: connection.clock, ms: timeoutMs } })
  /** By stream, expected revision and ids: an identical append shares the call, since the server drops a duplicate that comes too early. */
  const waiting = new Map<string, Promise<Appended>>()
  let waitingLength = 0
  let sending = 0
  const mayRepeat = (): boolean => sending <= AT_ONCE / 2

  async function sent(order: Order): Promise<Appended> {
    try {
      return await inTurn(() => {
        sending++
        return sendAppend(connection, order).finally(() => sending--)
      })
    } catch (error) {
      // The same append may be in flight from an earlier try.
      if (error instanceof QueueFull) throw new OutcomeUnknown('EventStoreDB is too slow for the appends that wait', { cause: error })
      throw error
    }
  }

  async function append(stream: string, expected: Expected, events: readonly EncodedEvent[]): Promise<Appended> {
    if (connection.closing.aborted) throw new AppendRefused('The event log is closed')
    const texts = textsWithinLimits(stream, expected, events)
    const key = JSON.stringify([stream, expected, ...events.map(({ id }) => id)])
    const twin = waiting.get(key)
    if (twin) return twin
    const length = texts.reduce((sum, { data, metadata }) => sum + data.length + metadata.length, 0)
    if (waiting.size >= MAX_WAITING || waitingLength + length > MAX_WAITING_LENGTH) {
      // Not a refusal: the append itself is valid and is accepted once the server has answered others.
      throw new ServerUnavailable(NAME, { cause: new Error('Too many appends wait') })
    }
    const appending = sent({ stream, expected, list: serverEvents(events, texts), timeoutMs, mayRepeat })
    waiting.set(key, appending)
    waitingLength += length
    try {
      return await appending
    } finally {
      waiting.delete(key)
      waitingLength -= length
    }
  }

  return {
    append,
    async settled() {
      await Promise.allSettled(waiting.values())
    },
  }
}

/** Metadata as bytes: the driver would parse and serialise texts twice more. */
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
