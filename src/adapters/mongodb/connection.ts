/**
 * One connection to MongoDB (or another server of its protocol), shared by all ports that use it. It connects on first use and reconnects
 * by itself after an outage; nothing waits for an unavailable server for longer than a few seconds.
 */
import { MongoClient, MongoTopologyClosedError, type Db, type DbOptions, type MongoClientOptions } from 'mongodb'
import { withTimeout } from '../../concurrency/timeout.ts'
import type { Clock } from '../../ports/clock.ts'
import { ServerUnavailable, type Server } from '../../ports/server.ts'
import { SERVER, meansUnavailable } from './errors.ts'

export interface MongoConnection {
  /** The database named by the URL. */
  db(): Db
  /** For several documents at once: replica sets and sharded clusters support them, a standalone server does not. */
  hasTransactions(): Promise<boolean>
  /**
   * Does the work, within the default or the given timeout. @throws ServerUnavailable for the driver's errors if the server is unavailable,
   * or not available in time
   */
  readonly guarded: <T>(work: () => Promise<T>, withinMs?: number) => Promise<T>
  /** For transactions. */
  readonly client: MongoClient
  readonly engine: Server
  close(): Promise<void>
}

export interface MongoConnectionOptions {
  readonly url: string
  readonly clock: Clock
}

const DEFAULT_DATABASE = 'marquee'
const CHECK_MS = 1_500
/** Closing notifies the server, which may be unavailable. */
const CLOSE_MS = 2_000
/** If a connection breaks between an operation's write and its read, the driver may never settle the operation. */
const LOST_MS = 10_000

/** These override the URL: the process relies on the timeouts. */
const OPTIONS: MongoClientOptions = {
  appName: 'marquee',
  // Longer than an election of the primary, shorter than a caller's timeout.
  serverSelectionTimeoutMS: 2_000,
  // Also the monitor's timeout for an answer: a server that hangs is detected after a heartbeat and this, and waiting operations then fail.
  connectTimeoutMS: 2_000,
  // How soon a server's return is noticed (or its loss, if no operation uses it).
  heartbeatFrequencyMS: 1_000,
  // The same while operations wait for a primary: each check is one small command, and all of them continue at the first that finds one.
  minHeartbeatFrequencyMS: 100,
  // The last resort: the monitor reaches the server but this one connection gets no answer. Indexes of large collections take long.
  socketTimeoutMS: 15_000,
  waitQueueTimeoutMS: 2_000,
  maxPoolSize: 32,
  // Idle connections are cheap for the server and expensive if a firewall has forgotten them.
  maxIdleTimeMS: 300_000,
  // Useful in a replica set, whose next primary answers; a standalone server is not sent it.
  retryWrites: true,
  retryReads: true,
  // Undefined members are not stored, as in JSON.
  ignoreUndefined: true,
}

/** Set on the database, since on the client the URL would take precedence: `journal=false`, `readPreference=secondary`. */
const DATABASE_OPTIONS: DbOptions = {
  // An acknowledged write survives a power cut and the loss of any minority of the set.
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: 5_000 },
  // Other servers may not have a write just made.
  readPreference: 'primary',
}

export function connectMongo({ url, clock }: MongoConnectionOptions): MongoConnection {
  const client = clientOf(url)
  const db = client.db(databaseOf(url), DATABASE_OPTIONS)
  let transactions: boolean | undefined
  let pinging: Promise<unknown> | undefined
  let connecting: Promise<unknown> | undefined
  let isClosed = false
  /** The driver's last view of the servers, with the error of each: available long before an operation times out. */
  let seen: unknown
  client.on('topologyDescriptionChanged', ({ newDescription }) => void (seen = newDescription))

  /** After a failed first connect the driver keeps a closed topology, on which every later call fails at once: connect again. */
  async function connected<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (cause) {
      if (!(cause instanceof MongoTopologyClosedError) || isClosed) throw cause
      connecting ??= client.connect().finally(() => (connecting = undefined))
      await connecting
      return work()
    }
  }

  async function guarded<T>(work: () => Promise<T>, withinMs = LOST_MS): Promise<T> {
    try {
      return await withTimeout(connected(work), { clock, ms: withinMs, message: 'The driver has lost the operation' })
    } catch (cause) {
      if (meansUnavailable(cause)) throw new ServerUnavailable(SERVER, { cause })
      throw cause
    }
  }

  async function check(): Promise<void> {
    // One ping at a time for all callers: otherwise they would queue up at a server that hangs.
    pinging ??= withTimeout(
      connected(() => db.command({ ping: 1 })),
      { clock, ms: LOST_MS, message: 'The driver has lost a ping' },
    ).finally(() => (pinging = undefined))
    try {
      await withTimeout(pinging, { clock, ms: CHECK_MS, message: 'No answer to a ping' })
    } catch (cause) {
      throw new ServerUnavailable(SERVER, { cause: Object.assign(new Error('No answer to a ping', { cause }), { reason: seen }) })
    }
  }

  return {
    db: () => db,
    async hasTransactions() {
      transactions ??= await guarded(async () => isSetOrCluster(await db.command({ hello: 1 })))
      return transactions
    },
    guarded,
    client,
    engine: { name: SERVER, check },
    async close() {
      isClosed = true
      await withTimeout(client.close(), { clock, ms: CLOSE_MS, message: 'late' }).catch(() => {})
    },
  }
}

/** @throws Error without the user's credentials in its text */
function clientOf(url: string): MongoClient {
  try {
    return new MongoClient(url, OPTIONS)
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    const why = message !== '' && !contains(message, url) ? `: ${message}` : ''
    // oxlint-disable-next-line preserve-caught-error -- the driver's error may quote the URL
    throw new Error(`The driver of ${SERVER} does not take its address${why}`)
  }
}

/** Whether a text contains the name or the password of the URL, or the URL itself. */
function contains(text: string, url: string): boolean {
  const user = /^[^:]+:\/\/([^@/?]+)@/.exec(url)?.[1]
  const parts = [url, ...(user?.split(':') ?? [])].filter((part) => part !== '')
  return parts.some((part) => text.includes(part) || text.includes(decodeURIComponent(part)))
}

function databaseOf(url: string): string {
  const [, name] = /^[^:]+:\/\/[^/?]+\/([^?]+)/.exec(url) ?? []
  return name === undefined ? DEFAULT_DATABASE : decodeURIComponent(name)
}

const isSetOrCluster = (hello: Readonly<Record<string, unknown>>): boolean =>
  typeof hello['setName'] === 'string' || hello['msg'] === 'isdbgrid'
