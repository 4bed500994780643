/** The queries of movie lists must be searches along an index: SQLite's plan of each is checked. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t, { type Test } from 'tap'
import type { Fragment } from '../../../src/adapters/sqlite/read-store-filters.ts'
import {
  candidateKeysOf,
  candidatesOf,
  countOf,
  keyWalkOf,
  sourceAmong,
  sourcesOf,
  talliesOf,
  walkOf,
} from '../../../src/adapters/sqlite/read-store-find.ts'
import { createSqliteReadStore } from '../../../src/adapters/sqlite/read-store.ts'
import type { CollectionSpec, KeyQuery, Query, ReadStore } from '../../../src/ports/read-store.ts'
import { movies } from '../../../projections/views/movies.ts'
import { specOf } from '../../../projections/projector/projector.ts'
import { resumePoints } from '../../../projections/views/resume-points.ts'
import { userMovies } from '../../../projections/views/user-movies.ts'
import type { AnyView } from '../../../projections/views/view.ts'
import { makeMovieLists, ownQueries } from '../../fixtures/movie-queries.ts'

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

/**
 * Equal values may be sorted by id. Without a sort and a cursor a walk starts at the first id. Of wide documents only those on the page are
 * read.
 */
const isSlow = (step: string) =>
  /TEMP B-TREE(?! FOR LAST TERM)/.test(step) ||
  (/^SCAN (c|t|")/.test(step) && !step.includes('USING COVERING INDEX')) ||
  (step.startsWith('SEARCH s ') && step.includes(':n') && !step.includes('USING COVERING INDEX'))

function checkPlans(t: Test, collection: string, query: Query): void {
  const spec = specNamed(collection)
  const { page, keys, end } = walkOf(spec, query)
  for (const step of [page, keys, end].flatMap(planOf)) if (isSlow(step)) t.fail(step, { query })
  const sources = query.among ? [sourceAmong(spec, query.among)] : sourcesOf(spec, query)
  for (const source of sources) {
    // There are few candidates, and they are sorted.
    const candidates = Object.values(candidatesOf(spec, query, source)).flatMap(planOf)
    const plan = [...planOf(countOf(source, 10)), ...candidates.filter((step) => !step.includes('TEMP B-TREE'))]
    for (const step of plan) if (isSlow(step)) t.fail(step, { query })
  }
  t.pass(`${collection}: ${JSON.stringify(query)}`)
}

function checkKeyPlans(t: Test, collection: string, query: KeyQuery): void {
  const spec = specNamed(collection)
  const sources = query.among ? [sourceAmong(spec, query.among)] : sourcesOf(spec, query)
  // There are few candidates, and they are sorted.
  const sorted = sources.flatMap((source) => planOf(candidateKeysOf(spec, query, source))).filter((step) => !step.includes('TEMP B-TREE'))
  for (const step of sorted) if (isSlow(step)) t.fail(step, { query })
  if (query.among) return void t.pass(`${collection}: keys ${JSON.stringify(query)}`)
  const { keys, end } = keyWalkOf(spec, query)
  for (const step of [...planOf(keys), ...planOf(end)]) if (isSlow(step)) t.fail(step, { query })
  t.pass(`${collection}: keys ${JSON.stringify(query)}`)
}

/** The query, and again from a cursor at a value and at a null. */
function fromCursors<Asked extends Pick<Query, 'sort' | 'after'>>(collection: string, query: Asked): readonly Asked[] {
  const { sort } = query
  const isNumber = sort && specNamed(collection).fields[sort.field] === 'number'
  return [query, ...[isNumber ? 1 : 'x', null].map((value) => ({ ...query, after: { value: sort ? value : null, id: 'x' } }))]
}

/** A store that requests the plan of each query, and runs it. */
const explaining = (t: Test): ReadStore => ({
  ...store,
  find: (collection, query) => {
    for (const asked of fromCursors(collection, query)) checkPlans(t, collection, asked)
    return store.find(collection, query)
  },
  keys: (collection, query) => {
    for (const asked of fromCursors(collection, query)) checkKeyPlans(t, collection, asked)
    return store.keys(collection, query)
  },
})

t.test('lists of movies by every sort and filter', async (t) => makeMovieLists(explaining(t)))

t.test('what is among a user’s own movies, and the history of resume points', async (t) => {
  for (const { collection, query } of ownQueries()) checkPlans(t, collection, query)
})

t.test('facets and collections are read along the counted values', async (t) => {
  const spec = specOf(movies as unknown as AnyView)
  t.strictSame(planOf(talliesOf(spec, 'tallies', { prefix: 'one genre ', after: 'one genre drama', limit: 20 })), [
    `SEARCH ${spec.name}.tallies USING PRIMARY KEY (value>? AND value<?)`,
  ])
})
