/** Movies: lists, details, credits, files. */
import { Type } from 'typebox'
import type { App, RouteContext } from '../app.ts'
import { taken } from '../errors.ts'
import { callerOf } from '../guard.ts'
import { idParams, operation } from '../operation.ts'
import { PAGE_QUERY } from '../paging.ts'
import { presentCredits, presentMovie, presentSummary } from '../present/movie.ts'
import { presentFileStats } from '../present/file-stats.ts'
import { Credits, Movie, MovieSummaryPage } from '../schemas/movie.ts'
import { FileStats } from '../schemas/file-stats.ts'
import { Id, refTo } from '../schemas/values.ts'

const tag = 'movies'
const LIBRARIES_MAX = 100

const libraryId = Type.Optional(
  Type.Array(Id, { maxItems: LIBRARIES_MAX, description: 'Only movies of this library; may be given several times.' }),
)

const ListQuery = Type.Object({
  ...PAGE_QUERY,
  libraryId,
  q: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Each word begins a word of the title, the original title or a person.' }),
  ),
  sort: Type.Optional(Type.Enum(['title', 'addedAt'], { default: 'title' })),
  order: Type.Optional(Type.Enum(['asc', 'desc'], { description: 'Default: `asc` for titles, else `desc`.' })),
})

const RecentQuery = Type.Object({ ...PAGE_QUERY, libraryId })

const list = { description: 'A page of movies.', schema: refTo(MovieSummaryPage) }

const LIST_MOVIES = {
  ...operation({ id: 'listMovies', tag, summary: 'Movies that the caller sees', answers: { 200: list }, errors: [422] }),
  querystring: ListQuery,
}

const LIST_RECENTLY_ADDED = {
  ...operation({ id: 'listRecentlyAdded', tag, summary: 'Movies, the newest first', answers: { 200: list }, errors: [422] }),
  querystring: RecentQuery,
}

const GET_MOVIE = {
  ...operation({
    id: 'getMovie',
    tag,
    summary: 'One movie',
    answers: { 200: { description: 'The movie.', schema: refTo(Movie) } },
    errors: [404],
  }),
  params: idParams('id'),
}

const GET_CREDITS = {
  ...operation({
    id: 'getCredits',
    tag,
    summary: 'Cast and crew',
    answers: { 200: { description: 'Cast in order, and crew.', schema: refTo(Credits) } },
    errors: [404],
  }),
  params: idParams('id'),
}

const GET_FILE_STATS = {
  ...operation({
    id: 'getFileStats',
    tag,
    summary: 'Codecs, resolution and more of the files',
    answers: { 200: { description: 'Every file, the primary one first.', schema: refTo(FileStats) } },
    errors: [404],
  }),
  params: idParams('id'),
}

export function addMovieRoutes(app: App, context: RouteContext): void {
  addListRoutes(app, context)
  addDetailRoutes(app, context.services)
}

function addListRoutes(app: App, { services, paging }: RouteContext): void {
  const { movies } = services

  app.route({
    method: 'GET',
    url: '/v1/movies',
    schema: LIST_MOVIES,
    handler: async (request) => {
      const caller = callerOf(request)
      const { sort = 'title', q, libraryId = [] } = request.query
      const order = request.query.order ?? (sort === 'title' ? 'asc' : 'desc')
      const scope = { userId: caller.userId, route: 'movies', query: { libraryId, order, q: q ?? null, sort } }
      const filters = { ...(libraryId.length > 0 ? { libraryIds: libraryId } : {}), ...(q === undefined ? {} : { text: q }) }
      return paging.page(
        await movies.list(caller, { ...paging.read(request.query, scope), sort, order, ...filters }),
        scope,
        presentSummary,
      )
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/movies/recently-added',
    schema: LIST_RECENTLY_ADDED,
    handler: async (request) => {
      const caller = callerOf(request)
      const { libraryId = [] } = request.query
      const scope = { userId: caller.userId, route: 'recently-added', query: { libraryId } }
      const ask = { ...paging.read(request.query, scope), sort: 'addedAt', order: 'desc' } as const
      const page = await movies.list(caller, libraryId.length > 0 ? { ...ask, libraryIds: libraryId } : ask)
      return paging.page(page, scope, presentSummary)
    },
  })
}

function addDetailRoutes(app: App, { movies }: RouteContext['services']): void {
  app.route({
    method: 'GET',
    url: '/v1/movies/:id',
    schema: GET_MOVIE,
    handler: async (request) => presentMovie(taken(await movies.get(callerOf(request), request.params.id))),
  })

  app.route({
    method: 'GET',
    url: '/v1/movies/:id/credits',
    schema: GET_CREDITS,
    handler: async (request) => presentCredits(taken(await movies.credits(callerOf(request), request.params.id))),
  })

  app.route({
    method: 'GET',
    url: '/v1/movies/:id/file-stats',
    schema: GET_FILE_STATS,
    handler: async (request) => {
      const { id } = request.params
      const caller = callerOf(request)
      return presentFileStats(id, taken(await movies.files(caller, id)), caller)
    },
  })
}
