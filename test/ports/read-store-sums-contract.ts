/** Tests of groups, counts and sums that every read store must pass (src/ports/read-store.ts). */
import type { Test } from 'tap'
import { toPosition } from '../../src/events/position.ts'
import type { Bucket, ReadStore, StoredDocument, Sum, Sums } from '../../src/ports/read-store.ts'
import { expectedIds, MOVIES, randomMovies, randomQuery } from '../fixtures/sample-documents.ts'
import { createRandom, type Random } from '../fixtures/random.ts'
import { roundsOf, type Pace, type StoreUnderTest } from './read-store-contract.ts'

const FIELDS = ['library', 'watched', 'year', 'title'] as const
const BUCKETS: readonly (Bucket | undefined)[] = [
  undefined,
  { field: 'year', offset: 0, width: 1 },
  { field: 'year', offset: -1900, width: 100 },
  { field: 'rating', offset: 3, width: 4, cycle: 2 },
  { field: 'year', offset: 7, width: 10, cycle: 7 },
]

export function readStoreSumsContract(t: Test, make: () => Promise<StoreUnderTest>, pace: Pace = { part: 1 }): void {
  const opened = async (t: Test): Promise<ReadStore> => {
    const { store, close } = await make()
    t.teardown(close)
    await store.open([MOVIES])
    return store
  }

  t.test('groups are counted and added up as documents one by one would be', async (t) => {
    const store = await opened(t)
    const films = randomMovies(5, 200)
    await store.commit({ collection: MOVIES.name, epoch: 1, from: toPosition(0), to: toPosition(1), puts: films, removes: [] })
    const random = createRandom(17)
    for (let round = 0; round < roundsOf(150, pace); round++) {
      const sums = randomSums(random)
      t.strictSame(inOrder(await store.sum(MOVIES.name, sums)), inOrder(expectedSums(films, sums)), JSON.stringify(sums))
    }
  })

  t.test('of nothing there are no groups', async (t) => {
    const store = await opened(t)
    t.strictSame(await store.sum(MOVIES.name, { of: 'rating' }), [])
    t.strictSame(await store.sum(MOVIES.name, { of: 'rating', by: ['library'] }), [])
  })

  t.test('what cannot be added up or grouped by is a fault of the program', async (t) => {
    const store = await opened(t)
    const wrong: readonly Sums[] = [
      { of: 'title' },
      { of: 'undeclared' },
      { of: 'rating', by: ['genres'] },
      { of: 'rating', by: ['title', 'year', 'library', 'watched'] },
      { of: 'rating', bucket: { field: 'title', offset: 0, width: 1 } },
      { of: 'rating', bucket: { field: 'year', offset: 0.5, width: 1 } },
      { of: 'rating', bucket: { field: 'year', offset: 0, width: 0 } },
      { of: 'rating', bucket: { field: 'year', offset: 0, width: 1, cycle: 0 } },
    ]
    for (const sums of wrong) await t.rejects(store.sum(MOVIES.name, sums), TypeError, JSON.stringify(sums))
  })
}

function randomSums(random: Random): Sums {
  const { where = [] } = randomQuery(random)
  const by = FIELDS.filter(() => random.chance(0.3)).slice(0, 3)
  const bucket = random.pick(BUCKETS)
  return { where, of: random.pick(['rating', 'year'] as const), by, ...(bucket ? { bucket } : {}) }
}

/** A reference implementation of the sums. */
function expectedSums(films: readonly StoredDocument[], { where = [], by = [], bucket, of }: Sums): readonly Sum[] {
  const ids = new Set(expectedIds(films, { where, limit: 1000 }))
  const groups = new Map<string, Sum>()
  for (const { body } of films.filter(({ id }) => ids.has(id))) {
    const value = bucket && body[bucket.field]
    const stretch = bucket && typeof value === 'number' ? Math.floor((value + bucket.offset) / bucket.width) : null
    const place = stretch === null || bucket?.cycle === undefined ? stretch : stretch - Math.floor(stretch / bucket.cycle) * bucket.cycle
    const keys = by.map((field) => (body[field] ?? null) as Sum['keys'][number])
    const key = JSON.stringify([place, keys])
    const { count, sum } = groups.get(key) ?? { count: 0, sum: 0 }
    groups.set(key, { bucket: place, keys, count: count + 1, sum: sum + Number(body[of] ?? 0) })
  }
  return [...groups.values()]
}

/** Ratings have one decimal, so their sums depend on the order of addition. */
const inOrder = (sums: readonly Sum[]) =>
  sums
    .map(({ sum, ...group }) => ({ ...group, sum: Math.round(sum * 1000) / 1000 }))
    .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
