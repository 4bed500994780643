/** The watched flag of a movie, for the user who asks. */
import { Type } from 'typebox'
import type { App, RouteContext } from '../app.ts'
import { invalid, taken } from '../errors.ts'
import { callerOf, requestOrigin } from '../guard.ts'
import { BODY_ERRORS, idParams, operation } from '../operation.ts'
import { presentMark } from '../present/movie.ts'
import { time } from '../present/values.ts'
import { WatchedMark } from '../schemas/movie.ts'
import { refTo, Time } from '../schemas/values.ts'

const tag = 'movies'
const answers = { 200: { description: 'The mark as it now stands.', schema: refTo(WatchedMark) } }

const WatchedBody = Type.Object({ watchedAt: Type.Optional(Time) }, { examples: [{ watchedAt: '2026-01-02T12:00:00.000Z' }] })

const MARK_WATCHED = {
  ...operation({
    id: 'markWatched',
    tag,
    summary: 'Mark a movie as watched',
    description: 'Repeating it changes nothing: the first `watchedAt` stays. The movie leaves the continue-watching list.',
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

export function addWatchedRoutes(app: App, { services }: RouteContext): void {
  const { movies } = services

  app.route({
    method: 'PUT',
    url: '/v1/movies/:id/watched',
    schema: MARK_WATCHED,
    handler: async (request) => {
      const { id } = request.params
      const { watchedAt } = request.body
      const at = watchedAt === undefined ? undefined : normalized(watchedAt)
      return presentMark(id, taken(await movies.markWatched(callerOf(request), id, at, requestOrigin(request))))
    },
  })

  app.route({
    method: 'DELETE',
    url: '/v1/movies/:id/watched',
    schema: MARK_UNWATCHED,
    handler: async (request) => {
      const { id } = request.params
      return presentMark(id, taken(await movies.markUnwatched(callerOf(request), id, requestOrigin(request))))
    },
  })
}

/** In UTC with milliseconds. A leap second has the right form, but no clock here knows it. */
function normalized(rfc3339: string): string {
  const ms = Date.parse(rfc3339)
  if (Number.isNaN(ms)) throw invalid([{ path: 'watchedAt', message: 'is not a time' }])
  return time(ms)
}
