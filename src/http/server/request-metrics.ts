/** Counts requests by the pattern of their route, their method and their status: nothing that a caller chooses becomes a label. */
import type { Clock } from '../../ports/clock.ts'
import type { Meters } from '../../ports/meters.ts'
import type { App } from './app.ts'
import { methodOf, routeOf } from './request-names.ts'

export function addRequestMetrics(app: App, clock: Clock, meters: Pick<Meters, 'request'>): void {
  app.addHook('onRequest', (request, reply, done) => {
    const beganMs = clock.monotonic()
    reply.raw.once('close', () => {
      const seconds = (clock.monotonic() - beganMs) / 1_000
      meters.request({ method: methodOf(request), route: routeOf(request), status: reply.raw.statusCode, seconds })
    })
    done()
  })
}
