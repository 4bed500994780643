/** Tests of collections that allow a store to keep fewer indexes: of unique fields, and of fields that no query seeks as null. */
import type { Test } from 'tap'
import { START, toPosition } from '../../src/events/position.ts'
import type { CollectionSpec, Filter, Query, ReadStore, StoredDocument } from '../../src/ports/read-store.ts'
import { createRandom, type Random } from '../fixtures/random.ts'
import { expectedIds, MOVIES } from '../fixtures/sample-documents.ts'
import { roundsOf, type Pace, type StoreUnderTest } from './read-store-contract.ts'

export const RANKED: CollectionSpec = {
  name: 'ranked_g1',
  fields: { rank: 'number', library: 'text', listed: 'boolean' },
  indexes: [['rank'], ['library', 'rank'], ['listed', 'rank'], ['listed', 'library', 'rank']],
  unique: ['rank'],
  sparse: ['library', 'listed'],
}

const LIBRARIES = ['one', 'two'] as const

function ranked(random: Random, count: number): readonly StoredDocument[] {
  return Array.from({ length: count }, (_, n) => ({
    id: `${random.pick(['a', 'b', 'c'])}${n}`,
    at: START,
    body: {
      rank: random.chance(0.1) ? null : (n * 7919) % 10_007,
      library: random.chance(0.3) ? null : random.pick(LIBRARIES),
      listed: random.chance(0.3) ? null : random.chance(0.6),
    },
  }))
}

function randomRankedQuery(random: Random): Query {
  const where: Filter[] = []
  if (random.chance(0.5)) where.push({ field: 'library', op: 'eq', value: random.chance(0.2) ? null : random.pick(LIBRARIES) })
  if (random.chance(0.5)) where.push({ field: 'listed', op: 'eq', value: random.chance(0.2) ? null : random.chance(0.5) })
  if (random.chance(0.3)) where.push({ field: 'rank', op: 'gte', value: random.below(10_007) })
  if (random.chance(0.3)) where.push({ field: 'rank', op: 'lt', value: random.below(10_007) })
  return { where, sort: { field: 'rank', direction: random.chance(0.5) ? 'asc' : 'desc' }, limit: 1 + random.below(20) }
}

export function readStoreIndexesContract(t: Test, make: () => Promise<StoreUnderTest>, pace: Pace = { part: 1 }): void {
  t.test('unique and sparse fields change the answer to no query, in either direction', async (t) => {
    const { store, close } = await make()
    t.teardown(close)
    await store.open([RANKED])
    const random = createRandom(21)
    const documents = ranked(random, 120)
    await store.commit({ collection: RANKED.name, epoch: 1, from: START, to: toPosition(1), puts: documents.slice(0, 60), removes: [] })
    await store.buildIndexes([RANKED.name])
    const [puts, gone] = [documents.slice(60), documents.slice(0, 10)]
    const removes = gone.map(({ id, at }) => ({ id, at }))
    await store.commit({ collection: RANKED.name, epoch: 1, from: toPosition(1), to: toPosition(2), puts, removes })
    for (let round = 0; round < roundsOf(120, pace); round++) {
      const query = randomRankedQuery(random)
      t.strictSame(await walked(store, query), expectedIds(documents.slice(10), query), JSON.stringify(query))
    }
  })

  t.test('a collection names only its own fields as unique or sparse', async (t) => {
    const { store, close } = await make()
    t.teardown(close)
    await t.rejects(store.open([{ ...MOVIES, unique: ['nobody'] }]), TypeError)
    await t.rejects(store.open([{ ...MOVIES, sparse: ['genres'] }]), TypeError)
  })
}

async function walked(store: ReadStore, query: Query): Promise<readonly string[]> {
  const ids: string[] = []
  for (let after = query.after, pages = 0; pages < 500; pages++) {
    const { documents, next } = await store.find(RANKED.name, { ...query, ...(after ? { after } : {}) })
    ids.push(...documents.map(({ id }) => id))
    if (!next) return ids
    after = next
  }
  throw new Error('A walk without an end')
}
