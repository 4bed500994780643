/**
 * Where a subscription begins that is to go on after a position.
 *
 * A subscription "after" a position leaves out the first event at or after it, without comparing: where the event at that position
 * has been scavenged, another one is lost (eventstoredb.md, 0.2). So the event at that position is read first, and the subscription
 * begins at one that was there a moment ago. For the same reason nothing is filtered by the server: what it leaves out there would
 * be another event of ours than the one that was read.
 */
import { BACKWARDS, END, START as SERVER_START, UnknownError, type ReadPosition } from '@eventstore/db-client'
import type { StoredEvent } from '../../events/envelope.ts'
import { START, type Position } from '../../events/position.ts'
import { EngineAway } from '../../ports/engine.ts'
import type { Connection } from './connection.ts'
import { LOG_PAGE, logPage } from './reading.ts'
import { commitOf, serverPosition, storedEvents, type Resolved } from './stored-event.ts'

export interface Beginning {
  readonly fromPosition: ReadPosition
  /** Events that come before what the subscription will deliver. */
  readonly missed: readonly StoredEvent[]
  /** The position is none of this log, which then is another one than that it was taken from, such as a restored backup. */
  readonly isStranger?: true
}

export async function whereToBegin(connection: Connection, after: Position, signal: AbortSignal): Promise<Beginning> {
  if (after === START) return { fromPosition: SERVER_START, missed: [] }
  try {
    const [next] = await logPage(connection, { fromPosition: serverPosition(BigInt(after)), maxCount: 1 }, signal)
    if (next) return beginningAt(next, after)
  } catch (error) {
    if (!isInsideRecord(error)) throw error
    const next = await firstAfter(connection, after, signal)
    if (next) return { ...beginningAt(next, after), isStranger: true }
  }
  // From a longer log than this one: what comes is left out until it is as long again.
  const [end] = await logPage(connection, { fromPosition: END, direction: BACKWARDS, maxCount: 1 }, signal)
  return { fromPosition: end ? serverPosition(commitOf(end)) : SERVER_START, missed: [], isStranger: true }
}

const beginningAt = (next: Resolved, after: Position): Beginning => ({
  fromPosition: serverPosition(commitOf(next)),
  missed: storedEvents([next]).filter(({ position }) => position > after),
})

/** What the server says of a position at which no record begins, and never another thing (eventstoredb.md, 3). */
function isInsideRecord(error: unknown): boolean {
  const cause = error instanceof EngineAway ? error.cause : undefined
  return cause instanceof UnknownError && cause.message.includes('Unexpected ReadAllResult')
}

/** Looked for from the end, where positions are those of records. */
async function firstAfter(connection: Connection, after: Position, signal: AbortSignal): Promise<Resolved | undefined> {
  const isAfter = (event: Resolved): boolean => commitOf(event) > BigInt(after)
  let first: Resolved | undefined
  for (let isMore = true; isMore;) {
    const fromPosition = first ? serverPosition(commitOf(first)) : END
    const page = await logPage(connection, { fromPosition, direction: BACKWARDS, maxCount: LOG_PAGE }, signal)
    first = page.findLast(isAfter) ?? first
    isMore = page.length === LOG_PAGE && page.every(isAfter)
  }
  return first
}
