/** Guards every route, in this order: authentication, rate limit, origin, role. By default a route requires a signed-in user. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { Caller, Precondition, RequestOrigin } from '../../app/access/caller.ts'
import type { App, RouteContext } from './app.ts'
import { setSessionCookie } from './cookies.ts'
import { credentialOf, type Credential } from './credentials.ts'
import { forbidden, unauthenticated, unavailable } from './errors.ts'
import { networkOf } from './network.ts'
import type { Access, CalledBy } from './operation.ts'
import type { OperatorCallers } from './operator-calls.ts'
import type { Limiter } from './rate-limit.ts'
import { isApiPath, routePath } from './route-path.ts'
import { missingScope, neededScope, type NeededScope } from './token-scopes.ts'

interface Asking {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly credential: Credential | undefined
}

export type GuardServices = 'accessRecords' | 'viewWatchdog' | 'signIns'

interface GuardContext extends Pick<RouteContext<GuardServices>, 'services' | 'publicUrl'> {
  readonly operators: OperatorCallers
}

export function addAuthentication(app: App, context: GuardContext, limit: Limiter): void {
  const { signIns, viewWatchdog } = context.services
  app.decorateRequest('caller', null)
  app.decorateRequest('precondition', null)
  app.addHook('onRoute', (route) => {
    const { calledBy } = route.schema ?? {}
    if (calledBy === undefined) return
    if (route.config?.access !== undefined) throw new Error(`${route.url}: its operation defines who may call it, so its config must not`)
    const access = ACCESS[calledBy]
    const scope = calledBy === 'listeners' ? 'read' : neededScope({ id: route.schema?.operationId, method: route.method, access })
    route.config = { ...route.config, access, scope }
  })
  app.addHook('onRequest', async (request, reply) => {
    const { access, limited, anyOrigin, servedWhileStale, ...rule } = ruleOf(request)
    if (!servedWhileStale && !viewWatchdog.isCurrent() && !(await viewWatchdog.whenCurrent())) throw staleNode()
    const credential = access === 'stream' ? undefined : credentialOf(request, { query: false })
    request.caller = context.operators.callerOf(request) ?? (credential && signIns.authenticate(credential.token)) ?? null
    request.userId = request.caller?.userId ?? null
    if (limited && !request.caller?.isOperator) await limit(request, reply)
    if (access === 'public' || access === 'stream') return
    if (!request.caller) throw unauthenticated()
    if (credential?.from === 'cookie' && !anyOrigin) refuseForeignOrigin(request, context.publicUrl)
    const isOfOthers = isAboutOthers(request)
    if ((access === 'admin' || isOfOthers) && request.caller.role !== 'admin') throw await denied(request, context, request.caller)
    const missing = missingScope(request.caller, isOfOthers ? 'admin' : rule.scope)
    if (missing !== undefined) throw await denied(request, context, request.caller, missing)
    await noteActivity({ request, reply, credential }, context, request.caller)
  })
}

/** The error for a caller who may not do this; the refusal is audited. If it cannot be stored just now, the response is the same. */
export async function denied(
  request: FastifyRequest,
  { services }: Pick<RouteContext<'accessRecords'>, 'services'>,
  caller: Caller,
  why = 'Only administrators may do this',
): Promise<Error> {
  try {
    await services.accessRecords.denied(caller, `${request.method} ${request.routeOptions.url}`, requestOrigin(request))
  } catch (err) {
    request.log.warn({ err }, 'a refused call could not be recorded')
  }
  return forbidden(why)
}

/** Maps an operation's callers to the guard's rule. */
const ACCESS: Readonly<Record<CalledBy, Access>> = {
  anyone: 'public',
  users: 'user',
  admins: 'admin',
  streams: 'stream',
  listeners: 'stream',
  agents: 'stream',
}

