/**
 * The door of the stream routes: judges a request by its token and session, until its answer is out, and keeps the login alive.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RouteContext } from './app.ts'
import { encoderNamed } from '../events/encoder.ts'
import { credentialOf } from './credentials.ts'
import { notFound, taken, toHttpError } from './errors.ts'
import { blind, noteActivity } from './guard.ts'
import { createOpenAnswers } from './open-answers.ts'
import type { StreamAsk } from './streams.ts'

export interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** @throws HttpError 401, 403 or 404, as `StreamAccess` judges */
export type StreamDoor = (exchange: Exchange, sessionId: string) => Promise<StreamAsk>

export function createStreamDoor(context: Pick<RouteContext, 'services' | 'publicUrl' | 'clock'>): StreamDoor {
  const { liveViewsWatch, signIns, streamAccess } = context.services
  const answers = createOpenAnswers(context.clock)

  /** What the request would be answered with now. */
  const refusal = async (token: string | undefined, sessionId: string) =>
    liveViewsWatch.judges()
      ? streamAccess
          .judge(token, sessionId)
          .then(taken)
          .then(() => notFound(), toHttpError)
      : blind()

  return async ({ request, reply }, sessionId) => {
    const credential = credentialOf(request, { query: true })
    const grant = taken(await streamAccess.judge(credential?.token, sessionId))
    request.userId = grant.session.userId
    // A stream token is no login: it keeps none alive.
    const caller = credential && signIns.authenticate(credential.token)
    if (caller) await noteActivity({ request, reply, credential }, context, caller)
    const signal = answers.watch({
      reply,
      holds: () => liveViewsWatch.judges() && streamAccess.holds(credential?.token ?? '', sessionId),
      refusal: () => refusal(credential?.token, sessionId),
    })
    const encoder = encoderOf(request)
    return {
      ...grant,
      ...(encoder ? { encoder } : {}),
      signal,
      until: (returned) => (reply.raw.closed ? returned() : void reply.raw.once('close', returned)),
      // Playlists alone need one.
      get token() {
        return streamAccess.issue(grant.session).token
      },
    }
  }
}

const encoderOf = ({ query }: FastifyRequest) =>
  typeof query === 'object' && query !== null && 'encoder' in query ? encoderNamed(query.encoder) : undefined
