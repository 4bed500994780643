/**
 * The guard before every route, in the order of the contract (section 0): who asks, how often, from where, with which role.
 * A route that says nothing is for users who are signed in.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller, Precondition, RequestOrigin } from '../../app/access/caller.ts'
import type { App, RouteContext } from './app.ts'
import { setSessionCookie } from './cookies.ts'
import { credentialOf, type Credential } from './credentials.ts'
import { forbidden, unauthenticated, unavailable } from './errors.ts'
import { networkOf } from './network.ts'
import type { CalledBy } from './operation.ts'
import type { Limiter } from './rate-limit.ts'
import { isApiPath, routePath } from './route-path.ts'

/** `stream`: judged by the route itself, which takes stream tokens too. */
export type Access = 'public' | 'user' | 'admin' | 'stream'

interface Asking {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly credential: Credential | undefined
}

export function addAuthentication(app: App, context: Pick<RouteContext, 'services' | 'publicUrl'>, limit: Limiter): void {
  const { signIns, liveViewsWatch } = context.services
  app.decorateRequest('caller', null)
  app.decorateRequest('precondition', null)
  app.addHook('onRoute', (route) => {
    const { calledBy } = route.schema ?? {}
    if (calledBy === undefined) return
    if (route.config?.access !== undefined) throw new Error(`${route.url}: its operation says who may call it, so its config may not`)
    route.config = { ...route.config, access: ACCESS[calledBy] }
  })
  app.addHook('onRequest', async (request, reply) => {
    const { access, limited, anyOrigin, servedWhileStale } = ruleOf(request)
    if (!servedWhileStale && !liveViewsWatch.isCurrent() && !(await liveViewsWatch.whenCurrent())) throw staleNode()
    const credential = access === 'stream' ? undefined : credentialOf(request, { query: false })
    request.caller = (credential && signIns.authenticate(credential.token)) ?? null
    request.userId = request.caller?.userId ?? null
    if (limited) await limit(request, reply)
    if (access === 'public' || access === 'stream') return
    if (!request.caller) throw unauthenticated()
    if (credential?.from === 'cookie' && !anyOrigin) refuseForeignOrigin(request, context.publicUrl)
    if (access === 'admin' && request.caller.role !== 'admin') {
      throw await denied(request, context, request.caller)
    }
    await noteActivity({ request, reply, credential }, context, request.caller)
  })
}

/** The error for a caller who is no administrator, on record. That it cannot be written down just now makes no difference to the caller. */
export async function denied(request: FastifyRequest, { services }: Pick<RouteContext, 'services'>, caller: Caller): Promise<Error> {
  try {
    await services.accessRecords.denied(caller, `${request.method} ${request.routeOptions.url}`, requestOrigin(request))
  } catch (err) {
    request.log.warn({ err }, 'a refused call could not be recorded')
  }
  return forbidden('Only administrators may do this')
}

/** What the guard makes of who may call an operation. */
const ACCESS: Readonly<Record<CalledBy, Access>> = {
  anyone: 'public',
  users: 'user',
  admins: 'admin',
  streams: 'stream',
  listeners: 'stream',
  agents: 'stream',
}

/** What holds for the route; unknown paths are told to users only, and count for nothing. */
function ruleOf(request: FastifyRequest) {
  if (request.is404)
    return { access: isApiPath(routePath(request)) ? 'user' : 'public', limited: false, anyOrigin: true, servedWhileStale: false } as const
  const { adminsWhen, limited, anyOrigin = false, servedWhileStale = false } = request.routeOptions.config
  const access = adminsWhen?.(request) ? 'admin' : (request.routeOptions.config.access ?? 'user')
  return { access, limited: limited ?? (access === 'user' || access === 'admin'), anyOrigin, servedWhileStale }
}

/** Of a node that does not know what has happened: a right that was taken elsewhere must not outlive that. */
export const staleNode = () => unavailable('This node is out of date and is catching up; try again', BLIND_SECONDS)

const BLIND_SECONDS = 2

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** What a browser says of a request from a page elsewhere; another port of this host is the same site. */
const FOREIGN_SITES: ReadonlySet<unknown> = new Set(['cross-site', 'same-site'])

/** A browser sends the cookie by itself, so a page elsewhere must not be able to make it write. */
function refuseForeignOrigin(request: FastifyRequest, publicUrl: string | undefined): void {
  if (SAFE_METHODS.has(request.method)) return
  const { origin, 'sec-fetch-site': site } = request.headers
  const isForeign = origin === undefined ? FOREIGN_SITES.has(site) : !isOwnOrigin(origin, request, publicUrl)
  if (isForeign) throw forbidden('This origin may not write with a session cookie')
}

/** Host and port are those that were asked, whatever the scheme: a proxy may have taken https off. Or it is the public URL's origin. */
function isOwnOrigin(origin: string, { host }: FastifyRequest, publicUrl = ''): boolean {
  const from = URL.parse(origin)
  if (!from?.host) return false
  // By the same scheme, so that the port that goes without saying may be said.
  return from.host === URL.parse(`${from.protocol}//${host}`)?.host || from.origin === URL.parse(publicUrl)?.origin
}

/** Keeps the login alive. That it cannot be written down just now is no reason to refuse the request. */
export async function noteActivity(asking: Asking, context: Pick<RouteContext, 'services' | 'publicUrl'>, caller: Caller): Promise<void> {
  const { request, reply, credential } = asking
  try {
    const extended = await context.services.signIns.touch(caller, requestOrigin(request))
    if (extended && credential?.from === 'cookie') {
      setSessionCookie(credential.token, { request, reply, publicUrl: context.publicUrl }, caller.rememberMe)
    }
  } catch (err) {
    request.log.warn({ err }, 'a login could not be extended')
  }
}

const CLIENT_MAX = 300

/** Where a command came from, for the audit. */
export function requestOrigin(request: FastifyRequest): RequestOrigin {
  const client = request.headers['user-agent']?.slice(0, CLIENT_MAX) ?? null
  return {
    requestId: request.id,
    address: request.ip,
    network: networkOf(request),
    client,
    ...(request.keyed ? { seed: request.keyed.seed } : {}),
    ...(request.precondition ? { precondition: request.precondition } : {}),
  }
}

/** The caller of a route that only users reach. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw unauthenticated()
  return request.caller
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; null where nobody is signed in. */
    caller: Caller | null
    /** What a write depends on, where it says so (entity-tags.ts). */
    precondition: Precondition | null
  }
  interface FastifyContextConfig {
    /** For routes without an operation; set by the guard for all others. Default: `user`. */
    access?: Access
    /** Which requests of a route for users only administrators may send. */
    adminsWhen?: (request: FastifyRequest) => boolean
    /** Whether the general rate limit counts it; default: what only users reach. */
    limited?: boolean
    /** What everybody may have whatever they are: also from a node that cannot tell who may do what. */
    servedWhileStale?: boolean
    /** Cookie callers may come from pages elsewhere. */
    anyOrigin?: boolean
  }
}
