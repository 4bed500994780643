/** The queries that lists of movies make are searches along an index: SQLite is asked for its plan of each. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t, { type Test } from 'tap'
import type { Fragment } from '../../../src/adapters/sqlite/read-store-filters.ts'
import { candidatesOf, countOf, sourceAmong, sourcesOf, talliesOf, walkOf } from '../../../src/adapters/sqlite/read-store-find.ts'
import { createSqliteReadStore } from '../../../src/adapters/sqlite/read-store.ts'
import { filtersOf, type MovieQuery } from '../../../src/app/movie-query.ts'
import { createDocuments } from '../../../src/app/documents.ts'
import { countMovies, listMovies } from '../../../src/app/movie-list.ts'
import { SORTS } from '../../../src/app/movie-query.ts'
import type { CollectionSpec, Query, ReadStore } from '../../../src/ports/read-store.ts'
import { movies } from '../../../projections/movies.ts'
import { specOf } from '../../../projections/projector.ts'
import { resumePoints } from '../../../projections/resume-points.ts'
import { userMovies } from '../../../projections/user-movies.ts'
import type { AnyView } from '../../../projections/view.ts'
import { named } from '../../names.ts'

const specs = ([movies, userMovies, resumePoints] as unknown as readonly AnyView[]).map(specOf)
const file = join(t.testdir(), 'store.sqlite')
const store = createSqliteReadStore({ file })
await store.open(specs)
await store.buildIndexes(specs.map(({ name }) => name))
const db = new DatabaseSync(file)
t.teardown(async () => {
  db.close()
  await store.close()
})

const planOf = ({ sql, values }: Fragment): readonly string[] =>
  db
    .prepare(`explain query plan ${sql}`)
    .all(...values)
    .map(({ detail }) => String(detail))

const specNamed = (name: string): CollectionSpec => specs.find((spec) => spec.name === name) ?? { name, fields: {}, indexes: [] }

/** Without a sort and a cursor a walk starts at the first id. Of wide documents only those are read that a page gives. */
const isSlow = (step: string) =>
  step.includes('TEMP B-TREE') ||
  (/^SCAN (c|t|")/.test(step) && !step.includes('USING COVERING INDEX')) ||
  (step.startsWith('SEARCH s ') && step.includes(':n') && !step.includes('USING COVERING INDEX'))

function checkPlans(t: Test, collection: string, query: Query): void {
  const spec = specNamed(collection)
  const { page, end } = walkOf(spec, query)
  for (const step of [...planOf(page), ...planOf(end)]) if (isSlow(step)) t.fail(step, { query })
  const sources = query.among ? [sourceAmong(spec, query.among)] : sourcesOf(spec, query)
  for (const source of sources) {
    // Candidates are few, and sorted.
    const plan = [
      ...planOf(countOf(source, 10)),
      ...planOf(candidatesOf(spec, query, source)).filter((step) => !step.includes('TEMP B-TREE')),
    ]
    for (const step of plan) if (isSlow(step)) t.fail(step, { query })
  }
  t.pass(`${collection}: ${JSON.stringify(query)}`)
}

/** A store that asks for the plan of each query, and makes it. */
const explaining = (t: Test): ReadStore => ({
  ...store,
  find: (collection, query) => {
    checkPlans(t, collection, query)
    for (const value of ['x', null]) {
      const { sort } = query
      const fits = sort && specNamed(collection).fields[sort.field] === 'number' && value !== null ? 1 : value
      checkPlans(t, collection, { ...query, after: { value: sort ? fits : null, id: 'x' } })
    }
    return store.find(collection, query)
  },
})

const FILTERS: readonly Partial<MovieQuery>[] = [
  {},
  { libraryIds: ['one'] },
  { text: 'a bc' },
  { keys: { genre: ['drama', 'war'], studio: ['x'] } },
  { keys: { videoCodec: ['h264'], audioLanguage: ['de'] } },
  { years: [1999, 2000] },
  { yearFrom: 1990, yearTo: 1999 },
  { minRating: 5, minDurationMs: 1, maxDurationMs: 2 },
  { addedAfter: '2026-01-01T00:00:00.000Z', addedBefore: '2027-01-01T00:00:00.000Z' },
  { availability: 'missing' },
  { availability: 'all', matched: true },
  { watched: true },
  { watched: false },
  { inProgress: true },
  { watchlist: true },
]

t.test('lists of movies by every sort and filter', async (t) => {
  const documents = createDocuments(explaining(t))
  const viewer = { userId: named<'user'>('user'), libraryIds: [named<'library'>('one'), named<'library'>('two')] }
  for (const sort of SORTS) {
    for (const order of ['asc', 'desc'] as const) {
      for (const filters of FILTERS) await listMovies(documents, viewer, { sort, order, ...filters, limit: 20 })
    }
  }
  await countMovies(documents, viewer, { sort: 'title', order: 'asc', watched: true })
})

t.test('what is among a user’s own movies, and the history of resume points', async (t) => {
  for (const sort of ['sortTitle', 'rating', 'shuffle']) {
    const where = filtersOf({ sort: 'title', order: 'asc' }, [named('one')])
    checkPlans(t, specOf(movies as unknown as AnyView).name, { where, sort: { field: sort, direction: 'asc' }, among: ['a'], limit: 20 })
  }
  const where = [{ field: 'key', op: 'eq', value: 'user_movie' }] as const
  checkPlans(t, specOf(resumePoints as unknown as AnyView).name, { where, sort: { field: 'at', direction: 'desc' }, limit: 20 })
})

t.test('facets and collections are read along the counted values', async (t) => {
  const spec = specOf(movies as unknown as AnyView)
  t.strictSame(planOf(talliesOf(spec, 'tallies', { prefix: 'one genre ', after: 'one genre drama', limit: 20 })), [
    `SEARCH ${spec.name}.tallies USING PRIMARY KEY (value>? AND value<?)`,
  ])
})