/** The rule of the route. An unknown path requires a user, and is not rate-limited. */
function ruleOf(request: FastifyRequest) {
  if (request.is404)
    return {
      access: isApiPath(routePath(request)) ? 'user' : 'public',
      scope: null,
      limited: false,
      anyOrigin: true,
      servedWhileStale: false,
    } as const
  const { access = 'user', scope = 'sign-in', limited, anyOrigin = false, servedWhileStale = false } = request.routeOptions.config
  return { access, scope, limited: limited ?? (access === 'user' || access === 'admin'), anyOrigin, servedWhileStale }
}

/** By its query, which may name the caller: so the caller is known first. */
const isAboutOthers = (request: FastifyRequest): boolean => !request.is404 && request.routeOptions.config.adminsWhen?.(request) === true

/** For a node that has missed events: a permission revoked elsewhere must not stay usable here. */
export const staleNode = () => unavailable('This node is out of date and is catching up; try again', BLIND_SECONDS)

const BLIND_SECONDS = 2

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** `Sec-Fetch-Site` of requests from pages of other sites; another port of this host is the same site. */
const FOREIGN_SITES: ReadonlySet<unknown> = new Set(['cross-site', 'same-site'])

/** A browser sends the cookie automatically, so pages of other origins must not be able to make writes with it. */
function refuseForeignOrigin(request: FastifyRequest, publicUrl: string | undefined): void {
  if (SAFE_METHODS.has(request.method)) return
  const { origin, 'sec-fetch-site': site } = request.headers
  const isForeign = origin === undefined ? FOREIGN_SITES.has(site) : !isOwnOrigin(origin, request, publicUrl)
  if (isForeign) throw forbidden('This origin may not write with a session cookie')
}

/** Same host and port as the request, with any scheme, because a proxy may have terminated https; or the origin of the public URL. */
function isOwnOrigin(origin: string, { host }: FastifyRequest, publicUrl = ''): boolean {
  const from = URL.parse(origin)
  if (!from?.host) return false
  // Compared with the same scheme, so that the default port may be written out.
  return from.host === URL.parse(`${from.protocol}//${host}`)?.host || from.origin === URL.parse(publicUrl)?.origin
}

/** Extends the login. If this cannot be stored just now, the request continues. */
export async function noteActivity(
  asking: Asking,
  context: Pick<RouteContext<'signIns'>, 'services' | 'publicUrl'>,
  caller: Caller,
): Promise<void> {
  const { request, reply, credential } = asking
  try {
    const extended = await context.services.signIns.touch(caller, () => requestOrigin(request))
    if (extended && credential?.from === 'cookie') {
      setSessionCookie(credential.token, { request, reply, publicUrl: context.publicUrl }, caller.rememberMe)
    }
  } catch (err) {
    request.log.warn({ err }, 'a login could not be extended')
  }
}

const CLIENT_MAX = 300

/** Origin of a command, for the audit. */
export function requestOrigin(request: FastifyRequest): RequestOrigin {
  const client = request.headers['user-agent']?.slice(0, CLIENT_MAX) ?? null
  return {
    requestId: request.id,
    address: request.ip,
    network: networkOf(request),
    client,
    ...omitUndefined({
      seed: request.keyed?.seed,
      precondition: request.precondition ?? undefined,
      isOperator: request.caller?.isOperator,
    }),
  }
}

/** The caller of a route that only signed-in users reach. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw unauthenticated()
  return request.caller
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; null if nobody is signed in. */
    caller: Caller | null
    /** The write's precondition, if the request has one (entity-tags.ts). */
    precondition: Precondition | null
  }
  interface FastifyContextConfig {
    /** For routes without an operation; otherwise the guard sets it. Default: `user`. */
    access?: Access
    /** What an access token needs, set by the guard; default: no access token may. */
    scope?: NeededScope | null
    /** Which requests of a user route are only for administrators. */
    adminsWhen?: (request: FastifyRequest) => boolean
    /** Whether the general rate limit applies; default: on routes for signed-in users. */
    limited?: boolean
    /** Public content: served even while this node's permissions are stale. */
    servedWhileStale?: boolean
    /** Cookie callers may come from pages of other origins. */
    anyOrigin?: boolean
  }
}
