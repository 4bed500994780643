/** Serves playback sessions, from start to end. */
import { Type, type Static } from 'typebox'
import type { FastifyRequest } from 'fastify'
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { ClientName, Heartbeat, NewSession, PlayableSession } from '../../app/playback/playback-types.ts'
import { isTokenDue } from '../../app/playback/stream-token.ts'
import { clientCapabilities } from '../../domain/streaming/player-capabilities.ts'
import type { App, RouteContext } from '../server/app.ts'
import { unwrap } from '../server/errors.ts'
import { callerOf, requestOrigin } from '../server/guard.ts'
import { BODY_ERRORS, idParams, LOCATION, operation } from '../server/operation.ts'
import { PAGE_QUERY } from '../server/paging.ts'
import { presentActiveAs, presentHeartbeat, presentSession } from './session-presenter.ts'
import { toMs } from '../server/values-presenter.ts'
import { VIEW_QUERY } from '../movies/movie-schemas.ts'
import { ActiveSessionPage, HeartbeatAnswer, HeartbeatBody, NewSessionBody, SeekBody, Session } from './playback-schemas.ts'
import { refTo, Seconds } from '../server/values-schemas.ts'

const tag = 'playback'
const session = { description: 'The session.', schema: refTo(Session) }
const URL = '/v1/playback/sessions'

const ActiveQuery = Type.Object({
  ...PAGE_QUERY,
  scope: Type.Optional(Type.Enum(['own', 'all'], { default: 'own', description: '`all`: sessions of all users; administrators only.' })),
  ...VIEW_QUERY,
})

const EndQuery = Type.Object({
  position: Type.Optional({ ...Seconds, description: 'Where playback stopped, in seconds. Default: the last position that was reported.' }),
})

const START_PLAYBACK = {
  ...operation({
    id: 'startPlayback',
    tag,
    summary: 'Start playing a movie',
    description:
      '`resumePosition` is the stored resume point, in a version that is too short for it at the same share; the server does not apply it. ' +
      'The session ends after two minutes without a heartbeat. ' +
      '503 with `X-Error-Code: file_unavailable`: the file is missing, or its drive is not mounted.',
    answers: { 201: { ...session, headers: LOCATION } },
    errors: [404, 409, ...BODY_ERRORS],
  }),
  body: NewSessionBody,
}

const GET_PLAYBACK = {
  ...operation({ id: 'getPlayback', tag, summary: 'Get a session', answers: { 200: session }, errors: [403, 404] }),
  params: idParams('id'),
}

const SEND_HEARTBEAT = {
  ...operation({
    id: 'sendHeartbeat',
    tag,
    summary: 'Report the position of a session',
    description: 'Send it every ten seconds. The answer means that it is stored.',
    answers: { 200: { description: 'Commands and renewals for the player.', schema: refTo(HeartbeatAnswer) } },
    errors: [403, 404, ...BODY_ERRORS],
  }),
  params: idParams('id'),
  body: HeartbeatBody,
}

const SEEK = {
  ...operation({ id: 'seek', tag, summary: 'Seek in a session', answers: { 200: session }, errors: [403, 404, ...BODY_ERRORS] }),
  params: idParams('id'),
  body: SeekBody,
}

const END_PLAYBACK = {
  ...operation({
    id: 'endPlayback',
    tag,
    summary: 'End the session',
    description:
      '`position` counts like a last heartbeat: for the resume point, the history and the watched mark. A page that closes sends one request: ' +
      "`fetch(url, { method: 'DELETE', keepalive: true })`.",
    answers: { 204: { description: 'The session is ended.' } },
    errors: [403, 404, 422],
  }),
  params: idParams('id'),
  querystring: EndQuery,
}

const LIST_ACTIVE_PLAYBACK = {
  ...operation({
    id: 'listActivePlayback',
    tag,
    summary: 'List active sessions',
    answers: { 200: { description: 'A page of sessions.', schema: refTo(ActiveSessionPage) } },
    errors: [403, 422],
  }),
  querystring: ActiveQuery,
}

