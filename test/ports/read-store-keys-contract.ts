/** Tests of query keys that every read store must pass (src/ports/read-store.ts). */
import type { Test } from 'tap'
import { toPosition } from '../../src/events/position.ts'
import type { Key, KeyQuery, ReadStore, StoredDocument } from '../../src/ports/read-store.ts'
import { expectedIds, MOVIES, randomMovies, randomQuery } from '../fixtures/sample-documents.ts'
import { createRandom } from '../fixtures/random.ts'
import { roundsOf, type Pace, type StoreUnderTest } from './read-store-contract.ts'

export function readStoreKeysContract(t: Test, make: () => Promise<StoreUnderTest>, pace: Pace = { part: 1 }): void {
  const filled = async (t: Test, puts: readonly StoredDocument[]): Promise<ReadStore> => {
    const { store, close } = await make()
    t.teardown(close)
    await store.open([MOVIES])
    await store.commit({ collection: MOVIES.name, epoch: 1, from: toPosition(0), to: toPosition(1), puts, removes: [] })
    return store
  }

  t.test('keys of random queries, put together, are what a plain sort gives, each with its sort value', async (t) => {
    const films = randomMovies(31, 200)
    const store = await filled(t, films)
    const random = createRandom(32)
    for (let round = 0; round < roundsOf(100, pace); round++) {
      const { where = [], sort } = randomQuery(random)
      const some = films.filter(() => random.chance(0.3))
      const among = random.chance(0.2) ? { among: [...some.map(({ id }) => id), 'nobody'] } : {}
      const query = { where, ...(sort ? { sort } : {}), ...among, scan: random.pick([3, 40, 200, 10_000]) }
      const expected = expectedIds('among' in among ? some : films, { ...query, limit: 1 })
      const bodies = new Map(films.map(({ id, body }) => [id, body]))
      const keys = expected.map((id): Key => ({ id, value: (sort && bodies.get(id)?.[sort.field]) ?? null }))
      t.same(await walk(store, query), keys, JSON.stringify(query))
    }
  })

  t.test('keys after a cursor go on after it, whether or not a document stands there', async (t) => {
    const store = await filled(
      t,
      ['a', 'b', 'c', 'd'].map((id, n) => ({ id, at: toPosition(1), body: { year: n === 3 ? null : 1 } })),
    )
    const after = (value: number | null, id: string) =>
      walk(store, { sort: { field: 'year', direction: 'desc' }, scan: 9, after: { value, id } })
    t.strictSame(
      (await after(1, 'a~')).map(({ id }) => id),
      ['b', 'c', 'd'],
    )
    t.strictSame(
      (await after(2, 'z')).map(({ id }) => id),
      ['a', 'b', 'c', 'd'],
    )
    t.strictSame(
      (await after(null, 'c~')).map(({ id }) => id),
      ['d'],
    )
  })

  t.test('a walk of keys looks at a bounded number of documents, and the last part has no next', async (t) => {
    const films = Array.from({ length: 6 }, (_, year): StoredDocument => ({
      id: `f${year}`,
      at: toPosition(1),
      body: { year, note: year % 3 ? 'x' : 'y' },
    }))
    const store = await filled(t, films)
    const part = (scan: number) =>
      store.keys(MOVIES.name, { where: [{ field: 'note', op: 'eq', value: 'y' }], sort: { field: 'year', direction: 'asc' }, scan })
    const [first, second] = [
      { value: 0, id: 'f0' },
      { value: 3, id: 'f3' },
    ]
    t.strictSame(await part(2), { keys: [first], next: { value: 1, id: 'f1' } })
    t.strictSame(await part(5), { keys: [first, second], next: { value: 4, id: 'f4' } })
    t.strictSame(await part(6), { keys: [first, second], next: null })
    t.strictSame(await store.keys(MOVIES.name, { among: [], scan: 1 }), { keys: [], next: null })
  })

  t.test('keys that no index or field serves, or too many at once, are a fault of the program', async (t) => {
    const store = await filled(t, [])
    const faults: readonly KeyQuery[] = [
      { where: [{ field: 'more', op: 'eq', value: 1 }], scan: 1 },
      { sort: { field: 'note', direction: 'asc' }, scan: 1 },
      { sort: { field: 'note', direction: 'asc' }, among: ['a'], scan: 1 },
      { among: Array.from({ length: 1001 }, String), scan: 1 },
      { scan: 0 },
      { scan: 10_001 },
    ]
    for (const query of faults) await t.rejects(store.keys(MOVIES.name, query), TypeError, JSON.stringify(query).slice(0, 200))
  })
}

/** Follows `next` to the end. */
async function walk(store: ReadStore, query: KeyQuery): Promise<readonly Key[]> {
  const found: Key[] = []
  let after = query.after
  for (let parts = 0; parts < 2000; parts++) {
    const { keys, next } = await store.keys(MOVIES.name, { ...query, ...(after ? { after } : {}) })
    if (!query.among && keys.length > query.scan) throw new Error(`${keys.length} keys of ${query.scan} documents`)
    found.push(...keys)
    if (!next) return found
    after = next
  }
  throw new Error('A walk without an end')
}
