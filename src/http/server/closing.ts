/** Closes the server: rejects new requests, gives requests in flight a moment to end, and cuts streams. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../ports/clock.ts'
import type { App } from './app.ts'
import { unavailable } from './errors.ts'

const GRACE_MS = 3000
const RETRY_SECONDS = 5

/** Returns a signal that aborts when the server closes. Its reason is the error for requests that would wait longer. */
export function addClosing(app: App, clock: Clock): AbortSignal {
  // A number, not a set of responses: tables that a set has outgrown keep their responses in memory until the next full garbage collection.
  let underWay = 0
  const drained = Promise.withResolvers<void>()
  const closing = new AbortController()

  app.decorateRequest('leaveToClient', () => {})

  function watch(request: FastifyRequest, { raw }: FastifyReply): void {
    let isUnderWay = true
    underWay++
    request.leaveToClient = () => {
      if (!isUnderWay) return
      isUnderWay = false
      underWay--
      if (closing.signal.aborted && underWay === 0) drained.resolve()
    }
    raw.once('close', request.leaveToClient)
  }

  app.addHook('onRequest', (request, reply, done) => {
    closing.signal.throwIfAborted()
    watch(request, reply)
    done()
  })

  app.addHook('preClose', async () => {
    closing.abort(unavailable('The server is shutting down', RETRY_SECONDS))
    if (underWay === 0) return
    const stop = clock.after(GRACE_MS, drained.resolve)
    await drained.promise
    stop()
  })
  return closing.signal
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The client decides how long the response takes: when the server closes, it is cut. */
    leaveToClient: (this: void) => void
  }
}
