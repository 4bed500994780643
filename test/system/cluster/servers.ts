/**
 * Starts the servers that a cluster shares: an event store, MongoDB and NATS, each as a process on a free port with temporary data. Event
 * store and MongoDB may be existing servers instead.
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
  /** Settings of the product for these servers. */
  readonly config: { readonly eventLog: string; readonly readStore: string; readonly vault: string; readonly bus: string }
  readonly env: Readonly<Record<string, string>>
  stop(): Promise<void>
}

/** Programs missing on this machine, by their names in `MARQUEE_TEST_REQUIRE`. */
export interface Missing {
  readonly missing: readonly string[]
}

/** Addresses of existing servers. */
export interface NamedServers {
  /** Its log must be empty; default: the fake. */
  readonly eventLogUrl?: string | undefined
  /** Default: one on this machine. */
  readonly mongodbUrl?: string | undefined
}

export async function startClusterServers({ eventLogUrl, mongodbUrl }: NamedServers = {}): Promise<ClusterServers | Missing> {
  // An existing server may have several users at a time.
  const suffix = mongodbUrl === undefined ? '' : `-${randomBytes(4).toString('hex')}`
  const [readModels, vault] = [`marquee${suffix}`, `marquee_vault${suffix}`]
  const openMongo = async () => (mongodbUrl === undefined ? startMongo() : runningMongo(mongodbUrl, [readModels, vault]))
  const [mongodb, nats] = await allOrNone([openMongo(), startNewestNats()])
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

/** If one does not start, the others are stopped: the test's process would wait for them. */
async function allOrNone(starting: readonly Promise<TestServer | undefined>[]) {
  const settled = await Promise.allSettled(starting)
  const servers = settled.map((one) => (one.status === 'fulfilled' ? one.value : undefined))
  const failed = settled.find((one) => one.status === 'rejected')
  if (!failed) return servers
  await Promise.all(servers.map(async (server) => server?.stop()))
  throw failed.reason
}
