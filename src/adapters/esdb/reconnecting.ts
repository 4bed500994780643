/**
 * The driver's reaction to a lost connection. It calls `handleError` without awaiting it, and that call rejects when it waits for a
 * connection that another call is just looking for in vain: a rejection that nobody handles, which would end the process.
 */
import type { EventStoreDBClient } from '@eventstore/db-client'

/** What the driver keeps to itself (Client/index.js), under the name by which it calls it. */
interface Reconnecting {
  handleError: (client: unknown, error: Error) => Promise<void>
}

/** The call that looked for the connection in vain fails by itself, so nothing is lost by dropping the rejection here. */
export function catchReconnectFailures(client: EventStoreDBClient): EventStoreDBClient {
  const reconnecting = client as unknown as Reconnecting
  const handle = reconnecting.handleError
  reconnecting.handleError = (failed, error) => handle(failed, error).catch(() => {})
  return client
}
