/** Closes the server: rejects new requests, gives requests in flight a moment to end, and cuts streams. */
import type { Clock } from '../../ports/clock.ts'
import type { App } from './app.ts'
import { unavailable } from './errors.ts'

const GRACE_MS = 3000
const RETRY_SECONDS = 5

export function addClosing(app: App, clock: Clock): void {
  // A number, not a set of responses: tables that a set has outgrown keep their responses in memory until the next full garbage collection.
  let underWay = 0
  const drained = Promise.withResolvers<void>()
  let closing = false

  app.addHook('onRequest', (request, reply, done) => {
    if (closing) throw unavailable('The server is shutting down', RETRY_SECONDS)
    if (request.routeOptions.config.access === 'stream') return done()
    underWay++
    reply.raw.once('close', () => {
      underWay--
      if (closing && underWay === 0) drained.resolve()
    })
    done()
  })

  app.addHook('preClose', async () => {
    closing = true
    if (underWay === 0) return
    const stop = clock.after(GRACE_MS, drained.resolve)
    await drained.promise
    stop()
  })
}
