/** A server of the HTTP layer over fake services, called in process or over a socket. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { AddressInfo } from 'node:net'
import type { RouteOptions } from 'fastify'
import { createTestClock, type TestClock } from '../../src/adapters/memory/clock.ts'
import { createMemoryCounters } from '../../src/adapters/memory/counters.ts'
import { createTestIds } from '../../src/adapters/memory/ids.ts'
import { createMemoryIdempotencyStore } from '../../src/adapters/memory/idempotency-store.ts'
import type { Meters } from '../../src/ports/meters.ts'
import type { Counters } from '../../src/ports/counters.ts'
import type { App, HttpServices, Readiness, ShownAgent, ShownBackup, ShownCache } from '../../src/http/server/app.ts'
import { createHttpServer, type HttpConfig } from '../../src/http/server.ts'
import { ADMIN_TOKEN, createFakeServices } from '../fixtures/fake-services.ts'

export interface TestServer {
  readonly app: App
  readonly services: HttpServices
  readonly clock: TestClock
  /** Log lines. */
  readonly lines: string[]
  /** Sends a request with the admin's token. */
  ask(method: Method, url: string, more?: Asked): Promise<Answer>
  /** Sends a request without any credential. */
  anon(method: Method, url: string, more?: Asked): Promise<Answer>
  /** Base URL; listens from the first call on. */
  listen(): Promise<string>
  /** Every registered route that is not hidden, as `METHOD /path/{parameter}`. HEAD is implied by GET and not listed. */
  routes(): readonly string[]
}

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

interface Asked {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly raw?: string | Buffer
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
  readonly bytes: Buffer
  /** The body as the test expects it to be. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters
  json<Body = unknown>(): Body
}

export interface TestServerOptions {
  readonly config?: Partial<HttpConfig>
  readonly services?: (services: HttpServices) => HttpServices
  readonly ready?: () => Readiness
  readonly backup?: () => ShownBackup
  readonly agents?: () => readonly ShownAgent[]
  readonly cache?: () => ShownCache
  readonly meters?: Pick<Meters, 'request'>
  readonly counters?: Counters
}

export const SECRET = 'a secret of at least thirty-two characters'

export async function startServer(
  t: { teardown(done: () => unknown): unknown },
  {
    config = {},
    services = (same) => same,
    ready = () => ({ ready: true }),
    backup,
    agents,
    cache,
    meters,
    counters,
  }: TestServerOptions = {},
): Promise<TestServer> {
  const clock = createTestClock()
  const lines: string[] = []
  const ours = services(createFakeServices())
  const { made, routes } = watchRoutes(() =>
    createHttpServer({
      services: ours,
      counters: counters ?? createMemoryCounters({ clock }),
      idempotencyStore: createMemoryIdempotencyStore({ clock }),
      clock,
      ids: createTestIds(),
      config: { secrets: [SECRET], rateLimit: 100_000, version: '0.0.0', ...config },
      ready,
      ...(backup ? { backup } : {}),
      ...(agents ? { agents } : {}),
      ...(cache ? { cache } : {}),
      ...(meters ? { meters } : {}),
      log: { level: 'info', write: (line) => void lines.push(line) },
    }),
  )
  const app = await made
  t.teardown(() => app.close())

  async function send(method: Method, url: string, { body, headers = {}, raw }: Asked): Promise<Answer> {
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const res = await app.inject({ method, url, headers: { ...type, ...headers }, ...(payload === undefined ? {} : { payload }) })
    const lowered = Object.entries(res.headers).map(([name, value]) => [name, value === undefined ? undefined : String(value)])
    return { status: res.statusCode, headers: Object.fromEntries(lowered), text: res.body, bytes: res.rawPayload, json: () => res.json() }
  }

  return {
    app,
    services: ours,
    clock,
    lines,
    ask: (method, url, more = {}) => send(method, url, { ...more, headers: { authorization: `Bearer ${ADMIN_TOKEN}`, ...more.headers } }),
    anon: (method, url, more = {}) => send(method, url, more),
    async listen() {
      if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
      const { port } = app.server.address() as AddressInfo
      return `http://127.0.0.1:${port}`
    },
    routes: () => routes,
  }
}

const BIRTH = 'fastify.initialization'

/** Records the routes of the server that `make` builds: Fastify reports each instance before its first route can be added. */
function watchRoutes(make: () => Promise<App>): { readonly made: Promise<App>; readonly routes: readonly string[] } {
  const routes: string[] = []
  const note = ({ method, url, schema }: RouteOptions) => {
    if (schema?.hide) return
    const methods = [method].flat().filter((name) => name !== 'HEAD')
    routes.push(...methods.map((name) => `${name} ${url.replaceAll(/:(\w+)/g, '{$1}')}`))
  }
  const onBirth = (message: unknown) => void (message as { fastify: App }).fastify.addHook('onRoute', note)
  subscribe(BIRTH, onBirth)
  const made = make()
  unsubscribe(BIRTH, onBirth)
  return { made, routes }
}
