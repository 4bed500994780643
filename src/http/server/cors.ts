/**
 * Sets CORS headers: pages of other origins may read the operator's allowed origins' responses, and streams that carry their own token.
 * Browser credentials are never allowed.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from './app.ts'
import { routePath } from './route-path.ts'
import { vary } from './vary.ts'

const EXPOSED = [
  'Accept-Ranges, Content-Length, Content-Range, ETag, Idempotency-Replayed, Location, RateLimit, RateLimit-Policy, Retry-After',
  'X-As-Of-Seq, X-Error-Code, X-Log-Seq, X-Outcome, X-Request-Id',
].join(', ')
const ALLOWED = 'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Range, Last-Event-ID, Range'
const PREFLIGHT_SECONDS = 7200

export function addCors(app: App, origins: readonly string[]): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (origins.length > 0) vary(reply, 'Origin')
    const allowed = allowedOrigin(request, origins)
    if (allowed === undefined) return done()
    reply.headers({
      'access-control-allow-origin': allowed,
      'access-control-expose-headers': EXPOSED,
      // Without it a player there could read the stream by script, but not play it.
      'cross-origin-resource-policy': 'cross-origin',
    })
    if (request.headers['access-control-request-method'] !== undefined) allowPreflight(request, reply)
    done()
  })
}

/** `*` for streams with `?token=`: cast devices and players on other pages have no other credential. */
function allowedOrigin(request: FastifyRequest, origins: readonly string[]): string | undefined {
  const { origin } = request.headers
  if (origin !== undefined && origins.includes(origin)) return origin
  const withToken = /[?&]token=/.test(request.url) && request.headers.authorization === undefined
  return withToken && routePath(request).startsWith('/api/stream/') ? '*' : undefined
}

function allowPreflight(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers({
    'access-control-allow-methods': request.routeOptions.config.allow ?? '',
    'access-control-allow-headers': ALLOWED,
    'access-control-max-age': String(PREFLIGHT_SECONDS),
  })
}
