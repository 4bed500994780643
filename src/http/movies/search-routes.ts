/** Serves the search in everything that a caller sees, so that a search page needs one request for each pause in typing. */
import type { SearchResults } from '../../app/movies/search.ts'
import type { App, RouteContext } from '../server/app.ts'
import { callerOf } from '../server/guard.ts'
import { operation } from '../server/operation.ts'
import { imageUrl } from '../server/values-presenter.ts'
import { presentCollectionSummary } from './facets-presenter.ts'
import { presentSummaryAs } from './movie-presenter.ts'
import { LIMIT_DEFAULT, SEARCH_RESULTS, SearchQuery, type SearchResultsBody } from './search-schemas.ts'

const SEARCH = {
  ...operation({
    id: 'search',
    tag: 'movies',
    summary: 'Search for movies, people and collections',
    description: 'What the caller sees: movies as cards (`view=card`), people of these movies, and collections with their films.',
    answers: { 200: { description: 'The results of each kind.', schema: SEARCH_RESULTS } },
    errors: [422],
  }),
  querystring: SearchQuery,
}

export function addSearchRoutes(app: App, { services }: RouteContext<'search'>): void {
  app.route({
    method: 'GET',
    url: '/v1/search',
    config: { shows: 'catalogue' },
    schema: SEARCH,
    handler: async (request) => {
      const { q, limit = LIMIT_DEFAULT } = request.query
      return present(await services.search.search(callerOf(request), q, limit))
    },
  })
}

const present = ({ movies, people, collections }: SearchResults): SearchResultsBody => ({
  movies: movies.map(presentSummaryAs('card')),
  people: people.map(({ id, name, image }) => ({ id, name, image: imageUrl(image) })),
  collections: collections.map(({ collection, card }) => presentCollectionSummary(collection, card)),
})
