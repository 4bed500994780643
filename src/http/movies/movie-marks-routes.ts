/** Serves the caller's resume point of a movie, and whether it is on the watchlist. */
import { Type } from 'typebox'
import type { App, RouteContext } from '../server/app.ts'
import { unwrap } from '../server/errors.ts'
import { callerOf, requestOrigin } from '../server/guard.ts'
import { BODY_ERRORS, idParams, operation } from '../server/operation.ts'
import { PAGE_QUERY } from '../server/paging.ts'
import { presentResumePoint } from './movie-presenter.ts'
import { seconds, toMs } from '../server/values-presenter.ts'
import { ResumeMark, ResumePointPage, WatchlistMark } from './movie-schemas.ts'
import { refTo } from '../server/values-schemas.ts'

const tag = 'movies'
const params = idParams('id')
const watchlist = { 200: { description: 'The mark after the change.', schema: refTo(WatchlistMark) } }

const LIST_RESUME_HISTORY = {
  ...operation({
    id: 'listResumeHistory',
    tag,
    summary: 'List earlier resume points',
    description: 'The last position of each session, and positions set by hand. Newest first.',
    answers: { 200: { description: 'A page of positions.', schema: refTo(ResumePointPage) } },
    errors: [404, 422],
  }),
  params,
  querystring: Type.Object(PAGE_QUERY),
}

const SET_RESUME_POINT = {
  ...operation({
    id: 'setResumePoint',
    tag,
    summary: 'Set the resume point',
    answers: { 200: { description: 'The resume point. Up to a second beyond the end counts as the end.', schema: refTo(ResumeMark) } },
    errors: [404, ...BODY_ERRORS],
  }),
  params,
  body: Type.Object({ position: Type.Number({ minimum: 0, description: 'Seconds.' }) }, { examples: [{ position: 1830.5 }] }),
}

const CLEAR_RESUME_POINT = {
  ...operation({
    id: 'clearResumePoint',
    tag,
    summary: 'Clear the resume point',
    answers: { 204: { description: 'The resume point is cleared.' } },
    errors: [404],
  }),
  params,
}

const ADD_TO_WATCHLIST = {
  ...operation({ id: 'addToWatchlist', tag, summary: 'Add a movie to the watchlist', answers: watchlist, errors: [404] }),
  params,
}

const REMOVE_FROM_WATCHLIST = {
  ...operation({ id: 'removeFromWatchlist', tag, summary: 'Remove a movie from the watchlist', answers: watchlist, errors: [404] }),
  params,
}

export function addMovieMarkRoutes(app: App, context: RouteContext<'movieMarks'>): void {
  addResumeRoutes(app, context)
  addWatchlistRoutes(app, context)
}

function addResumeRoutes(app: App, { services, paging }: RouteContext<'movieMarks'>): void {
  const { movieMarks } = services

  app.route({
    method: 'GET',
    url: '/v1/movies/:id/resume-history',
    schema: LIST_RESUME_HISTORY,
    handler: async (request) => {
      const caller = callerOf(request)
      const { id } = request.params
      const scope = { userId: caller.userId, route: 'resume-history', query: { id } }
      return paging.page(unwrap(await movieMarks.resumeHistory(caller, id, paging.read(request.query, scope))), scope, presentResumePoint)
    },
  })

  app.route({
    method: 'PUT',
    url: '/v1/movies/:id/resume',
    schema: SET_RESUME_POINT,
    handler: async (request) => {
      const { id } = request.params
      const asked = toMs(request.body.position)
      const { positionMs, updatedAt } = unwrap(await movieMarks.setResumePoint(callerOf(request), id, asked, requestOrigin(request)))
      return { movieId: id, position: seconds(positionMs), updatedAt }
    },
  })

  app.route({
    method: 'DELETE',
    url: '/v1/movies/:id/resume',
    schema: CLEAR_RESUME_POINT,
    handler: async (request, reply) => {
      unwrap(await movieMarks.clearResumePoint(callerOf(request), request.params.id, requestOrigin(request)))
      return reply.code(204).send()
    },
  })
}

function addWatchlistRoutes(app: App, { services }: RouteContext<'movieMarks'>): void {
  const { movieMarks } = services
  const url = '/v1/movies/:id/watchlist'

  app.route({
    method: 'PUT',
    url,
    schema: ADD_TO_WATCHLIST,
    handler: async (request) => {
      const { id } = request.params
      const { addedAt } = unwrap(await movieMarks.setWatchlisted(callerOf(request), id, true, requestOrigin(request)))
      return { movieId: id, watchlist: true, addedAt }
    },
  })

  app.route({
    method: 'DELETE',
    url,
    schema: REMOVE_FROM_WATCHLIST,
    handler: async (request) => {
      const { id } = request.params
      const { addedAt } = unwrap(await movieMarks.setWatchlisted(callerOf(request), id, false, requestOrigin(request)))
      return { movieId: id, watchlist: false, addedAt }
    },
  })
}
