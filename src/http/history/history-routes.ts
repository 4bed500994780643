/** Serves the history: what was watched, and how. */
import { Type } from 'typebox'
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { App, RouteContext } from '../server/app.ts'
import { AS_OF_HEADERS, pastOf } from '../server/as-of.ts'
import { unwrap } from '../server/errors.ts'
import { callerOf, requestOrigin } from '../server/guard.ts'
import { idParams, operation } from '../server/operation.ts'
import { refTo } from '../server/values-schemas.ts'
import { presentEntry, presentStep } from './history-presenter.ts'
import { HistoryEntryPage, HistoryQuery, MovieHistoryQuery, TimelineStep } from './history-schemas.ts'
import { askingOf, filterOf, isAboutOthers } from './viewing-query.ts'

const tag = 'history'
const page = { 200: { description: 'A page of viewings.', schema: refTo(HistoryEntryPage) } }

const LIST_HISTORY = {
  ...operation({
    id: 'listHistory',
    tag,
    summary: 'List what was watched',
    description: `Newest first: playback sessions, running ones too, and movies marked as watched by hand. Viewings in libraries that you do
not see are left out. Administrators may read those of others; each time is recorded in the audit log. A page may be shorter than \`limit\`,
even empty: the list ends where \`nextCursor\` is null.`,
    answers: { 200: { ...page[200], headers: AS_OF_HEADERS } },
    errors: [403, 422],
  }),
  querystring: HistoryQuery,
}

const LIST_MOVIE_HISTORY = {
  ...operation({
    id: 'listMovieHistory',
    tag,
    summary: 'List who watched a movie',
    description: 'Your own viewings; for administrators those of everybody, which is recorded in the audit log.',
    answers: page,
    errors: [404, 422],
  }),
  params: idParams('id'),
  querystring: MovieHistoryQuery,
}

const GET_TIMELINE = {
  ...operation({
    id: 'getViewingTimeline',
    tag,
    summary: 'Get the steps of a viewing',
    description: 'What the player did, step by step. Empty for a movie that was marked as watched by hand.',
    answers: { 200: { description: 'The steps in order.', schema: Type.Array(refTo(TimelineStep)) } },
    errors: [404],
  }),
  params: idParams('id'),
}

const HIDE_VIEWING = {
  ...operation({
    id: 'hideViewing',
    tag,
    summary: 'Remove an entry from your history',
    description: `It is no longer listed or counted. The watched mark and the resume point stay, and so does the audit log; only erasing your
account removes what the log holds.`,
    answers: { 204: { description: 'The entry is removed.' } },
    errors: [404],
  }),
  params: idParams('id'),
}

export function addHistoryRoutes(app: App, { services, paging }: RouteContext<'history' | 'past'>): void {
  const { history, past } = services

  app.route({
    method: 'GET',
    url: '/v1/history',
    config: { adminsWhen: isAboutOthers },
    schema: LIST_HISTORY,
    handler: async (request, reply) => {
      const { cursor, limit, include, asOf, ...query } = request.query
      const asking = askingOf(request)
      const filter = filterOf(asking.caller, query)
      const scope = { userId: asking.caller.userId, route: 'history', query: { ...filter, asOf: asOf ?? null } }
      const asked = paging.read(omitUndefined({ cursor, limit, include }), scope)
      const then = await pastOf(past, { caller: asking.caller, asOf, reply, whose: filter.userId ?? 'everybody' })
      return paging.page(await history.list(asking, filter, asked, then), scope, presentEntry)
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/movies/:id/history',
    schema: LIST_MOVIE_HISTORY,
    handler: async (request) => {
      const asking = askingOf(request)
      const { id } = request.params
      const scope = { userId: asking.caller.userId, route: 'movie-history', query: { id } }
      return paging.page(unwrap(await history.ofMovie(asking, id, paging.read(request.query, scope))), scope, presentEntry)
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/history/:id/timeline',
    schema: GET_TIMELINE,
    handler: async (request) => unwrap(await history.timeline(askingOf(request), request.params.id)).map(presentStep),
  })

  app.route({
    method: 'DELETE',
    url: '/v1/history/:id',
    schema: HIDE_VIEWING,
    handler: async (request, reply) => {
      unwrap(await history.hide(callerOf(request), request.params.id, requestOrigin(request)))
      return reply.code(204).send()
    },
  })
}
