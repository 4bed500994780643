/** Counts are kept until the collection's checkpoint moves. */
import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createKeptCounts } from '../../../src/adapters/mongodb/read-store-kept.ts'
import { createMongoReadStore } from '../../../src/adapters/mongodb/read-store.ts'
import { START, toPosition } from '../../../src/events/position.ts'
import type { CollectionSpec, Filter } from '../../../src/ports/read-store.ts'
import { createExaminedStore } from '../../fixtures/examined.ts'

const SPEC: CollectionSpec = { name: 'films_g1', fields: { year: 'number', seen: 'boolean' }, indexes: [['year']] }
const COUNT = 300
const documents = Array.from({ length: COUNT }, (_, n) => ({ id: `f${n}`, at: START, body: { year: n % 10, seen: n % 2 === 0 } }))

t.test('a count is made once at each checkpoint', async (t) => {
  const { connection, taken, checkpointTo } = createExaminedStore([{ spec: SPEC, documents }])
  const store = createMongoReadStore({ connection, clock: createTestClock() })
  const counted = async (where: readonly Filter[]) => ({ count: await store.count(SPEC.name, where), ...taken() })
  const seen = [{ field: 'seen', op: 'eq', value: true }] as const
  const both = [...seen, { field: 'year', op: 'lt', value: 3 }] as const
  t.match(await counted(seen), { count: 150, commands: ['find', 'count'], documents: COUNT + 1 })
  t.match(await counted(both), { count: 60, commands: ['find', 'count'] })
  t.match(await counted(seen), { count: 150, commands: ['find'], documents: 1 })
  checkpointTo(SPEC.name, toPosition(9))
  t.match(await counted(seen), { count: 150, commands: ['find', 'count'], documents: COUNT + 1 })
})

t.test('callers share a count that is being made, and one that failed is made again', async (t) => {
  const kept = createKeptCounts()
  const answers = [Promise.withResolvers<number>(), Promise.withResolvers<number>()]
  let made = 0
  const ask = () => kept.of(START, 'all', async () => answers[made++]?.promise)
  const first = [ask(), ask()]
  answers[0]?.reject(new Error('away'))
  for (const asked of first) await t.rejects(asked, { message: 'away' })
  const second = [ask(), ask()]
  answers[1]?.resolve(7)
  t.strictSame(await Promise.all(second), [7, 7])
  t.equal(made, 2)
})

t.test('a count of an earlier checkpoint that ends late is not given at a later one', async (t) => {
  const kept = createKeptCounts()
  const late = Promise.withResolvers<number>()
  const early = kept.of(START, 'all', () => late.promise)
  t.equal(await kept.of(toPosition(2), 'all', async () => 2), 2)
  late.resolve(1)
  t.equal(await early, 1)
  t.equal(await kept.of(toPosition(2), 'all', async () => 3), 2)
})
