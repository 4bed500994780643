/** Traces requests: what a request causes, here and in other programs, is below its span. */
import type { FastifyRequest } from 'fastify'
import type { Span, Tracer } from '../../ports/tracer.ts'
import type { App } from './app.ts'
import { methodOf, routeOf } from './request-names.ts'

/** They are asked all day, by machines. */
const UNTRACED = new Set(['/healthz', '/readyz'])

export function addRequestTraces(app: App, tracer: Pick<Tracer, 'beginRequest'>): void {
  const spans = new WeakMap<FastifyRequest, Span>()

  app.addHook('onRequest', (request, reply, done) => {
    const [method, route] = [methodOf(request), routeOf(request)]
    if (UNTRACED.has(route)) return done()
    const about = { 'http.request.method': method, 'http.route': route, 'marquee.request_id': request.id }
    const span = tracer.beginRequest(request.id, `${method} ${route}`, about)
    spans.set(request, span)
    reply.raw.once('close', () => {
      const { statusCode: status } = reply.raw
      span.end({ attributes: { 'http.response.status_code': status }, ...(status >= 500 ? { error: String(status) } : {}) })
    })
    span.run(done)
  })

  // A body comes from its connection, which belongs to no span.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request)
    if (span) span.run(done)
    else done()
  })
}
