/** Two API nodes of one site in one process, each with an HTTP server: in-memory engines, a manual clock. */
import { once } from 'node:events'
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Test } from 'tap'
import { createTestIds } from '../../../src/adapters/memory/ids.ts'
import { createMemoryIdempotencyStore } from '../../../src/adapters/memory/idempotency-store.ts'
import type { HttpConfig } from '../../../src/http/server.ts'
import type { IdempotencyStore } from '../../../src/ports/idempotency-store.ts'
import type { StreamAsk } from '../../../src/app/streaming/stream-answers.ts'
import type { LibraryId } from '../../../src/vocabulary/id.ts'
import { createCluster, openNodeFixture, SECRETS, type NodeFixture, type Cluster } from '../../fixtures/node-fixture.ts'
import { openEvents, type EventClient } from '../event-client.ts'
import { createFakePlayback } from '../../fixtures/fake-services/playback.ts'
import { createNodeServer } from '../../fixtures/serve-node.ts'

export interface Node {
  readonly fixture: NodeFixture
  /** Sends a request with an access token. */
  ask(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, asked?: Asked): Promise<Answer>
  askWhole(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, asked?: Asked): Promise<WholeAnswer>
  /** Opens a response without reading it yet. */
  get(path: string): Promise<IncomingMessage>
  events(token: string): Promise<EventClient>
  /** Sessions that have requested a segment. */
  readonly waiting: ReadonlySet<string>
}

interface Answer {
  readonly status: number
  readonly body: string
}

interface WholeAnswer extends Answer {
  readonly headers: Readonly<Record<string, unknown>>
}

interface Asked {
  readonly token?: string
  readonly body?: object
  /** Idempotency key of a request that may be retried. */
  readonly key?: string
}

export interface TwoNodes {
  readonly cluster: Cluster
  readonly one: Node
  readonly two: Node
  readonly library: LibraryId
  readonly movie: string
}

const FILM_BYTES = 60_000_000

/** With a library of one film, which is too large for any buffer; its segments are never ready. */
export async function openTwoNodes(t: Test, config: Partial<HttpConfig> = {}): Promise<TwoNodes> {
  const cluster = createCluster()
  const [one, two] = [await openNode(t, { cluster, name: 'one', config }), await openNode(t, { cluster, name: 'two', config })]
  const folder = join(t.testdir(), 'films')
  const path = join(folder, 'Metropolis (1927).mkv')
  mkdirSync(folder)
  writeFileSync(path, '')
  truncateSync(path, FILM_BYTES)
  cluster.mediaFiles.put(path, { sizeBytes: FILM_BYTES })
  const library = await one.fixture.newLibrary(folder)
  await one.fixture.scan(library)
  return { cluster, one, two, library, movie: (await one.fixture.movieNamed('Metropolis')).id }
}

interface NodeOptions {
  readonly cluster: Cluster
  readonly name: string
  readonly config?: Partial<HttpConfig>
  /** An open node. */
  readonly fixture?: NodeFixture
  readonly idempotencyStore?: IdempotencyStore
}

export async function openNode(
  t: Test,
  { cluster, name, config = {}, fixture: open, idempotencyStore = createMemoryIdempotencyStore({ clock: cluster.clock }) }: NodeOptions,
): Promise<Node> {
  const fixture = open ?? (await openNodeFixture(t, { cluster, node: name }))
  const waiting = new Set<string>()
  const segment = ({ session }: StreamAsk): Promise<never> => {
    waiting.add(session.id)
    return new Promise(() => {})
  }
  const { clock, counters } = cluster
  const app = await createNodeServer({
    services: { ...fixture, streams: { ...createFakePlayback().streams, segment } },
    ports: { counters, idempotencyStore, clock, ids: createTestIds({ series: name }) },
    ready: fixture.readiness,
    config: { secrets: SECRETS, rateLimit: 1_000_000, version: '1.2.3', ...config },
  })
  t.teardown(() => app.close())
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const askWhole: Node['askWhole'] = async (method, path, { token, body, key } = {}) => {
    const bearer = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const headers = { ...bearer, ...(key === undefined ? {} : { 'idempotency-key': key }) }
    const answer = await app.inject({ method, url: path, headers, ...(body ? { payload: body } : {}) })
    return { status: answer.statusCode, body: answer.body, headers: answer.headers }
  }

  return {
    fixture,
    waiting,
    async ask(method, path, asked) {
      const { status, body } = await askWhole(method, path, asked)
      return { status, body }
    },
    askWhole,
    async get(path) {
      const asked = request(`${url}${path}`, { agent: false }).end()
      asked.on('error', () => {})
      t.teardown(() => asked.destroy())
      const [answer] = await once(asked, 'response')
      return answer
    },
    async events(token) {
      const client = await openEvents(`${url}/api/events?token=${token}`)
      t.teardown(client.close)
      return client
    },
  }
}
