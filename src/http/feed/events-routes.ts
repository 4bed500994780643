/** Serves live events as a stream (server-sent events). */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { App, RouteContext } from '../server/app.ts'
import { credentialOf } from '../server/credentials.ts'
import { unauthenticated } from '../server/errors.ts'
import { createEventStreams } from './event-streams.ts'
import { callerOf, denied, noteActivity, requestOrigin, type GuardServices } from '../server/guard.ts'
import { operation } from '../server/operation.ts'
import { missingScope } from '../server/token-scopes.ts'
import { EVENT_SCHEMAS, EventStream } from './live-events-schemas.ts'

const EventsQuery = Type.Object({
  token: Type.Optional(Type.String({ maxLength: 4096, description: 'An access token, for clients that cannot set headers.' })),
  lastEventId: Type.Optional(Type.String({ maxLength: 100, description: 'Instead of the header `Last-Event-ID`.' })),
  types: Type.Optional(
    Type.String({
      maxLength: 1000,
      pattern: String.raw`^(\*|[a-z]+\.(\*|[a-zA-Z]+))(,(\*|[a-z]+\.(\*|[a-zA-Z]+)))*$`,
      description: 'Kinds of events, separated by commas. Default: all.',
      examples: ['movie.*,scan.completed'],
    }),
  ),
  scope: Type.Optional(Type.Enum(['own', 'all'], { default: 'own', description: '`all`: playback of all users; administrators only.' })),
})

const KINDS = `Each event's data is JSON (its schema by kind: \`x-event-schemas\`) with \`seq\`, \`at\` and, by kind: \`hello{serverVersion,webBuild}\`, \`reset{}\` (read everything again),
\`library.created|updated|deleted|offline|online|massMissing{libraryId}\`, \`scan.started|progress|completed|failed|cancelled{scan}\`,
\`movie.added|updated|missing|restored|removed{movieId,libraryId}\`, \`movie.watched|unwatched{movieId,watchedAt}\`,
\`resume.changed{movieId,position}\`, \`watchlist.changed{movieId,watchlist}\`, \`playback.started|progress|seeked|ended{sessionId,userId,movieId,position,playState,endReason}\`,
\`playback.command{sessionId,command,message}\`, \`user.created|updated|deleted{userId}\`, \`access.changed{}\`,
\`trickplay.ready{movieId}\`, \`projection.rebuilding{name,progress}\`, \`projection.rebuilt{name}\` (administrators), \`server.stopping{}\`. With \`Last-Event-ID\` missed events are sent again: up to 10,000 events or a day.`

const OPEN_EVENTS = {
  ...operation({
    id: 'openEvents',
    tag: 'events',
    summary: 'Stream live events',
    description: KINDS,
    by: 'listeners',
    answers: { 200: { description: 'Server-sent events. The response does not end.', schema: EventStream, type: 'text/event-stream' } },
    errors: [422],
  }),
  querystring: EventsQuery,
  'x-event-schemas': EVENT_SCHEMAS,
}

const HEAD = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
}

type EventServices = GuardServices | 'liveEvents' | 'projections' | 'eventStreamLimit'

/** The events of all users tell what each has watched: recently, or since the event that the client names. */
const LOOK = { userId: null, operation: 'GET /api/events' }

export function addEventRoutes(app: App, { services, clock, publicUrl, version, webBuild }: RouteContext<EventServices>): void {
  const { liveEvents, signIns } = services
  const streams = createEventStreams({
    liveEvents,
    rebuilds: services.projections.rebuilds,
    places: services.eventStreamLimit,
    isFollowing: services.viewWatchdog.isFollowing,
    clock,
    serverVersion: version,
    webBuild,
    active({ loginId }) {
      const caller = liveEvents.callerOf(loginId)
      if (caller) signIns.touch(caller, () => NOBODY).catch((err: unknown) => app.log.warn({ err }, 'a login could not be extended'))
    },
  })
  app.addHook('preClose', () => streams.stop())

  async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const credential = credentialOf(request, { query: true })
    request.caller = (credential && signIns.authenticate(credential.token)) ?? null
    if (!request.caller) throw unauthenticated()
    request.userId = request.caller.userId
    const asksForAll = Reflect.get(Object(request.query), 'scope') === 'all'
    if (asksForAll && request.caller.role !== 'admin') throw await denied(request, { services }, request.caller)
    const missing = missingScope(request.caller, asksForAll ? 'admin' : 'read')
    if (missing !== undefined) throw await denied(request, { services }, request.caller, missing)
    await noteActivity({ request, reply, credential }, { services, publicUrl }, request.caller)
  }

  app.route({
    method: 'GET',
    url: '/api/events',
    schema: OPEN_EVENTS,
    onRequest: admit,
    handler: async (request, reply) => {
      const caller = callerOf(request)
      if (request.method === 'HEAD') return reply.headers(HEAD).send()
      if (request.query.scope === 'all') await services.accessRecords.followed(caller, LOOK, requestOrigin(request))
      await streams.admit(caller.userId, reply.raw)
      request.leaveToClient()
      reply.hijack()
      reply.raw.writeHead(200, { ...plain(reply), ...HEAD })
      const { types, scope, lastEventId } = request.query
      const had = request.headers['last-event-id'] ?? lastEventId
      await streams.open(reply.raw, {
        loginId: caller.loginId,
        types: types?.split(',') ?? [],
        everyone: scope === 'all',
        lastEventId: had === undefined ? undefined : String(had),
      })
      return reply
    },
  })
}

/** An open stream extends a login without a new request. */
const NOBODY = { requestId: 'events', address: null, client: null }

/** The headers set by hooks. */
const plain = (reply: FastifyReply) => Object.fromEntries(Object.entries(reply.getHeaders()).filter(([, value]) => value !== undefined))
