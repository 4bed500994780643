/**
 * Event log in EventStoreDB, built on its measured behaviour (docs/eventstoredb.md). Any number of processes may append and follow.
 */
import { withTimeout } from '../../concurrency/timeout.ts'
import { createSemaphore } from '../../concurrency/semaphore.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Server } from '../../ports/server.ts'
import type { EventLog } from '../../ports/event-log.ts'
import { createAppends } from './appending.ts'
import { credentialsOf, openClient, type Connection } from './connection.ts'
import { createFeed } from './feed.ts'
import { follow } from './following.ts'
import { createLeader } from './leader.ts'
import { createOutage } from './outage.ts'
import { check, head, read } from './reading.ts'
import { NAME } from './refusals.ts'
import { createReports } from './reports.ts'
import type { Report } from '../../ports/report.ts'

export interface EsdbEventLogOptions {
  /** Connection string, for example `esdb://localhost:2113?tls=false`. */
  readonly url: string
  readonly clock: Clock
  /** Time after which the outcome of an append counts as unknown. */
  readonly timeoutMs?: number
  /** Timeout after which a server that does not answer a read counts as unavailable. */
  readonly answerMs?: number
  /** Called each time a follower has lost its subscription, or could not get one. */
  readonly dropped?: (cause: unknown) => void
  /** Called with errors for the operator: once for each outage, and if the log is not the same as before. */
  readonly onError?: Report
}

const TIMEOUT_MS = 5_000
const ANSWER_MS = 5_000
const DISPOSE_MS = 2_000
/** For followers that are catching up. */
const PAGES_AT_ONCE = 8

/** Connects with the first call. @throws Error the connection string cannot be parsed */
export function createEsdbEventLog({
  url,
  clock,
  dropped = () => {},
  onError = () => {},
  ...times
}: EsdbEventLogOptions): EventLog & Server {
  const closing = new AbortController()
  const [client, followersClient] = [openClient(url), openClient(url)]
  const leader = createLeader({ clients: [client, followersClient], clock, closing: closing.signal, probe: () => check(connection) })
  const connection: Connection = {
    client,
    leader,
    credentials: credentialsOf(url),
    clock,
    outage: createOutage(clock),
    closing: closing.signal,
    answerMs: times.answerMs ?? ANSWER_MS,
  }
  // A separate connection: followers take no capacity from appends and reads.
  const followers: Connection = { ...connection, client: followersClient }
  const reports = createReports({ dropped, onError })
  const feed = createFeed(followers, reports)
  const inTurn = createSemaphore(PAGES_AT_ONCE)
  const appends = createAppends(connection, times.timeoutMs ?? TIMEOUT_MS)
  return {
    name: NAME,
    check: () => check(connection),
    append: (stream, expected, events) => appends.append(stream, expected, events),
    read: (stream, from) => read(connection, stream, from ?? 0),
    head: () => head(connection),
    follow: (after, signal) => follow(followers, { after, signal, feed, inTurn, reports }),
    async close() {
      closing.abort(new Error('The event log is closed'))
      // Followers first: the driver waits two seconds for open subscriptions.
      await appends.settled()
      // Ends the calls that are still open.
      const disposed = feed.ended().then(() => Promise.all([client.dispose(), followersClient.dispose()]))
      await withTimeout(disposed, { clock, ms: DISPOSE_MS, message: 'late' }).catch(() => {})
    },
  }
}
