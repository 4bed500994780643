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
import type { App, HttpServices, Readiness, RouteContext, ShownAgent, ShownBackup, ShownCache } from '../../src/http/server/app.ts'
import { addRoutes } from '../../src/http/routes.ts'
import { createServerOf, type HttpConfig, type HttpDependencies, type ServerServices } from '../../src/http/server.ts'
import { omitUndefined } from '../../src/vocabulary/omit-undefined.ts'
import { createFakeServer } from '../fixtures/fake-services/server.ts'
import { createFakeServices } from '../fixtures/fake-services/services.ts'
import { ADMIN_TOKEN } from '../fixtures/samples.ts'

interface RoutesServer {
  readonly app: App
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

export interface TestServer<Fakes = HttpServices> extends RoutesServer {
  readonly services: Fakes
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

interface ServeOptions {
  readonly config?: Partial<HttpConfig>
  readonly ready?: () => Readiness
  readonly backup?: () => ShownBackup
  readonly agents?: () => readonly ShownAgent[]
  readonly cache?: () => ShownCache
  readonly meters?: Pick<Meters, 'request'>
  readonly counters?: Counters
}

export interface TestServerOptions<Fakes = HttpServices> extends ServeOptions {
  readonly services?: (services: Fakes) => Fakes
}

export interface Test {
  teardown(done: () => unknown): unknown
}

export const SECRET = 'a secret of at least thirty-two characters'

/** Starts servers with these routes, on the services that they call. */
export function serverOf<Names extends keyof HttpServices, Fakes extends Pick<HttpServices, Names>>(
  add: (app: App, context: RouteContext<Names>) => void | Promise<void>,
  createFakes: () => Fakes,
) {
  type All = Fakes & Pick<HttpServices, ServerServices>
  return async (t: Test, { services: change = (same) => same, ...options }: TestServerOptions<All> = {}): Promise<TestServer<All>> => {
    const services = change({ ...createFakeServer(), ...createFakes() })
    return { ...(await serve(t, (common) => createServerOf<Names>({ ...common, services }, add), options)), services }
  }
}

/** A server with all routes. */
export const startServer: (t: Test, options?: TestServerOptions) => Promise<TestServer> = serverOf(addRoutes, createFakeServices)

async function serve(
  t: Test,
  make: (common: Omit<HttpDependencies<never>, 'services'>) => Promise<App>,
  { config = {}, ready = () => ({ ready: true }), backup, agents, cache, meters, counters }: ServeOptions,
): Promise<RoutesServer> {
  const clock = createTestClock()
  const lines: string[] = []
  const { made, routes } = watchRoutes(() =>
    make({
      counters: counters ?? createMemoryCounters({ clock }),
      idempotencyStore: createMemoryIdempotencyStore({ clock }),
      clock,
      ids: createTestIds(),
      config: { secrets: [SECRET], rateLimit: 100_000, version: '0.0.0', ...config },
      ready,
      ...omitUndefined({ backup, agents, cache, meters }),
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
