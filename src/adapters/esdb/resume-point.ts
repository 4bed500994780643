/**
 * Finds the start for a follower whose position does not exist in this log. The log is then not the one it came from, for example because a
 * backup was restored.
 */
import { BACKWARDS, END, UnknownError } from '@eventstore/db-client'
import { ServerUnavailable } from '../../ports/server.ts'
import type { Connection } from './connection.ts'
import { LOG_PAGE, logPage } from './reading.ts'
import { commitOf, serverPosition, type Resolved } from './stored-event.ts'

/** The server's error for a position at which no record begins, and for nothing else (docs/eventstoredb.md). */
export function isInsideRecord(error: unknown): boolean {
  const cause = error instanceof ServerUnavailable ? error.cause : undefined
  return cause instanceof UnknownError && cause.message.includes('Unexpected ReadAllResult')
}

/** Place of the last event; undefined for an empty log. */
export async function endOfLog(connection: Connection, signal: AbortSignal): Promise<bigint | undefined> {
  const [end] = await logPage(connection, { fromPosition: END, direction: BACKWARDS, maxCount: 1 }, signal)
  return end && commitOf(end)
}

/** Place of the first event after a position at which none begins, or of the last event. */
export async function placeAfter(connection: Connection, position: bigint, signal: AbortSignal): Promise<bigint | undefined> {
  const first = await firstAfter(connection, position, signal)
  return first ? commitOf(first) : endOfLog(connection, signal)
}

/** Searches from the end, so that all positions are those of records. */
async function firstAfter(connection: Connection, position: bigint, signal: AbortSignal): Promise<Resolved | undefined> {
  const isAfter = (event: Resolved): boolean => commitOf(event) > position
  let first: Resolved | undefined
  for (let isMore = true; isMore;) {
    const fromPosition = first ? serverPosition(commitOf(first)) : END
    const page = await logPage(connection, { fromPosition, direction: BACKWARDS, maxCount: LOG_PAGE }, signal)
    first = page.findLast(isAfter) ?? first
    isMore = page.length === LOG_PAGE && page.every(isAfter)
  }
  return first
}
