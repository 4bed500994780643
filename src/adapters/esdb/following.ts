/**
 * Following the log: a subscription that is taken up again after the last position yielded, however often it is lost.
 *
 * A subscription "after" a position leaves out the first event at or after it, without comparing: where the event at that position
 * has been scavenged, another one is lost (eventstoredb.md, 0.2). So the event at that position is read first, and the subscription
 * begins at one that was there a moment ago. For the same reason nothing is filtered by the server: what it leaves out there would
 * be another event of ours than the one that was read.
 */
import { setImmediate } from 'node:timers/promises'
import { BACKWARDS, END, START as SERVER_START, type ReadPosition } from '@eventstore/db-client'
import type { StoredEvent } from '../../events/envelope.ts'
import { START, type Position } from '../../events/position.ts'
import { BUFFERED, createArrivals, type Arrivals } from './arrivals.ts'
import type { Connection } from './connection.ts'
import { logPage } from './reading.ts'
import { commitOf, serverPosition, storedEvents, type Resolved } from './stored-event.ts'

export interface FollowOptions {
  readonly after: Position
  readonly signal: AbortSignal
  /** Told each time that a subscription was lost, or could not be had. */
  readonly dropped: (cause: unknown) => void
}

type Batch = readonly StoredEvent[]

const BATCH = 500
const BATCH_BYTES = 4n * 1024n * 1024n
const SHORTEST_MS = 100
const LONGEST_MS = 10_000

export async function* follow(connection: Connection, { after, signal, dropped }: FollowOptions): AsyncGenerator<Batch> {
  const { closing, outage } = connection
  const ends = AbortSignal.any([signal, closing])
  let last = after
  let failures = 0
  const confirmed = (): void => void (failures = 0)
  while (!ends.aborted) {
    try {
      for await (const batch of subscription(connection, last, { ends, confirmed })) {
        last = batch.at(-1)?.position ?? last
        yield batch
      }
    } catch (error) {
      if (ends.aborted) break
      dropped(error)
      outage.began()
      await outage.wait(pauseMs(failures++), ends)
    }
  }
  if (!signal.aborted) throw closing.reason
}

/** Twice as long each time, with jitter so that followers do not come all at once. */
function pauseMs(failures: number): number {
  const longestMs = Math.min(LONGEST_MS, SHORTEST_MS * 2 ** failures)
  return longestMs * (0.5 + Math.random() / 2)
}

interface SubscriptionOptions {
  readonly ends: AbortSignal
  /** Called when the server has taken the subscription. */
  readonly confirmed: () => void
}

/** Ends only by an error. */
async function* subscription(connection: Connection, after: Position, { ends, confirmed }: SubscriptionOptions): AsyncGenerator<Batch> {
  const { missed, fromPosition } = await whereToBegin(connection, after, ends)
  if (missed.length > 0) yield missed
  const last = missed.at(-1)?.position ?? after
  const source = connection.client.subscribeToAll({ fromPosition }, BUFFERED)
  let isConfirmed = false
  source.once('confirmation', () => {
    isConfirmed = true
    connection.outage.ended()
    confirmed()
  })
  const patienceMs = (): number | undefined => (isConfirmed ? undefined : connection.answerMs)
  const arrivals = createArrivals<Resolved>(source, { clock: connection.clock, signal: ends, patienceMs })
  try {
    for (let first = await arrivals.next(BATCH); first; first = await arrivals.next(BATCH)) {
      const batch = storedEvents(await together(first, arrivals)).filter(({ position }) => position > last)
      if (batch.length > 0) yield batch
    }
    throw new Error('The subscription has ended')
  } finally {
    arrivals.stop()
  }
}

/** The driver hands over one by one what came in one piece: goes on for as long as each turn of the event loop brings more. */
async function together(first: readonly Resolved[], arrivals: Arrivals<Resolved>): Promise<readonly Resolved[]> {
  const items = [...first]
  for (let more = first; more.length > 0 && items.length < BATCH && sizeOf(items) < BATCH_BYTES;) {
    await setImmediate()
    more = arrivals.more(BATCH - items.length)
    items.push(...more)
  }
  return items
}

/** Bytes that they take in the server's log: positions count bytes. */
function sizeOf(items: readonly Resolved[]): bigint {
  const [first, last] = [items[0], items.at(-1)]
  return first && last ? commitOf(last) - commitOf(first) : 0n
}

interface Beginning {
  readonly fromPosition: ReadPosition
  /** Events that come before what the subscription will deliver. */
  readonly missed: Batch
}

async function whereToBegin(connection: Connection, after: Position, signal: AbortSignal): Promise<Beginning> {
  if (after === START) return { fromPosition: SERVER_START, missed: [] }
  const [next] = await logPage(connection, { fromPosition: serverPosition(BigInt(after)), maxCount: 1 }, signal)
  if (next) return { fromPosition: serverPosition(commitOf(next)), missed: storedEvents([next]).filter(({ position }) => position > after) }
  // From a longer log than this one, such as one before a restored backup: what comes is left out until it is as long again.
  const [end] = await logPage(connection, { fromPosition: END, direction: BACKWARDS, maxCount: 1 }, signal)
  return { fromPosition: end ? serverPosition(commitOf(end)) : SERVER_START, missed: [] }
}
