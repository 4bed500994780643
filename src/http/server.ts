/** Builds the HTTP server: plugins, hooks in their order of execution, and routes. */
import cookie from '@fastify/cookie'
import fastify from 'fastify'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { Clock } from '../ports/clock.ts'
import type { Counters } from '../ports/counters.ts'
import type { Ids } from '../ports/ids.ts'
import type { Meters } from '../ports/meters.ts'
import type { Tracer } from '../ports/tracer.ts'
import type { IdempotencyStore } from '../ports/idempotency-store.ts'
import { noteAnswers, stopAnswered } from './server/answered-once.ts'
import type { App, HttpServices, Readiness, RouteContext, ShownAgent, ShownBackup, ShownCache, ShownSetting } from './server/app.ts'
import { addBodies, BODY_LIMIT_BYTES } from './server/body.ts'
import { addCaching } from './server/caching.ts'
import { addClosing } from './server/closing.ts'
import { addCompression } from './server/compression.ts'
import { addCors } from './server/cors.ts'
import { createCursors } from './server/cursors.ts'
import { addEntityTags } from './server/entity-tags.ts'
import { addErrorHandler, answerBadRequest, answerBadUrl } from './server/error-handler.ts'
import { addAuthentication, type GuardServices } from './server/guard.ts'
import { addIdempotency } from './server/idempotency.ts'
import { createLateCompletions } from './server/late-completions.ts'
import { addIdentifiers } from './server/identifiers.ts'
import { addLogPosition } from './server/log-position.ts'
import { watchMethods } from './server/methods.ts'
import { addOperatorCalls } from './server/operator-calls.ts'
import { createPaging } from './server/paging.ts'
import { createLimiter } from './server/rate-limit.ts'
import { addRequestContext } from './server/request-context.ts'
import { addRequestLog, logOptions, type LogOptions } from './server/request-log.ts'
import { addRequestMetrics } from './server/request-metrics.ts'
import { addRequestTraces } from './server/request-traces.ts'
import { addRoutes } from './routes.ts'
import { createSendfile, type SendfileOptions } from './server/sendfile.ts'
import { describeInterface } from './server/description.ts'
import { addSchemas } from './schemas.ts'
import { createSchemaBucket } from './server/schema-bucket.ts'
import { addSecurityHeaders } from './server/security-headers.ts'
import { createSerializerFactory } from './server/serialization.ts'
import { createValidatorCompiler } from './server/validation.ts'
import { createWebFiles } from './web/files.ts'
import { addWebRoutes } from './web/web-routes.ts'

export interface HttpConfig {
  /** The secret that signs cursors, followed by older ones that still verify. */
  readonly secrets: readonly [string, ...string[]]
  /** Requests a minute for each user; as many again for each login that end logins and access tokens. */
  readonly rateLimit: number
  /** Speed tests a minute for each user; default 3. */
  readonly speedtestRateLimit?: number | undefined
  /** Public address of the server; default: taken from each request. */
  readonly publicUrl?: string | undefined
  /** Proxies whose `X-Forwarded-*` headers are trusted: addresses or networks. */
  readonly trustedProxies?: readonly string[] | undefined
  /** Origins of other web pages that may call the API from browsers. */
  readonly corsOrigins?: readonly string[] | undefined
  /** Folders that libraries must be below; empty or undefined: anywhere. */
  readonly mediaRoots?: readonly string[] | undefined
  /** How the reverse proxy sends files; default: this server sends them itself. */
  readonly sendfileBy?: SendfileOptions | undefined
  /** The settings as administrators see them; default: none. */
  readonly settings?: readonly ShownSetting[]
  /** Version of the program, for the description. */
  readonly version: string
  /** Folder of the built web client; default: none is served. */
  readonly webFolder?: string
}

/** The services that the server itself calls, whatever its routes are. */
export type ServerServices = GuardServices | 'lastChanges' | 'liveEvents' | 'readYourWrites' | 'sealer'

export interface HttpDependencies<Names extends keyof HttpServices> {
  readonly services: Pick<HttpServices, ServerServices> & Pick<HttpServices, Names>
  readonly counters: Counters
  readonly clock: Clock
  readonly ids: Ids
  readonly idempotencyStore: IdempotencyStore
  readonly config: HttpConfig
  readonly ready: () => Readiness | Promise<Readiness>
  /** How backups go; default: there are none. */
  readonly backup?: () => ShownBackup
  /** The transcode agents; default: none. */
  readonly agents?: () => readonly ShownAgent[]
  /** The cache of segments on disk; default: there is none. */
  readonly cache?: () => ShownCache
  /** Counts requests; default: nobody does. */
  readonly meters?: Pick<Meters, 'request'>
  /** Traces requests; default: nobody does. */
  readonly tracer?: Pick<Tracer, 'beginRequest'>
  /** Gets the cause of each request that has failed; default: only the log does. */
  readonly failed?: (cause: unknown) => void
  readonly log: LogOptions
}

