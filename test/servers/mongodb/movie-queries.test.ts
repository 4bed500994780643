/**
 * The queries of the views are walks along indexes. Each is checked against the declared indexes, and a real mongod's query plan is checked
 * too.
 */
import type { Document } from 'mongodb'
import t, { type Test } from 'tap'
import { connectMongo, type MongoConnection } from '../../../src/adapters/mongodb/connection.ts'
import { pipelineOf, type Stretch, type StretchRead } from '../../../src/adapters/mongodb/read-store-reads.ts'
import { COLLECTIONS, indexesOf, type StoredRecord } from '../../../src/adapters/mongodb/read-store-schema.ts'
import { createMongoReadStore } from '../../../src/adapters/mongodb/read-store.ts'
import { among, sourcesOf, upTo, walkOf } from '../../../src/adapters/mongodb/read-store-walk.ts'
import { createMemoryReadStore } from '../../../src/adapters/memory/read-store.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import type { CollectionSpec, Query, ReadStore } from '../../../src/ports/read-store.ts'
import { views } from '../../../projections/views/all.ts'
import { specOf } from '../../../projections/projector/projector.ts'
import { overMongo } from '../../fakes/mongodb.ts'
import { makeMovieLists, ownQueries } from '../../fixtures/movie-queries.ts'
import { productQueries, type CollectionQuery } from '../../fixtures/product-queries.ts'

const specs = views.map(specOf)
const specNamed = (name: string): CollectionSpec => specs.find((spec) => spec.name === name) ?? { name, fields: {}, indexes: [] }

/** Every query once, and again from a cursor at a value and at a null. */
async function allQueries(t: Test): Promise<readonly CollectionQuery[]> {
  const asked: CollectionQuery[] = [...ownQueries(), ...(await productQueries(t))]
  const memory = createMemoryReadStore()
  await memory.open(specs)
  const recording: ReadStore = {
    ...memory,
    find: (collection, query) => {
      asked.push({ collection, query })
      return memory.find(collection, query)
    },
    keys: (collection, query) => {
      asked.push({ collection, query: { ...query, limit: query.scan } })
      return memory.keys(collection, query)
    },
  }
  await makeMovieLists(recording)
  return asked.flatMap(({ collection, query }) => [
    { collection, query },
    ...['x', null].map((value) => ({ collection, query: { ...query, after: { value: cursorValue(collection, query, value), id: 'x' } } })),
  ])
}

const cursorValue = (collection: string, { sort }: Query, value: string | null): string | number | null =>
  !sort || value === null ? null : specNamed(collection).fields[sort.field] === 'number' ? 1 : value

const isFixing = (value: unknown): boolean => typeof value !== 'object' || value === null

/** The conditions of a stretch, by field. */
const conditionsOf = ({ match: { $and = [], ...rest } }: Stretch): readonly (readonly [field: string, value: unknown])[] =>
  [rest, ...($and as readonly Document[])].flatMap((condition) => Object.entries(condition))

/** The index starts with all fixed fields, followed by the sort order, forward or backward, and its bounds. */
function serves(key: Document, stretch: Stretch): boolean {
  const conditions = conditionsOf(stretch)
  const fixed = new Set(conditions.filter(([, value]) => isFixing(value)).map(([field]) => field))
  const keys = Object.entries(key)
  const start = keys.findIndex(([field]) => !fixed.has(field))
  const rest = start < 0 ? [] : keys.slice(start)
  const order = Object.entries(stretch.sort ?? {}).filter(([field]) => !fixed.has(field))
  const runs = order.map(([field, direction], place) => (rest[place]?.[0] === field ? direction * Number(rest[place][1]) : 0))
  const inOrder = runs.every((run) => run !== 0 && run === runs[0])
  const bounds = conditions.map(([field]) => field).filter((field) => !fixed.has(field))
  return inOrder && bounds.every((field) => rest[0]?.[0] === field) && [...fixed].every((field) => field in key)
}

