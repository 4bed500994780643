/** Serves administrators' control of others' playback: list it, send the player a command, or end it. */
import { Type } from 'typebox'
import type { App, RouteContext } from '../server/app.ts'
import { invalid, unwrap } from '../server/errors.ts'
import { callerOf, requestOrigin } from '../server/guard.ts'
import { BODY_ERRORS, idParams, operation } from '../server/operation.ts'
import { ActiveSession, PlayerCommand } from './playback-schemas.ts'
import { presentActiveAs } from './session-presenter.ts'
import { refTo, text } from '../server/values-schemas.ts'

const MESSAGE_MAX = 500
const URL = '/v1/admin/playback/sessions/:id'

const message = Type.Optional(text(MESSAGE_MAX))

const INSPECT_PLAYBACK = {
  ...operation({
    id: 'inspectPlayback',
    tag: 'playback',
    by: 'admins',
    summary: 'Get the session of any user',
    answers: { 200: { description: 'The session, with its user and movie.', schema: refTo(ActiveSession) } },
    errors: [404],
  }),
  params: idParams('id'),
}

const COMMAND_PLAYER = {
  ...operation({
    id: 'commandPlayer',
    tag: 'playback',
    by: 'admins',
    summary: 'Send a command or a message to a player',
    description: 'The player gets it as a `playback.command` event, and with each heartbeat until it acknowledges it.',
    answers: { 202: { description: 'The command. The player executes it.', schema: refTo(PlayerCommand) } },
    errors: [404, ...BODY_ERRORS],
  }),
  params: idParams('id'),
  body: Type.Object(
    { command: Type.Enum(['pause', 'stop', 'message'], { description: '`message` requires the member `message`.' }), message },
    { examples: [{ command: 'message', message: 'Dinner is ready' }] },
  ),
}

const TERMINATE = {
  ...operation({
    id: 'terminatePlayback',
    tag: 'playback',
    by: 'admins',
    summary: 'End the session of any user',
    description:
      'After the answer every request of the session is 404, and running responses are cut. The player gets the message as a `playback.command` event.',
    answers: { 204: { description: 'The session is ended.' } },
    errors: [404, ...BODY_ERRORS],
  }),
  params: idParams('id'),
  body: Type.Object({ message }),
}

export function addPlayerCommandRoutes(app: App, { services }: RouteContext<'playback'>): void {
  const { playback } = services

  app.route({
    method: 'GET',
    url: URL,
    schema: INSPECT_PLAYBACK,
    handler: async (request) => presentActiveAs('full')(unwrap(await playback.inspect(callerOf(request), request.params.id))),
  })

  app.route({
    method: 'POST',
    url: `${URL}/commands`,
    schema: COMMAND_PLAYER,
    handler: async (request, reply) => {
      const { command, message: text = null } = request.body
      if (command === 'message' && !text) throw invalid([{ path: 'message', message: 'A message must not be empty' }])
      const ask = { order: { command, message: text }, origin: requestOrigin(request) }
      const issued = unwrap(await playback.command(callerOf(request), request.params.id, ask))
      reply.code(202)
      return { id: issued.id, command: issued.command, message: issued.message }
    },
  })

  app.route({
    method: 'POST',
    url: `${URL}/terminate`,
    schema: TERMINATE,
    handler: async (request, reply) => {
      const ask = { message: request.body.message ?? null, origin: requestOrigin(request) }
      unwrap(await playback.terminate(callerOf(request), request.params.id, ask))
      return reply.code(204).send()
    },
  })
}
