/**
 * The topologies in which Marquee runs, for tests that start a server: one process on files; and API, projector and transcode agent as
 * three processes on servers.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createSqliteEventLog } from '../../../src/adapters/sqlite/event-log.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import type { EventLog } from '../../../src/ports/event-log.ts'
import { startCluster, type Cluster } from '../cluster/cluster.ts'
import { openClusterLog } from '../cluster/engines.ts'
import { startClusterServers } from '../cluster/servers.ts'
import { tellMissing } from '../../fixtures/programs.ts'
import { SETTINGS, startServer, type RunningServer } from './server-process.ts'
import { testFolder } from '../../fixtures/test-folder.ts'

interface StartOptions {
  readonly media?: string
  readonly env?: Readonly<Record<string, string>>
  /** Further settings of the separate projector and agent. */
  readonly projectorEnv?: Readonly<Record<string, string>>
  readonly agentEnv?: Readonly<Record<string, string>>
}

export interface Installation {
  readonly topology: 'one process' | 'three processes on servers'
  /** For any use by the test. */
  readonly folder: string
  /** Data that is not on servers. */
  readonly dataDir: string
  /** Of the server with its read models and its vault; null: they are files. */
  readonly mongodbUrl: string | null
  /** Starts the server, or restarts it on its stored data. */
  start(options?: StartOptions): Promise<RunningServer>
  /** Its stored log; read it after the server's end. */
  openLog(): Promise<EventLog>
}

/** For one test; a file must have time for two. */
const TEST_MS = 220_000
t.setTimeout(2 * TEST_MS)

/** Runs the test once in each topology, or reports which servers are missing. */
export function inEachTopology(title: string, given: { readonly timeout?: number; readonly skip?: string | false }, test: Body): void {
  const options = { timeout: TEST_MS, ...given }
  t.test(`${title}: one process`, options, (t) => test(t, oneProcess(t)))
  t.test(`${title}: three processes on servers`, options, async (t) => {
    const installation = await threeProcesses(t)
    if (installation) await test(t, installation)
  })
}

type Body = (t: Test, installation: Installation) => Promise<void>

function oneProcess(t: Test): Installation {
  const folder = testFolder(t)
  const dataDir = join(folder, 'data')
  return {
    topology: 'one process',
    folder,
    dataDir,
    mongodbUrl: null,
    async start({ media, env } = {}) {
      mkdirSync(dataDir, { recursive: true })
      const server = await startServer({ dataDir, ...(media === undefined ? {} : { media }), ...(env ? { env } : {}) })
      t.teardown(() => server.child.kill('SIGKILL'))
      return server
    },
    openLog: async () => createSqliteEventLog({ clock: createSystemClock(), file: join(dataDir, 'events.sqlite') }),
  }
}

async function threeProcesses(t: Test): Promise<Installation | undefined> {
  const folder = testFolder(t)
  const servers = await startClusterServers()
  if ('missing' in servers) {
    for (const name of servers.missing) tellMissing(t, name)
    return undefined
  }
  t.teardown(() => servers.stop())
  const dataDir = join(folder, 'data')
  const secret = randomBytes(32).toString('hex')
  return {
    topology: 'three processes on servers',
    folder,
    dataDir,
    mongodbUrl: servers.mongodb.url,
    async start({ media, env, projectorEnv = {}, agentEnv = {} } = {}) {
      const shared = { servers, secret, folder: dataDir, media, env: { ...SETTINGS, ...env } }
      const cluster = await startCluster({ ...shared, projectorEnv, agentEnv: () => agentEnv })
      t.teardown(() => cluster.end('SIGKILL'))
      await cluster.ready()
      return asServer(cluster)
    },
    openLog: () => openClusterLog(servers),
  }
}

function asServer(cluster: Cluster): RunningServer {
  return {
    url: cluster.apis[0]?.url ?? '',
    output: () => cluster.programs.map((program) => program.output()).join('\n'),
    end: async (signal) => ((await cluster.end(signal)).length === 0 ? 0 : 1),
  }
}
