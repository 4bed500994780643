/** Serves the continue-watching list. */
import { Type } from 'typebox'
import type { App, RouteContext } from '../server/app.ts'
import { AS_OF_HEADERS, AS_OF_QUERY, documentsOf } from '../server/as-of.ts'
import { unwrap } from '../server/errors.ts'
import { callerOf, requestOrigin } from '../server/guard.ts'
import { idParams, operation } from '../server/operation.ts'
import { PAGE_QUERY } from '../server/paging.ts'
import { VIEW_QUERY } from '../movies/movie-schemas.ts'
import { presentContinueItemAs } from './session-presenter.ts'
import { ContinueItemPage } from './playback-schemas.ts'
import { refTo } from '../server/values-schemas.ts'

const tag = 'playback'
const URL = '/v1/playback/continue-watching'

const LIST_CONTINUE_WATCHING = {
  ...operation({
    id: 'listContinueWatching',
    tag,
    summary: 'List movies to continue watching',
    description:
      '`fileId`, `position` and `duration` are of the version in which the film stopped, of another one that is long enough, or of one at ' +
      'the same share.',
    answers: { 200: { description: 'A page of movies.', schema: refTo(ContinueItemPage), headers: AS_OF_HEADERS } },
    errors: [422],
  }),
  querystring: Type.Object({ ...PAGE_QUERY, ...AS_OF_QUERY, ...VIEW_QUERY }),
}

const DISMISS_CONTINUE_WATCHING = {
  ...operation({
    id: 'dismissContinueWatching',
    tag,
    summary: 'Remove a movie from continue watching',
    description: 'The position stays in the history. Answers 204 also if the movie was not on the list.',
    answers: { 204: { description: 'The movie is not on the list.' } },
    errors: [404],
  }),
  params: idParams('movieId'),
}

export function addContinueWatchingRoutes(app: App, { services, paging }: RouteContext<'past' | 'playback'>): void {
  const { past, playback } = services

  app.route({
    method: 'GET',
    url: URL,
    config: { shows: 'catalogue' },
    schema: LIST_CONTINUE_WATCHING,
    handler: async (request, reply) => {
      const caller = callerOf(request)
      const { asOf, view } = request.query
      const scope = { userId: caller.userId, route: 'continue-watching', query: { asOf: asOf ?? null } }
      const ask = paging.read(request.query, scope)
      const page = await playback.continueWatching(caller, ask, await documentsOf(past, { caller, asOf, reply }))
      return paging.page(page, scope, presentContinueItemAs(view))
    },
  })

  app.route({
    method: 'DELETE',
    url: `${URL}/:movieId`,
    schema: DISMISS_CONTINUE_WATCHING,
    handler: async (request, reply) => {
      unwrap(await playback.dismiss(callerOf(request), request.params.movieId, requestOrigin(request)))
      return reply.code(204).send()
    },
  })
}
