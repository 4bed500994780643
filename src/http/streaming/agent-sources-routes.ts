/**
 * Serves films to transcode agents that have not mounted them: the file of a job, for the token of that job. No login, stream token or
 * cookie grants access.
 */
import { Type } from 'typebox'
import type { FastifyReply } from 'fastify'
import type { App, RouteContext } from '../server/app.ts'
import { credentialOf } from '../server/credentials.ts'
import { notFound, unwrap } from '../server/errors.ts'
import { MEDIA_FILE, sendMediaFile } from './direct-file.ts'
import { createOpenResponses } from './open-responses.ts'
import { operation } from '../server/operation.ts'
import { Id } from '../server/values-schemas.ts'
import type { Exchange } from './stream-exchange.ts'

const URL = '/api/agent/sources/:fileId'
const params = Type.Object({ fileId: Id })

const GET_AGENT_SOURCE = {
  ...operation({
    id: 'getAgentSource',
    tag: 'agents',
    by: 'agents',
    summary: 'Get the media file of a transcode job',
    ...MEDIA_FILE,
  }),
  params,
}

export function addAgentSourceRoutes(app: App, { services: { agentSources }, clock, closing }: RouteContext<'agentSources'>): void {
  const answers = createOpenResponses({ clock, closing })

  async function send({ request, reply }: Exchange, fileId: string): Promise<FastifyReply> {
    const credential = credentialOf(request, { query: false })
    const token = credential?.from === 'header' ? credential.token : undefined
    const file = unwrap(await agentSources.authorize(token, fileId))
    answers.watch({ reply, holds: () => agentSources.holds(file), refusal: async () => notFound() })
    return sendMediaFile({ path: file.path, clock, request, reply })
  }

  app.route({
    method: 'GET',
    url: URL,
    schema: GET_AGENT_SOURCE,
    exposeHeadRoute: false,
    handler: (request, reply) => send({ request, reply }, request.params.fileId),
  })
  app.route({
    method: 'HEAD',
    url: URL,
    schema: { params, calledBy: 'agents', hide: true },
    handler: (request, reply) => send({ request, reply }, request.params.fileId),
  })
}
