/** The door of the stream routes: judges a request by its token and session, and keeps the login alive. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RouteContext } from './app.ts'
import { credentialOf } from './credentials.ts'
import { taken } from './errors.ts'
import { noteActivity } from './guard.ts'
import type { StreamAsk } from './streams.ts'

export interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** @throws HttpError 401, 403 or 404, as `StreamAccess` judges */
export type StreamDoor = (exchange: Exchange, sessionId: string) => Promise<StreamAsk>

export function createStreamDoor(context: Pick<RouteContext, 'services' | 'publicUrl'>): StreamDoor {
  const { signIns, streamAccess } = context.services
  return async ({ request, reply }, sessionId) => {
    const credential = credentialOf(request, { query: true })
    const grant = taken(await streamAccess.judge(credential?.token, sessionId))
    request.userId = grant.session.userId
    // A stream token is no login: it keeps none alive.
    const caller = credential && signIns.authenticate(credential.token)
    if (caller) await noteActivity({ request, reply, credential }, context, caller)
    return { ...grant, token: streamAccess.issue(grant.session).token, signal: goneSignal(reply) }
  }
}

/** Aborts when the client goes before its answer is out. */
function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableEnded) gone.abort()
  })
  return gone.signal
}
