/** Serves the facets of the movies that a caller sees: values to filter by, people, collections. */
import { Type } from 'typebox'
import type { App, RouteContext } from '../server/app.ts'
import { unwrap } from '../server/errors.ts'
import { callerOf } from '../server/guard.ts'
import { idParams, operation } from '../server/operation.ts'
import { PAGE_QUERY } from '../server/paging.ts'
import { presentCollection, presentCollectionSummary, presentFacets, presentPerson } from './facets-presenter.ts'
import { Collection, CollectionSummaryPage, Facets, Person } from './facets-schemas.ts'
import { LIBRARY_FILTER } from './movie-query-schemas.ts'
import { VIEW_QUERY } from './movie-schemas.ts'
import { refTo } from '../server/values-schemas.ts'

const tag = 'movies'

const GET_FACETS = {
  ...operation({
    id: 'getFacets',
    tag,
    summary: 'List the values of each movie filter',
    answers: { 200: { description: 'Values, each with the number of movies.', schema: refTo(Facets) } },
    errors: [422],
  }),
  querystring: Type.Object(LIBRARY_FILTER),
}

const GET_PERSON = {
  ...operation({
    id: 'getPerson',
    tag,
    summary: 'Get a person and their movies',
    answers: { 200: { description: 'The newest 500 movies that the caller sees.', schema: refTo(Person) } },
    errors: [404, 422],
  }),
  params: idParams('id'),
  querystring: Type.Object(VIEW_QUERY),
}

const LIST_COLLECTIONS = {
  ...operation({
    id: 'listCollections',
    tag,
    summary: 'List collections',
    answers: { 200: { description: 'A page of collections.', schema: refTo(CollectionSummaryPage) } },
    errors: [422],
  }),
  querystring: Type.Object({
    ...PAGE_QUERY,
    view: Type.Optional(
      Type.Enum(['plain', 'card'], {
        default: 'plain',
        description: '`card`: with `watchedCount` and `images`, which take a look at the films of each collection.',
      }),
    ),
  }),
}

const GET_COLLECTION = {
  ...operation({
    id: 'getCollection',
    tag,
    summary: 'Get a collection and its movies',
    answers: { 200: { description: 'The movies that the caller sees.', schema: refTo(Collection) } },
    errors: [404, 422],
  }),
  params: idParams('id'),
  querystring: Type.Object(VIEW_QUERY),
}

export function addFacetRoutes(app: App, { services, paging }: RouteContext<'catalogue'>): void {
  const { catalogue } = services

  app.route({
    method: 'GET',
    url: '/v1/facets',
    schema: GET_FACETS,
    handler: async (request) => presentFacets(await catalogue.facets(callerOf(request), request.query.libraryId)),
  })

  app.route({
    method: 'GET',
    url: '/v1/people/:id',
    schema: GET_PERSON,
    handler: async (request) => presentPerson(unwrap(await catalogue.person(callerOf(request), request.params.id)), request.query.view),
  })

  app.route({
    method: 'GET',
    url: '/v1/collections',
    config: { shows: 'catalogue' },
    schema: LIST_COLLECTIONS,
    handler: async (request) => {
      const caller = callerOf(request)
      const { view, ...query } = request.query
      const scope = { userId: caller.userId, route: 'collections', query: null }
      const page = await catalogue.collections(caller, paging.read(query, scope))
      const ids = view === 'card' ? page.items.map(({ id }) => id) : []
      const cards = new Map((await catalogue.collectionCards(caller, ids)).map((card, index) => [ids[index], card]))
      return paging.page(page, scope, (collection) => presentCollectionSummary(collection, cards.get(collection.id)))
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/collections/:id',
    schema: GET_COLLECTION,
    handler: async (request) =>
      presentCollection(unwrap(await catalogue.collection(callerOf(request), request.params.id)), request.query.view),
  })
}
