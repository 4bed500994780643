/**
 * Following the log: a subscription that is taken up again after the last position yielded, however often it is lost.
 */
import { setImmediate } from 'node:timers/promises'
import type { StoredEvent } from '../../events/envelope.ts'
import type { Position } from '../../events/position.ts'
import { BUFFERED, createArrivals, type Arrivals } from './arrivals.ts'
import { whereToBegin } from './beginning.ts'
import type { Connection } from './connection.ts'
import type { Reports } from './reports.ts'
import { commitOf, storedEvents, type Resolved } from './stored-event.ts'

export interface FollowOptions {
  readonly after: Position
  readonly signal: AbortSignal
  readonly reports: Reports
}

type Batch = readonly StoredEvent[]

const BATCH = 500
const BATCH_BYTES = 4n * 1024n * 1024n
const SHORTEST_MS = 100
const LONGEST_MS = 10_000

export async function* follow(connection: Connection, { after, signal, reports }: FollowOptions): AsyncGenerator<Batch> {
  const { closing, outage } = connection
  const ends = AbortSignal.any([signal, closing])
  let last = after
  let failures = 0
  const confirmed = (): void => {
    failures = 0
    reports.confirmed()
  }
  while (!ends.aborted) {
    try {
      for await (const batch of subscription(connection, last, { ends, confirmed, reports })) {
        last = batch.at(-1)?.position ?? last
        yield batch
      }
    } catch (error) {
      if (ends.aborted) break
      reports.dropped(error)
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
  readonly reports: Reports
}

/** Ends only by an error. */
async function* subscription(connection: Connection, after: Position, options: SubscriptionOptions): AsyncGenerator<Batch> {
  const { ends, confirmed, reports } = options
  const { missed, fromPosition, isStranger } = await whereToBegin(connection, after, ends)
  if (isStranger) reports.stranger(after)
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
