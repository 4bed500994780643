/**
 * Event log in EventStoreDB, built to what was measured of it (eventstoredb.md). Any number of processes may append and follow.
 */
import { within } from '../../flow/deadline.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Engine } from '../../ports/engine.ts'
import type { EventLog } from '../../ports/event-log.ts'
import { createAppends } from './appending.ts'
import { credentialsOf, openClient, type Connection } from './connection.ts'
import { follow } from './following.ts'
import { createOutage } from './outage.ts'
import { check, head, NAME, read } from './reading.ts'
import { createReports } from './reports.ts'

export interface EsdbEventLogOptions {
  /** Connection string, for example `esdb://localhost:2113?tls=false`. */
  readonly url: string
  readonly clock: Clock
  /** Time after which the outcome of an append counts as unknown. */
  readonly timeoutMs?: number
  /** Time after which a server that does not answer a read counts as away. */
  readonly answerMs?: number
  /** Told each time that a follower has lost its subscription, or could not get one. */
  readonly dropped?: (cause: unknown) => void
  /** Told what a person should know: once for each outage, and where the log is another one than before. */
  readonly problem?: (cause: unknown) => void
}

const TIMEOUT_MS = 5_000
const ANSWER_MS = 5_000
const DISPOSE_MS = 2_000

/** Connects with the first call. @throws Error the connection string cannot be read */
export function createEsdbEventLog({
  url,
  clock,
  dropped = () => {},
  problem = () => {},
  ...times
}: EsdbEventLogOptions): EventLog & Engine {
  const closing = new AbortController()
  const connection: Connection = {
    client: openClient(url),
    credentials: credentialsOf(url),
    clock,
    outage: createOutage(clock),
    closing: closing.signal,
    answerMs: times.answerMs ?? ANSWER_MS,
  }
  const reports = createReports({ dropped, problem })
  const appends = createAppends(connection, times.timeoutMs ?? TIMEOUT_MS)
  return {
    name: NAME,
    check: () => check(connection),
    append: (stream, expected, events) => appends.append(stream, expected, events),
    read: (stream, from) => read(connection, stream, from ?? 0),
    head: () => head(connection),
    follow: (after, signal) => follow(connection, { after, signal, reports }),
    async close() {
      closing.abort(new Error('The event log is closed'))
      await appends.settled()
      // Ends the calls that are still open.
      await within(connection.client.dispose(), { clock, ms: DISPOSE_MS, message: 'late' }).catch(() => {})
    },
  }
}
