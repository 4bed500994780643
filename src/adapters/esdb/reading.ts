/** Reads from EventStoreDB: a stream, the end of the log. Its reads have no deadline of their own, so each wait is bounded here. */
import { setImmediate } from 'node:timers/promises'
import { BACKWARDS, END, START as START_OF_LOG, NotLeaderError, StreamDeletedError, StreamNotFoundError } from '@eventstore/db-client'
import type { ReadAllOptions } from '@eventstore/db-client'
import type { StoredEvent } from '../../events/envelope.ts'
import { START, type Position } from '../../events/position.ts'
import { ServerUnavailable } from '../../ports/server.ts'
import { TimedOut } from '../../concurrency/timeout.ts'
import { BUFFERED, createSubscriptionReader, type Source } from './subscription-reader.ts'
import type { Connection } from './connection.ts'
import { NAME } from './refusals.ts'
import { commitOf, isReadable, readableEvents, serverPosition, storedEvents, type Resolved } from './stored-event.ts'

/** Events read at a time. */
export const LOG_PAGE = 500
const PAGE_BYTES = 4n * 1024n * 1024n
/** Events read at the end of the log at first, and at most: the server's own events do not count as its head. */
const HEAD_PAGE = 16
const HEAD_MAX = 100_000
const CHECK_MS = 1_500
/** Attempts at a query refused because another node leads: the refusal names it, and that node is queried at once. */
const TRIES = 5

/** A page at a time: nothing is held open on the server while the consumer works. */
export async function* read(connection: Connection, stream: string, from: number): AsyncGenerator<StoredEvent> {
  let next = from
  for (let count = LOG_PAGE; count === LOG_PAGE;) {
    count = 0
    for await (const items of streamPage(connection, stream, next)) {
      count += items.length
      next = Number(items.at(-1)?.event?.revision ?? next) + 1
      yield* readableEvents(storedEvents(items))
    }
  }
}

/** @throws ServerUnavailable it cannot be determined, or far too many of the server's own events are at the end of the log */
export async function head(connection: Connection): Promise<Position> {
  let looked = 0
  let from: ReadAllOptions['fromPosition'] = END
  for (let count = HEAD_PAGE; looked < HEAD_MAX; count = LOG_PAGE) {
    const page = await logPage(connection, { fromPosition: from, direction: BACKWARDS, maxCount: count }, connection.closing)
    const event = storedEvents(page).find(isReadable)
    if (event) return event.position
    const last = page.at(-1)
    if (!last || page.length < count) return START
    from = serverPosition(commitOf(last))
    looked += page.length
  }
  throw new ServerUnavailable(NAME, { cause: new Error(`The last ${HEAD_MAX} events of the log are the server's own`) })
}

/** Waits only once: the first item or error is answer enough. */
export async function check(connection: Connection): Promise<void> {
  const options: ReadAllOptions = { fromPosition: END, direction: BACKWARDS, maxCount: 1, requiresLeader: true }
  const hasty = { ...connection, answerMs: CHECK_MS }
  const events = answer(hasty, connection.closing, () => connection.client.readAll(options, BUFFERED))
  await events.next()
  await events.return(undefined)
}

/** Events of the whole log, the server's own included. Forwards from a position: including it; backwards: excluding it. */
export async function logPage(connection: Connection, options: ReadAllOptions, signal: AbortSignal): Promise<readonly Resolved[]> {
  const page: Resolved[] = []
  const ask = () => connection.client.readAll({ ...options, requiresLeader: true }, BUFFERED)
  for await (const items of answer(connection, signal, ask)) page.push(...items)
  return page
}

export interface LogPage {
  /** Includes the event at the place. */
  readonly items: readonly Resolved[]
  /** No more events followed. */
  readonly isLast: boolean
}

/** Events from a place in the log on: as many as fit a page, in number and in bytes of the server's log. */
export async function pageFrom(connection: Connection, place: bigint | undefined, signal: AbortSignal): Promise<LogPage> {
  const fromPosition = place === undefined ? START_OF_LOG : serverPosition(place)
  const ask = () => connection.client.readAll({ fromPosition, maxCount: LOG_PAGE, requiresLeader: true }, BUFFERED)
  const page: Resolved[] = []
  for await (const items of answer(connection, signal, ask)) {
    page.push(...items)
    const [first, last] = [page[0], page.at(-1)]
    if (first && last && commitOf(last) - commitOf(first) > PAGE_BYTES) return { items: page, isLast: false }
  }
  return { items: page, isLast: page.length < LOG_PAGE }
}

function streamPage(connection: Connection, stream: string, from: number): AsyncGenerator<readonly Resolved[]> {
  const options = { fromRevision: BigInt(from), maxCount: LOG_PAGE, requiresLeader: true }
  return answer(connection, connection.closing, () => connection.client.readStream(stream, options, BUFFERED))
}

/** A missing stream has no events. If the node no longer leads, the driver switches to the leader. */
async function* answer(connection: Connection, signal: AbortSignal, ask: () => Source): AsyncGenerator<readonly Resolved[]> {
  const { outage, leader } = connection
  for (let tries = 1; ; tries++) {
    try {
      yield* answerOnce(connection, signal, ask)
      return outage.ended()
    } catch (error) {
      signal.throwIfAborted()
      if (isMissing(error)) return outage.ended()
      if (error instanceof TimedOut) leader.doubt()
      if (error instanceof NotLeaderError) leader.left(connection.client)
      if (!(error instanceof NotLeaderError) || tries === TRIES) {
        outage.began()
        throw new ServerUnavailable(NAME, { cause: error })
      }
      await setImmediate()
    }
  }
}

async function* answerOnce(connection: Connection, signal: AbortSignal, ask: () => Source): AsyncGenerator<readonly Resolved[]> {
  signal.throwIfAborted()
  const { clock, outage, answerMs } = connection
  const reader = createSubscriptionReader<Resolved>(ask(), { clock, signal, patienceMs: () => answerMs })
  try {
    for (let items = await reader.next(LOG_PAGE); items; items = await reader.next(LOG_PAGE)) {
      outage.ended()
      yield items
    }
  } finally {
    reader.stop()
  }
}

const isMissing = (error: unknown): boolean => error instanceof StreamNotFoundError || error instanceof StreamDeletedError
