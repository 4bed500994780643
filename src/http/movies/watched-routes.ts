/** Serves the caller's watched flag of a movie. */
import { Type } from 'typebox'
import type { App, RouteContext } from '../server/app.ts'
import { unwrap } from '../server/errors.ts'
import { callerOf, requestOrigin } from '../server/guard.ts'
import { BODY_ERRORS, idParams, operation } from '../server/operation.ts'
import { presentMark } from './movie-presenter.ts'
import { WatchedMark } from './movie-schemas.ts'
import { refTo, Time } from '../server/values-schemas.ts'
import { utcTime } from '../server/times.ts'

const tag = 'movies'
const answers = { 200: { description: 'The mark after the change.', schema: refTo(WatchedMark) } }

const WatchedBody = Type.Object({ watchedAt: Type.Optional(Time) }, { examples: [{ watchedAt: '2026-01-02T12:00:00.000Z' }] })

const MARK_WATCHED = {
  ...operation({
    id: 'markWatched',
    tag,
    summary: 'Mark a movie as watched',
    description: 'A repeat changes nothing: the first `watchedAt` stays. The movie leaves the continue-watching list.',
    answers,
    errors: [404, ...BODY_ERRORS],
  }),
  params: idParams('id'),
  body: WatchedBody,
}

const MARK_UNWATCHED = {
  ...operation({ id: 'markUnwatched', tag, summary: 'Mark a movie as not watched', answers, errors: [404] }),
  params: idParams('id'),
}

export function addWatchedRoutes(app: App, { services }: RouteContext<'movieMarks'>): void {
  const { movieMarks } = services

  app.route({
    method: 'PUT',
    url: '/v1/movies/:id/watched',
    schema: MARK_WATCHED,
    handler: async (request) => {
      const { id } = request.params
      const { watchedAt } = request.body
      const at = watchedAt === undefined ? undefined : utcTime(watchedAt, 'watchedAt')
      return presentMark(id, unwrap(await movieMarks.markWatched(callerOf(request), id, at, requestOrigin(request))))
    },
  })

  app.route({
    method: 'DELETE',
    url: '/v1/movies/:id/watched',
    schema: MARK_UNWATCHED,
    handler: async (request) => {
      const { id } = request.params
      return presentMark(id, unwrap(await movieMarks.markUnwatched(callerOf(request), id, requestOrigin(request))))
    },
  })
}
