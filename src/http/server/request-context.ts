/** Makes whatever a request causes know the request's id, here and in other programs. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { currentRequest } from '../../concurrency/current-request.ts'
import type { App } from './app.ts'

export function addRequestContext(app: App): void {
  const within = (request: FastifyRequest, _reply: FastifyReply, done: () => void): void => currentRequest.within(request.id, done)
  app.addHook('onRequest', within)
  // A body comes from its connection, which belongs to no request.
  app.addHook('preValidation', within)
}