const NO_BACKUP: ShownBackup = { lastSuccessAt: null, lastEvents: null, lastFailure: null }

const REQUEST_MS = 60_000
const SPEEDTESTS = 3
/** Longer than any URL that Node accepts: an overlong name is simply unknown. */
const PARAMETER_MAX = 65_536

type AddRoutes<Names extends keyof HttpServices> = (app: App, context: RouteContext<Names>) => void | Promise<void>

/** A server with all routes, ready to listen; `close` ends requests in flight, then cuts the remaining ones. */
export const createHttpServer = (deps: HttpDependencies<keyof HttpServices>): Promise<App> => createServerOf(deps, addRoutes)

/** A server with some groups of routes: it needs their services only. */
export async function createServerOf<Names extends keyof HttpServices>(deps: HttpDependencies<Names>, add: AddRoutes<Names>): Promise<App> {
  const { services, counters, clock, ids, config } = deps
  const { publicUrl, corsOrigins = [], speedtestRateLimit: speedtest = SPEEDTESTS } = config
  const app = createApp(deps)
  app.setValidatorCompiler(createValidatorCompiler({ mediaRoots: config.mediaRoots ?? [] }))
  addSchemas(app)
  addErrorHandler(app, clock, deps.failed)
  addRequestContext(app)
  addRequestLog(app, clock)
  if (deps.meters) addRequestMetrics(app, clock, deps.meters)
  if (deps.tracer) addRequestTraces(app, deps.tracer)
  noteAnswers(app)
  addSecurityHeaders(app, publicUrl)
  await app.register(cookie)
  addCors(app, corsOrigins)
  addCaching(app)
  const closing = addClosing(app, clock)
  const methods = watchMethods(app)
  addBodies(app)
  const operators = addOperatorCalls(app, ids)
  const budgets = { default: config.rateLimit, logins: config.rateLimit, speedtest }
  addAuthentication(app, { services, publicUrl, operators }, await createLimiter(app, counters, budgets))
  addIdentifiers(app)
  addLogPosition(app, services)
  addEntityTags(app, services)
  const idempotencyStore = createLateCompletions({ idempotencyStore: deps.idempotencyStore, clock })
  addIdempotency(app, { idempotencyStore, sealer: services.sealer, ids, secret: config.secrets[0] })
  stopAnswered(app)
  addCompression(app)
  const description = describeInterface(app, config.version)
  const paging = createPaging(createCursors(config.secrets))
  const webFiles = config.webFolder === undefined ? undefined : createWebFiles(config.webFolder)
  const webBuild = async (): Promise<string | null> => (await webFiles?.read().catch(() => undefined))?.manifest.build ?? null
  const { settings = [], version } = config
  const sendfile = config.sendfileBy && createSendfile(config.sendfileBy)
  const { ready, backup = () => NO_BACKUP, agents = () => [], cache = () => null } = deps
  await add(app, {
    services,
    paging,
    clock,
    closing,
    ready,
    backup,
    agents,
    cache,
    publicUrl,
    sendfile,
    settings,
    version,
    webBuild,
    description,
  })
  if (webFiles) await addWebRoutes(app, webFiles)
  methods.complete()
  await app.ready()
  // Unknown expectations of a client are no reason to reject a request.
  app.server.on('checkExpectation', (request, response) => app.routing(request, response))
  return app
}

function createApp({ clock, config, ids, log }: Pick<HttpDependencies<never>, 'clock' | 'config' | 'ids' | 'log'>): App {
  const { trustedProxies = [] } = config
  return fastify({
    ...logOptions(log),
    genReqId: () => ids.next(),
    requestIdHeader: false,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_MS,
    routerOptions: { maxParamLength: PARAMETER_MAX },
    schemaController: { bucket: createSchemaBucket, compilersFactory: { buildSerializer: createSerializerFactory() } },
    // Our own response in the common error format replaces Fastify's (closing.ts).
    return503OnClosing: false,
    forceCloseConnections: true,
    frameworkErrors: answerBadUrl,
    clientErrorHandler: answerBadRequest(ids, clock),
  }).withTypeProvider<TypeBoxTypeProvider>()
}
