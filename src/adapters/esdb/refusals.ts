/** What the driver's errors say for certain (docs/eventstoredb.md). */
import { AccessDeniedError, NotLeaderError, TimeoutError, UnavailableError, isCommandError } from '@eventstore/db-client'

/** As people know the server. */
export const NAME = 'EventStoreDB'

/** PERMISSION_DENIED, UNAUTHENTICATED. */
const CODES: ReadonlySet<number> = new Set([7, 16])

/** The server has not taken the call: no connection, no leader found, another node leads, a wrong password, no rights. */
export function neverSent(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof NotLeaderError || error instanceof AccessDeniedError) return true
  if (error instanceof UnavailableError) return error.message.includes('No connection established')
  if (isCommandError(error)) return CODES.has(Number(error.code))
  return error.message.startsWith('Failed to discover')
}

/** The server has ended a subscription whose reader stood still: no outage, and nothing is lost by taking it up again. */
export const isTooSlow = (error: unknown): boolean => error instanceof TimeoutError && error.message.includes('Consumer too slow')
