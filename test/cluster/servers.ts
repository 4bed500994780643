/**
 * The servers that a cluster shares: an event store, MongoDB's server and NATS, each a process on a free port with data of its own,
 * gone when it is stopped. The event store may be a real one that is running somewhere.
 */
import { startEventStore } from '../servers/event-store.ts'
import { nameAt, startMongo, withDatabase } from '../servers/mongodb.ts'
import { startNewestNats } from '../servers/nats.ts'
import type { TestServer } from '../servers/server.ts'

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

/** `eventLogUrl`: of one that runs already, whose log is empty; default: the stand-in. */
export async function startClusterServers(eventLogUrl?: string): Promise<ClusterServers | Missing> {
  const [mongodb, nats] = await Promise.all([startMongo(), startNewestNats()])
  if (!mongodb || !nats) {
    await Promise.all([mongodb?.stop(), nats?.stop()])
    return { missing: [...(mongodb ? [] : ['mongodb']), ...(nats ? [] : ['nats'])] }
  }
  const eventLog = eventLogUrl === undefined ? (await startEventStore()).server : running(eventLogUrl)
  const config = {
    eventLog: eventLog.url,
    readStore: withDatabase(mongodb.url, 'marquee'),
    vault: withDatabase(mongodb.url, 'marquee_vault'),
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

/** One that somebody else has started stays as it is. */
function running(url: string): TestServer {
  const name = 'EventStoreDB (MARQUEE_TEST_ESDB_URL)'
  const notOurs = async () => {
    throw new Error(`${name} is not ours to end`)
  }
  return { url, name, pid: () => 0, signal: () => {}, kill: notOurs, restart: notOurs, stop: async () => {} }
}
