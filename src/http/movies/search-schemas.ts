/** Schemas of the search in everything. */
import { Type, type Static } from 'typebox'
import { CollectionSummary } from './facets-schemas.ts'
import { SEARCH_TEXT } from './movie-query-schemas.ts'
import { MovieSummary } from './movie-schemas.ts'
import { Id, named, nullable, refTo } from '../server/values-schemas.ts'

const LIMIT_MAX = 50
export const LIMIT_DEFAULT = 20

export const SearchQuery = Type.Object({
  q: SEARCH_TEXT,
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: LIMIT_MAX, default: LIMIT_DEFAULT, description: 'Maximum number of results of each kind.' }),
  ),
})

const PersonSummary = named('PersonSummary', Type.Object({ id: Id, name: Type.String(), image: nullable(Type.String()) }))

const SearchResults = named(
  'SearchResults',
  Type.Object({
    movies: Type.Array(refTo(MovieSummary), { maxItems: LIMIT_MAX, description: 'By title, as `GET /v1/movies?q=` finds them.' }),
    people: Type.Array(refTo(PersonSummary), {
      maxItems: LIMIT_MAX,
      description: 'Of the first hundred of these movies, those of most movies first.',
    }),
    collections: Type.Array(refTo(CollectionSummary), { maxItems: LIMIT_MAX, description: 'By name.' }),
  }),
)
export type SearchResultsBody = Static<typeof SearchResults>

export const SEARCH_RESULTS = refTo(SearchResults)
export const SEARCH_SCHEMAS = [PersonSummary, SearchResults]
