/** Counts requests by the pattern of their route, their method and their status: nothing that a caller chooses becomes a label. */
import type { Clock } from '../../ports/clock.ts'
import type { Meters } from '../../ports/meters.ts'
import type { App } from './app.ts'

/** Of what is no route at all. */
const UNKNOWN = 'unknown'
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

export function addRequestMetrics(app: App, clock: Clock, meters: Pick<Meters, 'request'>): void {
  app.addHook('onRequest', (request, reply, done) => {
    const beganMs = clock.monotonic()
    reply.raw.once('close', () => {
      const method = METHODS.has(request.method) ? request.method : UNKNOWN
      const route = request.routeOptions.url ?? UNKNOWN
      meters.request({ method, route, status: reply.raw.statusCode, seconds: (clock.monotonic() - beganMs) / 1_000 })
    })
    done()
  })
}
