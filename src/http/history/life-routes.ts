/** Serves the changes of a movie, and of the movies of a library. */
import type { Static } from 'typebox'
import type { LifeStep } from '../../app/history/movie-life.ts'
import type { ChangedMovie } from '../../app/libraries/library-changes.ts'
import type { App, RouteContext } from '../server/app.ts'
import { unwrap } from '../server/errors.ts'
import { callerOf } from '../server/guard.ts'
import { idParams, operation } from '../server/operation.ts'
import { refTo } from '../server/values-schemas.ts'
import { presentEntry } from './history-presenter.ts'
import {
  LibraryChangePage,
  LibraryChangesQuery,
  MovieLifePage,
  MovieLifeQuery,
  type LifeEntry,
  type LibraryChange,
} from './life-schemas.ts'
import { askingOf } from './viewing-query.ts'
import { timeRange } from '../server/time-range.ts'

const tag = 'history'

const GET_LIFE = {
  ...operation({
    id: 'getMovieLife',
    tag,
    summary: 'Get the life of a movie',
    description: `From its discovery on, newest first: how it was identified, matched and edited, where its files went, and the viewings that you
may see. Only administrators see the actor and the folders.`,
    answers: { 200: { description: 'A page of steps.', schema: refTo(MovieLifePage) } },
    errors: [404, 422],
  }),
  params: idParams('id'),
  querystring: MovieLifeQuery,
}

const LIST_CHANGES = {
  ...operation({
    id: 'listLibraryChanges',
    tag,
    summary: 'List what changed in a library',
    description: `Movies to which something happened in the range; the one that changed last comes first. A page may be shorter than \`limit\`,
even empty: the list ends where \`nextCursor\` is null.`,
    answers: { 200: { description: 'A page of movies.', schema: refTo(LibraryChangePage) } },
    errors: [404, 422],
  }),
  params: idParams('id'),
  querystring: LibraryChangesQuery,
}

export function addLifeRoutes(app: App, { services, paging }: RouteContext<'movieLife' | 'libraryMovieChanges'>): void {
  const { movieLife, libraryMovieChanges } = services

  app.route({
    method: 'GET',
    url: '/v1/movies/:id/life',
    schema: GET_LIFE,
    handler: async (request) => {
      const asking = askingOf(request)
      const { id } = request.params
      const scope = { userId: asking.caller.userId, route: 'movie-life', query: { id } }
      return paging.page(unwrap(await movieLife.of(asking, id, paging.read(request.query, scope))), scope, presentStep)
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/libraries/:id/changes',
    schema: LIST_CHANGES,
    handler: async (request) => {
      const caller = callerOf(request)
      const { id } = request.params
      const range = rangeOf(request.query)
      const scope = { userId: caller.userId, route: 'library-changes', query: { id, ...range } }
      const page = unwrap(await libraryMovieChanges.between(caller, id, range, paging.read(request.query, scope)))
      return paging.page(page, scope, presentChanged)
    },
  })
}

/** Default: everything, without an upper limit. */
const rangeOf = (query: Static<typeof LibraryChangesQuery>) => ({ from: '', to: '~', ...timeRange(query) })

function presentStep({ at, kind, by, changes, viewing }: LifeStep): Static<typeof LifeEntry> {
  return { at, kind, by, changes: [...changes], viewing: viewing && presentEntry(viewing) }
}

function presentChanged({ id, title, year, net, changes }: ChangedMovie): Static<typeof LibraryChange> {
  return { movie: { id, title, year }, net, changes: [...changes] }
}
