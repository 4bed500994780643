/**
 * The servers that a cluster shares: an event store, MongoDB's server and NATS, each a process on a free port with data of its own,
 * gone when it is stopped. Event store and MongoDB may be real ones that are running somewhere.
 */
import { randomBytes } from 'node:crypto'
import { startEventStore } from '../../fakes/event-store.ts'
import { nameAt, runningMongo, startMongo, withDatabase } from '../../fakes/mongodb.ts'
import { startNewestNats } from '../../fakes/nats.ts'
import { runningServer, type TestServer } from '../../fakes/server.ts'

export interface ClusterServers {
  readonly eventLog: TestServer
  readonly mongodb: TestServer
  readonly nats: TestServer
  /** What the product is configured with. */
  readonly config: { readonly eventLog: string; readonly readStore: string; readonly vault: string; readonly bus: string }
  readonly env: Readonly<Record<string, string>>
  stop(): Promise<void>
}

/** What this machine lacks, by the names of `MARQUEE_TEST_REQUIRE`. */
export interface Missing {
  readonly missing: readonly string[]
}

/** Of servers that run already. */
export interface NamedServers {
  /** Its log is empty; default: the stand-in. */
  readonly eventLogUrl?: string | undefined
  /** Default: one that is on this machine. */
  readonly mongodbUrl?: string | undefined
}

export async function startClusterServers({ eventLogUrl, mongodbUrl }: NamedServers = {}): Promise<ClusterServers | Missing> {
  // Of a server that stays there may be more than one user at a time.
  const suffix = mongodbUrl === undefined ? '' : `-${randomBytes(4).toString('hex')}`
  const [readModels, vault] = [`marquee${suffix}`, `marquee_vault${suffix}`]
  const starting = mongodbUrl === undefined ? startMongo() : runningMongo(mongodbUrl, [readModels, vault])
  const [mongodb, nats] = await Promise.all([starting, startNewestNats()])
  if (!mongodb || !nats) {
    await Promise.all([mongodb?.stop(), nats?.stop()])
    return { missing: [...(mongodb ? [] : ['mongodb']), ...(nats ? [] : ['nats'])] }
  }
  const eventLog =
    eventLogUrl === undefined ? (await startEventStore()).server : runningServer(eventLogUrl, 'EventStoreDB (MARQUEE_TEST_ESDB_URL)')
  const config = {
    eventLog: eventLog.url,
    readStore: withDatabase(mongodb.url, readModels),
    vault: withDatabase(mongodb.url, vault),
    bus: nats.url,
  }
  const { eventLog: MARQUEE_EVENT_LOG, readStore: MARQUEE_READ_STORE, vault: MARQUEE_VAULT, bus: MARQUEE_BUS } = config
  return {
    eventLog,
    mongodb: { ...mongodb, name: await nameAt(mongodb.url) },
    nats,
    config,
    env: { MARQUEE_EVENT_LOG, MARQUEE_READ_STORE, MARQUEE_VAULT, MARQUEE_BUS },
    stop: async () => void (await Promise.all([eventLog.stop(), mongodb.stop(), nats.stop()])),
  }
}