export function addPlaybackSessionRoutes(app: App, context: RouteContext<'playback' | 'streamAccess'>): void {
  const { services, paging } = context
  const { playback } = services
  const present = presenterOf(services)

  app.route({
    method: 'POST',
    url: URL,
    config: {
      idempotent: 'own',
      beforeReplay: async (request) => unwrap(await playback.mayPlay(callerOf(request), movieIdOf(request))),
    },
    schema: START_PLAYBACK,
    handler: async (request, reply) => {
      const playable = unwrap(await playback.start(callerOf(request), toNewSession(request.body), requestOrigin(request)))
      reply.code(201).header('location', `${URL}/${playable.session.id}`)
      return present(playable)
    },
  })

  app.route({
    method: 'GET',
    url: `${URL}/:id`,
    schema: GET_PLAYBACK,
    handler: async (request) => present(unwrap(await playback.get(callerOf(request), request.params.id))),
  })

  app.route({
    method: 'GET',
    url: `${URL}/active`,
    config: { adminsWhen: (request) => scopeOf(request) === 'all' },
    schema: LIST_ACTIVE_PLAYBACK,
    handler: async (request) => {
      const caller = callerOf(request)
      const { view } = request.query
      const everyone = request.query.scope === 'all'
      const scope = { userId: caller.userId, route: 'active', query: { everyone } }
      return paging.page(await playback.active(caller, paging.read(request.query, scope), everyone), scope, presentActiveAs(view))
    },
  })

  addCommandRoutes(app, context)
}

function addCommandRoutes(app: App, { services, clock }: RouteContext<'playback' | 'streamAccess'>): void {
  const { playback, streamAccess } = services
  const present = presenterOf(services)

  app.route({
    method: 'POST',
    url: `${URL}/:id/heartbeat`,
    schema: SEND_HEARTBEAT,
    handler: async (request) => {
      const beat = toHeartbeat(request.body)
      const stored = unwrap(await playback.heartbeat(callerOf(request), request.params.id, beat, requestOrigin(request)))
      return presentHeartbeat(stored, isTokenDue(stored.session, clock.now()) ? streamAccess.issue(stored.session) : null)
    },
  })

  app.route({
    method: 'POST',
    url: `${URL}/:id/seek`,
    schema: SEEK,
    handler: async (request) => {
      const positionMs = toMs(request.body.position)
      return present(unwrap(await playback.seek(callerOf(request), request.params.id, positionMs, requestOrigin(request))))
    },
  })

  app.route({
    method: 'DELETE',
    url: `${URL}/:id`,
    schema: END_PLAYBACK,
    handler: async (request, reply) => {
      const { position } = request.query
      const positionMs = position === undefined ? undefined : toMs(position)
      unwrap(await playback.end(callerOf(request), request.params.id, requestOrigin(request), positionMs))
      return reply.code(204).send()
    },
  })
}

/** Sessions contain their current stream token. */
const presenterOf =
  ({ streamAccess }: RouteContext<'streamAccess'>['services']) =>
  (playable: PlayableSession) =>
    presentSession(playable, streamAccess.issue(playable.session))

const scopeOf = ({ query }: FastifyRequest): unknown =>
  typeof query === 'object' && query !== null ? Reflect.get(query, 'scope') : undefined

/** Of a validated body. */
const movieIdOf = ({ body }: FastifyRequest): string => String(Reflect.get(Object(body), 'movieId'))

function toNewSession({
  movieId,
  fileId,
  startPosition,
  quality,
  capabilities,
  client,
  audioGain,
  audioIndex,
  subtitleIndex,
  burnSubtitle,
}: Static<typeof NewSessionBody>): NewSession {
  return {
    movieId,
    ...omitUndefined({
      fileId,
      startPositionMs: startPosition === undefined ? undefined : toMs(startPosition),
      quality,
      capabilities: capabilities && clientCapabilities(capabilities),
      audioGain,
      audioIndex,
      subtitleIndex,
      burnSubtitle: burnSubtitle || undefined,
      client: client && toClientName(client),
    }),
  }
}

type ClientBody = NonNullable<Static<typeof NewSessionBody>['client']>

const toClientName = ({ name = null, version = null, device = null, deviceId = null }: ClientBody): ClientName => ({
  name,
  version,
  device,
  deviceId,
})

function toHeartbeat({ position, playState, rate, sequence, lastCommandId }: Static<typeof HeartbeatBody>): Heartbeat {
  return {
    positionMs: toMs(position),
    ...omitUndefined({ playState, rate, sequence, lastCommandId }),
  }
}
