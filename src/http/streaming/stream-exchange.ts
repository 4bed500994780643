/** Authorizes stream requests by their token and session until the response is complete, and keeps the login alive. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { RouteContext } from '../server/app.ts'
import { encoderNamed } from '../../vocabulary/encoder.ts'
import { credentialOf } from '../server/credentials.ts'
import { notFound, unwrap, toHttpError } from '../server/errors.ts'
import { staleNode, noteActivity } from '../server/guard.ts'
import { createOpenResponses } from './open-responses.ts'
import type { StreamAsk } from '../../app/streaming/stream-answers.ts'

export interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/**
 * Limits of open responses: players request 6 to 10 things at once, and a household may watch on several screens with one account. Each
 * open download of a film holds a file and up to two megabytes.
 */
const LIMITS = { session: 24, user: 72 }
/** A paused player reads nothing either; it requests the rest of the film when it resumes. */
const STALL_MS = 120_000

/** @throws HttpError 401, 403 or 404 as decided by `StreamAccess`; 429 if the session or its user has too many open responses */
export type StreamExchange = (exchange: Exchange, sessionId: string) => Promise<StreamAsk>

export type ExchangeServices = 'viewWatchdog' | 'signIns' | 'streamAccess'

export function createStreamExchange(
  context: Pick<RouteContext<ExchangeServices>, 'services' | 'publicUrl' | 'clock' | 'closing'>,
): StreamExchange {
  const { viewWatchdog, signIns, streamAccess } = context.services
  const { clock, closing } = context
  const answers = createOpenResponses({ clock, closing, limits: LIMITS, stallMs: STALL_MS })

  /** The current refusal of the request, if any. */
  const refusal = async (token: string | undefined, sessionId: string) =>
    viewWatchdog.isFollowing()
      ? streamAccess
          .authorize(token, sessionId)
          .then(unwrap)
          .then(() => notFound(), toHttpError)
      : staleNode()

  return async ({ request, reply }, sessionId) => {
    const credential = credentialOf(request, { query: true })
    const grant = unwrap(await streamAccess.authorize(credential?.token, sessionId))
    request.userId = grant.session.userId
    // A stream token is not a login: it extends none.
    const caller = credential && signIns.authenticate(credential.token)
    if (caller) await noteActivity({ request, reply, credential }, context, caller)
    const signal = answers.watch({
      reply,
      owners: { session: sessionId, user: grant.session.userId },
      holds: () => viewWatchdog.isFollowing() && streamAccess.holds(credential?.token ?? '', sessionId),
      refusal: () => refusal(credential?.token, sessionId),
    })
    const encoder = encoderOf(request)
    return {
      ...grant,
      ...omitUndefined({ encoder }),
      signal,
      until: (returned) => (reply.raw.closed ? returned() : void reply.raw.once('close', returned)),
      // Only playlists need one.
      get token() {
        return streamAccess.issue(grant.session).token
      },
    }
  }
}

const encoderOf = ({ query }: FastifyRequest) =>
  typeof query === 'object' && query !== null && 'encoder' in query ? encoderNamed(query.encoder) : undefined
