/** Ending the playback of others, for administrators. */
import { Type } from 'typebox'
import type { App, RouteContext } from '../app.ts'
import { taken } from '../errors.ts'
import { callerOf, requestOrigin } from '../guard.ts'
import { BODY_ERRORS, idParams, operation } from '../operation.ts'
import { text } from '../schemas/values.ts'

const MESSAGE_MAX = 500

const TERMINATE = {
  ...operation({
    id: 'terminatePlayback',
    tag: 'playback',
    by: 'admins',
    summary: "End anybody's session",
    description: 'From the answer on every request of the session is 404. Players are not told the message yet.',
    answers: { 204: { description: 'Ended.' } },
    errors: [404, ...BODY_ERRORS],
  }),
  params: idParams('id'),
  body: Type.Object({ message: Type.Optional(text(MESSAGE_MAX)) }),
}

export function addTerminationRoutes(app: App, { services }: RouteContext): void {
  app.route({
    method: 'POST',
    url: '/v1/admin/playback/sessions/:id/terminate',
    config: { access: 'admin' },
    schema: TERMINATE,
    handler: async (request, reply) => {
      taken(await services.playback.terminate(callerOf(request), request.params.id, requestOrigin(request)))
      return reply.code(204).send()
    },
  })
}
