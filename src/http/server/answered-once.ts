/**
 * Prevents double responses. A hook may respond in place of the handler: with a cached response, or with that of an earlier request. If the
 * client disconnects before that response is written, Fastify treats the hook as done and calls the handler. A second response would end
 * the process, and a retried request would be executed twice.
 */
import type { App } from './app.ts'

/** Runs before every other hook that reads responses. */
export function noteAnswers(app: App): void {
  app.decorateRequest('isAnswered', false)
  app.addHook('onSend', (request, _reply, payload, done) => {
    request.isAnswered = true
    done(null, payload)
  })
}

/** Runs after every hook that may respond. */
export function stopAnswered(app: App): void {
  app.addHook('preHandler', (request, _reply, done) => {
    if (!request.isAnswered) done()
  })
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether a response has been sent or is being sent. */
    isAnswered: boolean
  }
}