function readsOf({ collection, query }: CollectionQuery): readonly { readonly stretch: Stretch; readonly read: StretchRead }[] {
  const spec = specNamed(collection)
  const { stretches, filters } = walkOf(spec, query)
  const sources = query.among ? [among(query.among)] : sourcesOf(spec, query)
  const give = query.limit + 1
  const last = { _id: 'x', live: true, body: query.sort ? { [query.sort.field]: cursorValue(collection, query, 'x') } : {} } as StoredRecord
  const bounded = stretches.flatMap((stretch) => upTo(stretch, last, query.sort))
  return [
    ...stretches.map((stretch) => ({ stretch, read: { look: 2000, filters, give } })),
    ...bounded.map((stretch) => ({ stretch, read: { look: give, filters: [], give } })),
    ...sources.map((stretch) => ({ stretch, read: { look: 100, filters, give: 100 } })),
  ]
}

t.test('an index of the collection serves filter and order of each query', async (t) => {
  const queries = await allQueries(t)
  let stretches = 0
  for (const asked of queries) {
    const indexes = [...indexesOf(specNamed(asked.collection)), { key: { _id: 1 }, name: '_id_' }]
    for (const { stretch } of readsOf(asked)) {
      stretches++
      const key = indexes.find(({ name }) => name === stretch.index)?.key
      const isServed = key && (stretch.index === '_id_' ? '_id' in stretch.match : serves(key, stretch))
      if (!isServed) t.fail(`${asked.collection}: ${stretch.index} does not serve`, { stretch, key })
    }
  }
  const asked = new Set(queries.map(({ collection }) => collection))
  t.strictSame(
    views.filter((view) => !asked.has(specOf(view).name)).map(({ name }) => name),
    ['credits', 'images', 'preferences'],
    'all others are not only read by id: the queries of a new one belong in test/fixtures/product-queries.ts',
  )
  t.ok(queries.length > 900 && stretches > 2000, `${queries.length} queries, ${stretches} walks`)
})

t.test('the check itself names queries that no index serves', async (t) => {
  const stretch = { match: { live: true, $and: [{ a: 1 }] }, index: 'a', sort: { b: -1, _id: 1 } } as const
  t.equal(serves({ live: 1, a: 1, b: -1, _id: 1 }, stretch), true)
  t.equal(serves({ live: 1, a: 1, b: 1, _id: -1 }, stretch), true, 'backward')
  for (const key of [
    { live: 1, b: -1, _id: 1 },
    { live: 1, a: 1, b: 1, _id: 1 },
    { live: 1, b: -1, a: 1, _id: 1 },
  ]) {
    t.equal(serves(key, stretch), false)
  }
})

await overMongo(t, async (t, mongo) => {
  if (!mongo.isMongod) {
    t.pass(`NOT TESTED: ${mongo.name} has no plans of queries`, { skip: 'no mongod here' })
    return
  }
  const clock = createSystemClock()
  const connection = connectMongo({ url: mongo.url(), clock })
  t.teardown(() => connection.close())
  const store = createMongoReadStore({ connection, clock })
  await store.open(specs)
  await store.buildIndexes(specs.map(({ name }) => name))
  for (const asked of await allQueries(t)) await checkPlans(t, connection, asked)
  t.pass('all along indexes')
})

/** There are few candidates, and they are sorted in this process, so no plan sorts. */
async function checkPlans(t: Test, connection: MongoConnection, asked: CollectionQuery): Promise<void> {
  const record = await connection.db().collection<{ _id: string; place: string }>(COLLECTIONS).findOne({ _id: asked.collection })
  for (const { stretch, read } of readsOf(asked)) {
    const cursor = connection
      .db()
      .collection(record?.place ?? '')
      .aggregate(pipelineOf(stretch, read), { hint: stretch.index })
    const plan = JSON.stringify(await cursor.explain('queryPlanner'))
    if (!/"stage":"(IXSCAN|EOF)"/.test(plan) || /"stage":"(COLLSCAN|SORT)"|"\$sort":/.test(plan.replace(/"command":.*$/, ''))) {
      t.fail(`${asked.collection} is not walked along ${stretch.index}`, { stretch, plan })
    }
  }
}
