/**
 * Provides EventStoreDB for tests: the server in `MARQUEE_TEST_ESDB_URL` (one node, insecure), otherwise the fake in `event-store/`, which
 * speaks to the real client and has injectable faults.
 */
import { join } from 'node:path'
import type { Test } from 'tap'
import type { Faults } from './event-store/faults.ts'
import { freePort, startTestServer, type TestServer } from './server.ts'

export interface EventStoreUnderTest {
  readonly version: string
  /** A connection string for the real client. */
  readonly url: string
}

/** The fake, which tests may kill and inject faults into. */
export interface OwnEventStore extends EventStoreUnderTest {
  readonly server: TestServer
  setFaults(faults: Partial<Faults>): Promise<void>
  /** Resets all connections; the server keeps running. */
  cut(): Promise<void>
  /** Settles when the scavenge is done. */
  scavenge(): Promise<void>
  /** Settles at once, as the real server answers. */
  startScavenge(): Promise<{ scavengeId: string }>
  /** Path of its log. */
  readonly logFile: string
}

/** Deviations that the real server of this version always has. */
const INBORN_FAULTS = 'resume-loses-one'
const VERSION = '23.10.6 (stand-in)'
const MAIN = join(import.meta.dirname, 'event-store/main.ts')
const ANSWER_MS = 10_000

/** Runs the tests over the available EventStoreDB. */
export async function overEventStore(t: Test, tests: (t: Test, eventStore: EventStoreUnderTest) => void | Promise<void>): Promise<void> {
  const url = process.env['MARQUEE_TEST_ESDB_URL']
  if (!url) return overOwnEventStore(t, tests)
  const version = await versionAt(url)
  await t.test(`over EventStoreDB ${version}`, async (t) => tests(t, { version, url }))
}

/** The same, only over the fake. */
export async function overOwnEventStore(t: Test, tests: (t: Test, eventStore: OwnEventStore) => void | Promise<void>): Promise<void> {
  await t.test(`over EventStoreDB ${VERSION}`, async (t) => {
    const eventStore = await startEventStore()
    t.teardown(() => eventStore.server.stop())
    await tests(t, eventStore)
  })
}

/** Starts a fake with a new, empty log. @param faults in the format of `--faults` */
export async function startEventStore(faults = INBORN_FAULTS): Promise<OwnEventStore> {
  return startNodes([], faults)
}

/** Three nodes with one log; the first one leads. The address contains all of them. */
export async function startEventStoreCluster(): Promise<OwnEventStore> {
  return startNodes([await freePort(), await freePort()], INBORN_FAULTS)
}

async function startNodes(otherPorts: readonly number[], faults: string): Promise<OwnEventStore> {
  let logFile = ''
  const others = otherPorts.map((port) => `,127.0.0.1:${port}`).join('')
  const server = await startTestServer({
    name: `EventStoreDB ${VERSION}`,
    url: (port) => `esdb://127.0.0.1:${port}${others}?tls=false`,
    command: process.execPath,
    args: ({ port, folder }) => {
      logFile = join(folder, 'log')
      const more = ['--more-ports', otherPorts.join(',')]
      return [MAIN, '--with-parent', '--port', String(port), ...more, '--folder', folder, '--faults', faults]
    },
    answers: async (port) => (await get(`http://127.0.0.1:${port}/health/live`).catch(() => undefined))?.status === 204,
  })
  const base = httpOf(server.url)
  return {
    version: VERSION,
    url: server.url,
    server,
    setFaults: async (wanted) => void (await post(`${base}/faults`, wanted)),
    cut: async () => void (await post(`${base}/cut`)),
    logFile,
    startScavenge: async () => (await post(`${base}/admin/scavenge`)) as { scavengeId: string },
    scavenge: async () => void (await post(`${base}/admin/scavenge?wait=true`)),
  }
}

/** The HTTP side of the same port. */
export const httpOf = (url: string): string => `http://${/^esdb:\/\/(?:[^@/]*@)?([^/?]+)/.exec(url)?.[1]?.split(',', 1).join() ?? ''}`

async function versionAt(url: string): Promise<string> {
  const description: unknown = await (await get(`${httpOf(url)}/info`)).json()
  return /"esVersion":"([^"]+)"/.exec(JSON.stringify(description))?.[1] ?? 'of MARQUEE_TEST_ESDB_URL'
}

const get = (url: string): Promise<Response> => fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) })

async function post(url: string, body: object = {}): Promise<unknown> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body), signal: AbortSignal.timeout(ANSWER_MS) })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return response.status === 204 ? undefined : response.json()
}
