/**
 * The driver's reaction to a lost connection, where it has to be reached into.
 *
 * It calls `handleError` without awaiting it, and that call rejects when it waits for a
 * connection that another call is just looking for in vain: a rejection that nobody handles, which would end the process.
 */
import type { EventStoreDBClient } from '@eventstore/db-client'

/** What the driver keeps to itself (Client/index.js), under the name by which it calls it. */
interface Reconnecting {
  handleError: (client: { getChannel(): unknown }, error: Error) => Promise<void>
  getChannel(): Promise<unknown>
}

/** The call that looked for the connection in vain fails by itself, so nothing is lost by dropping the rejection here. */
export function catchReconnectFailures(client: EventStoreDBClient): EventStoreDBClient {
  const reconnecting = client as unknown as Reconnecting
  const handle = reconnecting.handleError
  reconnecting.handleError = (failed, error) => handle(failed, error).catch(() => {})
  return client
}

/**
 * Makes the driver look for a leader with its next call, the present node last. Calls on their way may fail.
 * @returns settles when it is so; never rejects
 */
export async function dropConnection(client: EventStoreDBClient): Promise<void> {
  const reconnecting = client as unknown as Reconnecting
  try {
    const channel = await reconnecting.getChannel()
    await reconnecting.handleError({ getChannel: () => channel }, unavailable())
  } catch {
    // There was no connection, and none can be had: the next call looks for one anyway.
  }
}

const UNAVAILABLE = 14
const unavailable = (): Error => Object.assign(new Error('No answer in time'), { code: UNAVAILABLE, details: 'No answer in time' })
