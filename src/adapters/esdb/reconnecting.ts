/**
 * Patches the driver's reaction to a lost connection.
 *
 * The driver calls `handleError` without awaiting it, and that call rejects if it waits for a connection that another call fails to open:
 * an unhandled rejection, which would end the process.
 */
import type { EventStoreDBClient } from '@eventstore/db-client'

/** The driver's internals (Client/index.js), under the name by which it calls them. */
interface Reconnecting {
  handleError: (client: { getChannel(): unknown }, error: Error) => Promise<void>
  getChannel(): Promise<unknown>
}

/** The call that failed to open the connection reports the failure itself, so the rejection here can be dropped. */
export function catchReconnectFailures(client: EventStoreDBClient): EventStoreDBClient {
  const reconnecting = client as unknown as Reconnecting
  const handle = reconnecting.handleError
  reconnecting.handleError = (failed, error) => handle(failed, error).catch(() => {})
  return client
}

/**
 * Makes the driver look for a leader at its next call, trying the present node last. Calls in flight may fail. @returns settles when done;
 * never rejects
 */
export async function dropConnection(client: EventStoreDBClient): Promise<void> {
  const reconnecting = client as unknown as Reconnecting
  try {
    const channel = await reconnecting.getChannel()
    await reconnecting.handleError({ getChannel: () => channel }, unavailable())
  } catch {
    // There was no connection, and none can be opened: the next call tries anyway.
  }
}

const UNAVAILABLE = 14
const unavailable = (): Error => Object.assign(new Error('No answer in time'), { code: UNAVAILABLE, details: 'No answer in time' })
