/**
 * A hook may answer in place of the handler: with an answer that is kept, or with that of an earlier request. If the client leaves before
 * such an answer is written, Fastify takes the hook for done and calls the handler: it would answer again, which ends the process, and a
 * repeated request would be carried out twice.
 */
import type { App } from './app.ts'

/** Before every other hook that looks at answers. */
export function noteAnswers(app: App): void {
  app.decorateRequest('isAnswered', false)
  app.addHook('onSend', (request, _reply, payload, done) => {
    request.isAnswered = true
    done(null, payload)
  })
}

/** After every hook that may answer. */
export function stopAnswered(app: App): void {
  app.addHook('preHandler', (request, _reply, done) => {
    if (!request.isAnswered) done()
  })
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether an answer is on its way. */
    isAnswered: boolean
  }
}
