/** The requests of the client: the key of each answer in the cache, and how it is asked for. */
import { api, valueOf } from '../api/client.ts'
import type { components, operations } from '../api/schema.d.ts'
import { PAGE_SIZE } from './list-window.ts'
import type { Context } from './query-client.ts'

type Schemas = components['schemas']
export type MovieCard = Schemas['MovieSummary']
export type Movie = Schemas['Movie']
export type Credits = Schemas['Credits']
export type FileStats = Schemas['FileStats']
export type Home = operations['getHome']['responses'][200]['content']['application/json']
export type ListQuery = NonNullable<operations['listMovies']['parameters']['query']>

/** Rows that a request gives at most. */
export const PAGE = 100

/** Films in each row of the home page. */
export const ROW_LENGTH = 12

export const homeQuery = {
  queryKey: ['home'],
  queryFn: ({ signal }: Context) => valueOf(api.GET('/v1/home', { params: { query: { limit: ROW_LENGTH } }, signal })),
}

export const movieQuery = (id: string) => ({
  queryKey: ['movie', id],
  queryFn: ({ signal }: Context) => valueOf(api.GET('/v1/movies/{id}', { params: { path: { id } }, signal })),
})

export const creditsQuery = (id: string) => ({
  queryKey: ['credits', id],
  queryFn: ({ signal }: Context) => valueOf(api.GET('/v1/movies/{id}/credits', { params: { path: { id } }, signal })),
})

export const fileStatsQuery = (id: string) => ({
  queryKey: ['file-stats', id],
  queryFn: ({ signal }: Context) => valueOf(api.GET('/v1/movies/{id}/file-stats', { params: { path: { id } }, signal })),
})

export const librariesQuery = {
  queryKey: ['libraries'],
  queryFn: ({ signal }: Context) => valueOf(api.GET('/v1/libraries', { params: { query: { limit: PAGE } }, signal })),
}

export const facetsQuery = {
  queryKey: ['facets'],
  queryFn: ({ signal }: Context) => valueOf(api.GET('/v1/facets', { signal })),
}

export const collectionQuery = (id: string) => ({
  queryKey: ['collection', id],
  queryFn: ({ signal }: Context) => valueOf(api.GET('/v1/collections/{id}', { params: { path: { id } }, signal })),
})

export const personQuery = (id: string) => ({
  queryKey: ['person', id],
  queryFn: ({ signal }: Context) => valueOf(api.GET('/v1/people/{id}', { params: { path: { id } }, signal })),
})

export type Anchors = operations['listMovieAnchors']['responses'][200]['content']['application/json']

/** Where each hundredth film of a list is, and each letter. */
export const anchorsQuery = (query: ListQuery) => ({
  queryKey: ['movies', JSON.stringify(query), 'anchors'],
  queryFn: ({ signal }: Context) => valueOf(api.GET('/v1/movies/anchors', { params: { query: { ...query, every: PAGE_SIZE } }, signal })),
})

export interface ListPlace {
  readonly page: number
  /** Of the anchor where the page begins; null: the beginning of the list. */
  readonly cursor: string | null
}

/** Another cursor is another answer: a list that has changed before the page has moved what is on it. */
export const pageQuery = (query: ListQuery, { page, cursor }: ListPlace) => ({
  queryKey: ['movies', JSON.stringify(query), page, cursor],
  queryFn: ({ signal }: Context) =>
    valueOf(
      api.GET('/v1/movies', {
        params: { query: { ...query, limit: PAGE_SIZE, view: 'card', ...(cursor === null ? {} : { cursor }) } },
        signal,
      }),
    ),
})

/** Cards of these films, at most a hundred. */
export const cardsQuery = (ids: readonly string[]) => ({
  queryKey: ['cards', ...ids],
  queryFn: ({ signal }: Context) =>
    valueOf(api.GET('/v1/movies', { params: { query: { id: [...ids], availability: 'all', view: 'card', limit: PAGE } }, signal })),
})

/** Results of each kind on the search page. */
export const RESULTS = 50

export const searchQuery = (q: string) => ({
  queryKey: ['search', q],
  queryFn: ({ signal }: Context) => valueOf(api.GET('/v1/search', { params: { query: { q, limit: RESULTS } }, signal })),
})

/** Whether people can create accounts here; for those who are not signed in. */
export const signInOptionsQuery = {
  queryKey: ['sign-in-options'],
  queryFn: ({ signal }: Context) => valueOf(api.GET('/api/auth/options', { signal })),
}
