/** Serves corrections of movies: edits, and which film it is. */
import type { App, RouteContext } from '../server/app.ts'
import { unwrap } from '../server/errors.ts'
import { callerOf, requestOrigin } from '../server/guard.ts'
import { BODY_ERRORS, idParams, operation } from '../server/operation.ts'
import { presentMovie } from './movie-presenter.ts'
import { Movie } from './movie-schemas.ts'
import { MatchBody, MovieEditBody, toEdits, toPin } from './movie-edits-schemas.ts'
import { refTo } from '../server/values-schemas.ts'

const tag = 'movies'
const answers = { 200: { description: 'The movie after the change.', schema: refTo(Movie) } }
const errors = [404, ...BODY_ERRORS] as const

const EDIT_MOVIE = {
  ...operation({
    id: 'editMovie',
    tag,
    summary: 'Edit a movie',
    description: 'Later scans do not overwrite members that are sent.',
    by: 'admins',
    answers,
    errors,
  }),
  params: idParams('id'),
  body: MovieEditBody,
}

const PIN_MATCH = {
  ...operation({
    id: 'pinMatch',
    tag,
    summary: 'Pin the match of a movie',
    description: 'Scans never overwrite it. External ids that are not sent are removed.',
    by: 'admins',
    answers,
    errors,
  }),
  params: idParams('id'),
  body: MatchBody,
}

export function addMovieEditRoutes(app: App, { services }: RouteContext<'movieCorrections'>): void {
  const { movieCorrections } = services

  app.route({
    method: 'PATCH',
    url: '/v1/movies/:id',
    schema: EDIT_MOVIE,
    handler: async (request) => {
      const edits = toEdits(request.body)
      return presentMovie(unwrap(await movieCorrections.edit(callerOf(request), request.params.id, edits, requestOrigin(request))))
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/movies/:id/match',
    schema: PIN_MATCH,
    handler: async (request) => {
      const pin = toPin(request.body)
      return presentMovie(unwrap(await movieCorrections.pinMatch(callerOf(request), request.params.id, pin, requestOrigin(request))))
    },
  })
}
