/** Serves movies: lists, details, credits, files. */
import { Type } from 'typebox'
import type { App, RouteContext } from '../server/app.ts'
import { AS_OF_HEADERS, documentsOf } from '../server/as-of.ts'
import { unwrap } from '../server/errors.ts'
import { callerOf } from '../server/guard.ts'
import { idParams, operation } from '../server/operation.ts'
import { PAGE_QUERY } from '../server/paging.ts'
import { presentAnchors, presentCredits, presentMovie } from './movie-presenter.ts'
import { pageText, summaryTextAs, type PageOfTexts } from './movie-text.ts'
import { presentFileStats } from './file-stats-presenter.ts'
import { Credits, Movie, MovieAnchors, MovieSummaryPage, VIEW_QUERY, type MovieSummaryPageBody } from './movie-schemas.ts'
import { EVERY_DEFAULT, LIBRARY_FILTER, MovieAnchorsQuery, MovieListQuery, readListQuery } from './movie-query-schemas.ts'
import { FileStats } from './file-stats-schemas.ts'
import { refTo } from '../server/values-schemas.ts'

const tag = 'movies'

const RecentQuery = Type.Object({ ...PAGE_QUERY, ...LIBRARY_FILTER, ...VIEW_QUERY })

const list = { description: 'A page of movies.', schema: refTo(MovieSummaryPage) }

const LIST_MOVIES = {
  ...operation({
    id: 'listMovies',
    tag,
    summary: 'List movies',
    description: 'A page may be shorter than `limit`, or empty, if few movies match. The list ends when `nextCursor` is null.',
    answers: { 200: { ...list, headers: AS_OF_HEADERS } },
    errors: [422],
  }),
  querystring: MovieListQuery,
}

const LIST_RECENTLY_ADDED = {
  ...operation({ id: 'listRecentlyAdded', tag, summary: 'List recently added movies', answers: { 200: list }, errors: [422] }),
  querystring: RecentQuery,
}

const LIST_ANCHORS = {
  ...operation({
    id: 'listMovieAnchors',
    tag,
    summary: 'List anchors of the movie list',
    description: `For clients that scroll through the whole list: its length, and a cursor for every n-th movie. Takes the filters and the order of
\`GET /v1/movies\`, and its cursors are for that list with the same filters and order. A random order needs a \`seed\`. One pass over an
index finds the anchors and the letters, so that both cost no more than the total.`,
    answers: { 200: { description: 'The anchors.', schema: refTo(MovieAnchors), headers: AS_OF_HEADERS } },
    errors: [422],
  }),
  querystring: MovieAnchorsQuery,
}

const GET_MOVIE = {
  ...operation({
    id: 'getMovie',
    tag,
    summary: 'Get a movie',
    answers: { 200: { description: 'The movie.', schema: refTo(Movie) } },
    errors: [404],
  }),
  params: idParams('id'),
}

const GET_CREDITS = {
  ...operation({
    id: 'getCredits',
    tag,
    summary: 'Get cast and crew',
    answers: { 200: { description: 'Cast in order, and crew.', schema: refTo(Credits) } },
    errors: [404],
  }),
  params: idParams('id'),
}

const GET_FILE_STATS = {
  ...operation({
    id: 'getFileStats',
    tag,
    summary: 'Get technical details of the files',
    answers: { 200: { description: 'Every file, the primary one first.', schema: refTo(FileStats) } },
    errors: [404],
  }),
  params: idParams('id'),
}

export function addMovieRoutes(app: App, context: RouteContext<'movies' | 'past'>): void {
  addListRoutes(app, context)
  addDetailRoutes(app, context.services)
}

/** Anchors contain only members that are sent, so no serializer has to drop any; Node's built-in one takes half as long as a compiled one. */
const asMade = () => (anchors: unknown) => JSON.stringify(anchors)
/** For pages whose items are JSON already. */
const asTexts = () => (page: unknown) => pageText(page as PageOfTexts)
/** The type of the response that `asTexts` makes. */
const made = (page: PageOfTexts) => page as unknown as MovieSummaryPageBody

function addListRoutes(app: App, { services, paging }: RouteContext<'movies' | 'past'>): void {
  const { movies, past } = services

  app.route({
    method: 'GET',
    url: '/v1/movies',
    config: { shows: 'catalogue' },
    schema: LIST_MOVIES,
    serializerCompiler: asTexts,
    handler: async (request, reply) => {
      const caller = callerOf(request)
      const { asOf, view } = request.query
      const { query, scope, isFleeting } = readListQuery(caller, request.query)
      request.isFleeting = isFleeting
      const ask = { ...query, ...paging.read(request.query, scope) }
      const page = await movies.list(caller, ask, await documentsOf(past, { caller, asOf, reply }))
      return made(paging.page(page, scope, summaryTextAs(view)))
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/movies/recently-added',
    config: { shows: 'catalogue' },
    schema: LIST_RECENTLY_ADDED,
    serializerCompiler: asTexts,
    handler: async (request) => {
      const caller = callerOf(request)
      const { libraryId = [], view } = request.query
      const scope = { userId: caller.userId, route: 'recently-added', query: { libraryId } }
      const ask = { ...paging.read(request.query, scope), sort: 'addedAt', order: 'desc' } as const
      const page = await movies.list(caller, libraryId.length > 0 ? { ...ask, libraryIds: libraryId } : ask)
      return made(paging.page(page, scope, summaryTextAs(view)))
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/movies/anchors',
    config: { shows: 'catalogue' },
    schema: LIST_ANCHORS,
    serializerCompiler: asMade,
    handler: async (request, reply) => {
      const caller = callerOf(request)
      const { asOf, every = EVERY_DEFAULT } = request.query
      const { query, scope, isFleeting } = readListQuery(caller, request.query)
      request.isFleeting = isFleeting
      const found = await movies.anchors(caller, { ...query, every }, await documentsOf(past, { caller, asOf, reply }))
      return presentAnchors(unwrap(found), (point) => paging.cursorOf(point, scope))
    },
  })
}

function addDetailRoutes(app: App, { movies }: RouteContext<'movies'>['services']): void {
  app.route({
    method: 'GET',
    url: '/v1/movies/:id',
    config: { shows: 'movie' },
    schema: GET_MOVIE,
    handler: async (request) => {
      const found = unwrap(await movies.get(callerOf(request), request.params.id))
      request.holds = found.holds ?? null
      return presentMovie(found)
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/movies/:id/credits',
    schema: GET_CREDITS,
    handler: async (request) => presentCredits(unwrap(await movies.credits(callerOf(request), request.params.id))),
  })

  app.route({
    method: 'GET',
    url: '/v1/movies/:id/file-stats',
    schema: GET_FILE_STATS,
    handler: async (request) => {
      const { id } = request.params
      const caller = callerOf(request)
      return presentFileStats(id, unwrap(await movies.files(caller, id)), caller)
    },
  })
}
