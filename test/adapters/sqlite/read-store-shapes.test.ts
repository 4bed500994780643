import t from 'tap'
import { candidatesOf, sourceAmong, walkOf } from '../../../src/adapters/sqlite/read-store-find.ts'
import { byShape } from '../../../src/adapters/sqlite/read-store-shapes.ts'
import { createMemoryReadStore } from '../../../src/adapters/memory/read-store.ts'
import type { CollectionSpec, Filter, Query, ReadStore } from '../../../src/ports/read-store.ts'
import { movies } from '../../../projections/views/movies.ts'
import { userMovies } from '../../../projections/views/user-movies.ts'
import { specOf } from '../../../projections/projector/projector.ts'
import type { AnyView } from '../../../projections/views/view.ts'
import { makeMovieLists, ownQueries } from '../../fixtures/movie-queries.ts'

const specs = ([movies, userMovies] as unknown as readonly AnyView[]).map(specOf)

function compose(spec: CollectionSpec, query: Query) {
  if (query.among) return { ...candidatesOf(spec, query, sourceAmong(spec, query.among)), end: { sql: '', values: [] } }
  return { ...walkOf(spec, query) }
}

/** All queries of movie lists, each from several places. */
async function queriesOfLists(): Promise<readonly (readonly [CollectionSpec, Query])[]> {
  const store = createMemoryReadStore()
  await store.open(specs)
  const asked: (readonly [string, Query])[] = ownQueries().map(({ collection, query }) => [collection, query])
  const noting: ReadStore = { ...store, find: (collection, query) => (asked.push([collection, query]), store.find(collection, query)) }
  await makeMovieLists(noting)
  return asked.flatMap(([collection, query]) => {
    const spec = specs.find(({ name }) => name === collection)
    if (!spec) return []
    const isNumber = query.sort && spec.fields[query.sort.field] === 'number'
    const values = query.sort ? [isNumber ? 0 : '', isNumber ? -1.5 : 'x', null] : [null]
    return [query, ...values.map((value) => ({ ...query, after: { value, id: `id of ${String(value)}` } }))].map(
      (from) => [spec, from] as const,
    )
  })
}

t.test('composes what is composed without shapes, also for queries of a known shape', async (t) => {
  let composed = 0
  const shaped = byShape((spec, query) => (composed++, compose(spec, query)))
  const queries = await queriesOfLists()
  for (const [spec, query] of queries) t.strictSame(shaped(spec, query), compose(spec, query), JSON.stringify(query))
  const before = composed
  for (const [spec, query] of queries) t.strictSame(shaped(spec, query), compose(spec, query))
  t.ok(composed - before < queries.length / 4, 'most are not composed again')
})

t.test('values of another kind, null and other numbers of values are other shapes', async (t) => {
  const [spec] = specs as [CollectionSpec]
  const shaped = byShape(compose)
  const filters: readonly Filter[] = [
    { field: 'year', op: 'eq', value: 1999 },
    { field: 'year', op: 'eq', value: null },
    { field: 'available', op: 'eq', value: true },
    { field: 'available', op: 'eq', value: false },
    { field: 'year', op: 'in', values: [] },
    { field: 'year', op: 'in', values: [1] },
    { field: 'year', op: 'in', values: [1, 2] },
    { field: 'year', op: 'in', values: Array.from({ length: 20 }, (_, n) => n) },
    { field: 'factKeys', op: 'has', values: ['genre:drama'] },
    { field: 'factKeys', op: 'has', values: [7] },
    { field: 'libraryId', op: 'prefix', value: 'a' },
    { field: 'libraryId', op: 'prefix', value: '\u{10FFFF}' },
    { field: 'words', op: 'tokens', words: ['a', 'b'] },
    { field: 'rating', op: 'gte', value: Number.MIN_SAFE_INTEGER + 1 },
    { field: 'libraryId', op: 'eq', value: '\0value 0' },
  ]
  for (const filter of [...filters, ...filters]) {
    for (const sort of [undefined, { field: 'sortTitle', direction: 'desc' }, { field: 'untinted', direction: 'asc' }] as const) {
      for (const value of [true, false, null, 'x'] as const) {
        const query: Query = { where: [filter], limit: 5, after: { value, id: 'x' }, ...(sort ? { sort } : {}) }
        t.strictSame(shaped(spec, query), compose(spec, query), JSON.stringify(query))
      }
    }
  }
})
