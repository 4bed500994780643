/** Tests of bulk-filled collections, and of several commits at once, that every read store must pass (src/ports/read-store.ts). */
import type { Test } from 'tap'
import { START, toPosition } from '../../src/events/position.ts'
import type { CollectionSpec, Commit, Query, ReadStore, StoredDocument } from '../../src/ports/read-store.ts'
import { expectedIds, MOVIES, randomMovie, randomMovies, randomQuery } from '../fixtures/sample-documents.ts'
import { createRandom } from '../fixtures/random.ts'
import { roundsOf, type Pace, type StoreUnderTest } from './read-store-contract.ts'

const COUNTED: CollectionSpec = { name: 'counted_g1', fields: { marks: 'tally', card: 'json' }, indexes: [] }
const TALLIED = { prefix: '', limit: 10 }

const commitTo = (collection: string, [from, to]: readonly [number, number], changes: Partial<Commit> = {}): Commit => {
  return { collection, epoch: 1, from: toPosition(from), to: toPosition(to), puts: [], removes: [], ...changes }
}

export function readStoreFillingContract(t: Test, make: () => Promise<StoreUnderTest>, pace: Pace = { part: 1 }): void {
  const test = (title: string, run: (t: Test, store: ReadStore) => Promise<void>) => {
    t.test(title, async (t) => {
      const { store, close } = await make()
      t.teardown(close)
      await store.open([COUNTED, MOVIES])
      await run(t, store)
    })
  }
  filling(test, pace)
  together(test)
}

type Tests = (title: string, run: (t: Test, store: ReadStore) => Promise<void>) => void

function filling(test: Tests, pace: Pace): void {
  test('queries answer the same whenever the indexes are built: before, amid or after the commits', async (t, store) => {
    const random = createRandom(21)
    const films = new Map<string, StoredDocument>()
    const builtAt = random.below(6)
    for (let round = 0; round < 6; round++) {
      if (round === builtAt) await store.buildIndexes([MOVIES.name])
      const fresh =
        round === 0 ? randomMovies(3, 150) : Array.from({ length: 30 }, (_, n) => randomMovie(random, `film-${random.below(200) + n}`))
      const puts = [...new Map(fresh.map((film) => [film.id, film])).values()]
      const gone = [...films.keys()].filter((id) => random.chance(0.1) && !puts.some((film) => film.id === id))
      const removes = gone.map((id) => ({ id, at: toPosition(round + 1) }))
      t.equal(await store.commit(commitTo(MOVIES.name, [round, round + 1], { puts, removes })), 'applied')
      for (const id of gone) films.delete(id)
      for (const film of puts) films.set(film.id, film)
    }
    await store.buildIndexes([MOVIES.name])
    await store.buildIndexes([MOVIES.name])
    for (let n = 0; n < roundsOf(60, pace); n++) {
      const query: Query = { ...randomQuery(random), limit: 1000, scan: 1000 }
      const page = await store.find(MOVIES.name, query)
      t.strictSame(
        page.documents.map(({ id }) => id),
        expectedIds([...films.values()], query),
        JSON.stringify(query),
      )
    }
  })

  test('values are counted once a document, those that were there before the indexes too', async (t, store) => {
    const counted = (id: string, marks: readonly string[]): StoredDocument => ({ id, at: START, body: { marks } })
    await store.commit(commitTo(COUNTED.name, [0, 1], { puts: [counted('a', ['x', 'y', 'x']), counted('b', ['x'])] }))
    await store.commit(commitTo(COUNTED.name, [1, 2], { puts: [counted('b', ['y'])] }))
    await store.buildIndexes([COUNTED.name])
    t.strictSame(await store.tally(COUNTED.name, 'marks', TALLIED), [
      { value: 'x', count: 1 },
      { value: 'y', count: 2 },
    ])
    await store.commit(commitTo(COUNTED.name, [2, 3], { puts: [counted('c', ['x'])], removes: [{ id: 'a', at: toPosition(3) }] }))
    t.strictSame(await store.tally(COUNTED.name, 'marks', TALLIED), [
      { value: 'x', count: 1 },
      { value: 'y', count: 1 },
    ])
  })

  test('a part of a document is its declared members, null where there is none', async (t, store) => {
    const body = { marks: ['x'], note: 'left out' }
    await store.commit(commitTo(COUNTED.name, [0, 1], { puts: [{ id: 'a', at: toPosition(1), body }] }))
    t.strictSame(await store.get(COUNTED.name, 'a', ['marks', 'card']), { id: 'a', at: toPosition(1), body: { marks: ['x'], card: null } })
    t.equal(await store.get(COUNTED.name, 'nobody', ['marks']), undefined)
    await t.rejects(store.get(COUNTED.name, 'a', ['note']), TypeError)
  })
}

function together(test: Tests): void {
  const film: StoredDocument = { id: 'a', at: toPosition(5), body: { title: 'A' } }

  test('commits of several collections are applied together', async (t, store) => {
    const commits = [commitTo(MOVIES.name, [0, 5], { puts: [film] }), commitTo(COUNTED.name, [0, 7])]
    t.equal(await store.commit(...commits), 'applied')
    t.equal(await store.checkpoint(MOVIES.name), toPosition(5))
    t.equal(await store.checkpoint(COUNTED.name), toPosition(7))
    t.strictSame(await store.get(MOVIES.name, 'a'), film)
  })

  test('of commits that are made together nothing is stored after one that is fenced', async (t, store) => {
    const fenced = commitTo(MOVIES.name, [4, 5], { puts: [film] })
    t.equal(await store.commit(fenced, commitTo(COUNTED.name, [0, 7])), 'fenced')
    t.equal(await store.checkpoint(COUNTED.name), START)
    t.equal(await store.get(MOVIES.name, 'a'), undefined)
  })
}
