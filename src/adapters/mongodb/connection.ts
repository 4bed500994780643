/**
 * One connection to MongoDB (or what speaks its protocol), for all ports that work on it. It connects on first use and again by
 * itself whenever the server was away; nothing waits for a server that is away for longer than a few seconds.
 */
import { MongoClient, MongoTopologyClosedError, type Db, type DbOptions, type MongoClientOptions } from 'mongodb'
import { withTimeout } from '../../concurrency/timeout.ts'
import type { Clock } from '../../ports/clock.ts'
import { ServerUnavailable, type Server } from '../../ports/server.ts'
import { SERVER, meansUnavailable } from './errors.ts'

export interface MongoConnection {
  /** The database that the URL names. */
  db(): Db
  /** For several documents at once: replica sets and sharded clusters have them, a standalone server has not. */
  hasTransactions(): Promise<boolean>
  /**
   * Does the work, within what a caller waits or the time that is given.
   * @throws ServerUnavailable for what the driver throws when the server is not there or not there in time
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
/** Closing says goodbye to the server, which may be away. */
const CLOSE_MS = 2_000
/** Of an operation whose connection breaks between its write and its read the driver may never say a word. */
const LOST_MS = 10_000

/** They go before what the URL says: the bounds are what the process relies on. */
const OPTIONS: MongoClientOptions = {
  appName: 'marquee',
  // Longer than a change of the primary's mind, shorter than a caller's patience.
  serverSelectionTimeoutMS: 2_000,
  // Also what the monitor waits for an answer: a server that hangs is noticed after a heartbeat and this, and whoever waits for
  // an answer of it is told then.
  connectTimeoutMS: 2_000,
  // So soon it is felt that a server is back (or gone, where nothing is asked of it).
  heartbeatFrequencyMS: 1_000,
  // The same while operations wait for a primary: each look is one small command, and all of them go on at the first that finds one.
  minHeartbeatFrequencyMS: 100,
  // The last bound: the monitor sees the server and this one connection gets no answer. Indexes of large collections take long.
  socketTimeoutMS: 15_000,
  waitQueueTimeoutMS: 2_000,
  maxPoolSize: 32,
  // Idle connections are cheap for the server and dear where a firewall forgot them.
  maxIdleTimeMS: 300_000,
  // Of use in a replica set, where the next primary answers; a standalone server is not asked for it.
  retryWrites: true,
  retryReads: true,
  // Of a value that is not there nothing is stored, as in JSON.
  ignoreUndefined: true,
}

/** Of the database, since of the client's the URL would have the last word: `journal=false`, `readPreference=secondary`. */
const DATABASE_OPTIONS: DbOptions = {
  // What is acknowledged outlives a power cut and the loss of any minority of the set.
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: 5_000 },
  // Elsewhere one would not find what one has just written.
  readPreference: 'primary',
}

export function connectMongo({ url, clock }: MongoConnectionOptions): MongoConnection {
  const client = clientOf(url)
  const db = client.db(databaseOf(url), DATABASE_OPTIONS)
  let transactions: boolean | undefined
  let pinging: Promise<unknown> | undefined
  let connecting: Promise<unknown> | undefined
  let isClosed = false
  /** How the driver last saw the servers, with what each of them failed with: it tells long before an operation gives up. */
  let seen: unknown
  client.on('topologyDescriptionChanged', ({ newDescription }) => void (seen = newDescription))

  /** After a first connect that failed the driver keeps a closed topology, on which every later call fails at once: connect again. */
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
    // One at a time, however many ask: a server that hangs would be given a queue.
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

/** @throws Error without anything of the user in its text */
function clientOf(url: string): MongoClient {
  try {
    return new MongoClient(url, OPTIONS)
  } catch (error) {
    const told = error instanceof Error ? error.message : ''
    const why = told !== '' && !tells(told, url) ? `: ${told}` : ''
    // oxlint-disable-next-line preserve-caught-error -- the driver's error may quote the URL
    throw new Error(`The driver of ${SERVER} does not take its address${why}`)
  }
}

/** Whether a text holds the name or the password of the URL, or the URL itself. */
function tells(text: string, url: string): boolean {
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
