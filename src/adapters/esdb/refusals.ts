/** Identifies the driver's errors with a certain meaning (docs/eventstoredb.md). */
import { AccessDeniedError, NotLeaderError, TimeoutError, UnavailableError, isCommandError } from '@eventstore/db-client'

/** Name of the server in messages. */
export const NAME = 'EventStoreDB'

/** PERMISSION_DENIED, UNAUTHENTICATED. */
const CODES: ReadonlySet<number> = new Set([7, 16])

/** The server has not accepted the call: no connection, no leader found, another node leads, a wrong password, no rights. */
export function neverSent(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof NotLeaderError || error instanceof AccessDeniedError) return true
  if (error instanceof UnavailableError) return error.message.includes('No connection established')
  if (isCommandError(error)) return CODES.has(Number(error.code))
  return error.message.startsWith('Failed to discover')
}

/** The server has ended a subscription because its reader was too slow: no outage, and nothing is lost by resuming it. */
export const isTooSlow = (error: unknown): boolean => error instanceof TimeoutError && error.message.includes('Consumer too slow')
