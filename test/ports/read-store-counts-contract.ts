/** Tests of counted values, and of queries among given ids, that every read store must pass (src/ports/read-store.ts). */
import type { Test } from 'tap'
import { toPosition } from '../../src/events/position.ts'
import type { CollectionSpec, ReadStore, StoredDocument } from '../../src/ports/read-store.ts'
import { expectedIds, MOVIES, randomMovies, randomQuery } from '../fixtures/sample-documents.ts'
import { createRandom } from '../fixtures/random.ts'
import { roundsOf, type Pace, type StoreUnderTest } from './read-store-contract.ts'

const COUNTED: CollectionSpec = {
  name: 'counted_g1',
  fields: { marks: 'tally', year: 'number', open: 'boolean', card: 'json' },
  indexes: [['year']],
}
const MARKS = ['one drama', 'one war', 'one \u{1F37F}', 'one \uFFFD', 'two drama', 'three'] as const

export function readStoreCountsContract(t: Test, make: () => Promise<StoreUnderTest>, pace: Pace = { part: 1 }): void {
  const opened = async (t: Test): Promise<ReadStore> => {
    const { store, close } = await make()
    t.teardown(close)
    await store.open([COUNTED, MOVIES])
    return store
  }

  t.test('each value of a tally comes with the number of documents that hold it, through changes and removals', async (t) => {
    const store = await opened(t)
    const random = createRandom(7)
    const documents = new Map<string, readonly string[]>()
    for (let round = 0; round < 60; round++) {
      const id = `film-${random.below(12)}`
      const marks = [...MARKS, ...MARKS].filter(() => random.chance(0.3))
      const gone = random.chance(0.2)
      await put(store, gone ? [] : [{ id, at: toPosition(1), body: random.chance(0.1) ? {} : { marks } }], gone ? [id] : [])
      documents.set(id, ((await store.get(COUNTED.name, id))?.body['marks'] ?? []) as string[])
      const expected = MARKS.flatMap((value) => {
        const count = [...documents.values()].filter((held) => held.includes(value)).length
        return count > 0 ? [{ value, count }] : []
      })
      const byBytes = expected.toSorted((a, b) => Buffer.compare(Buffer.from(a.value), Buffer.from(b.value)))
      t.strictSame(await store.tally(COUNTED.name, 'marks', { prefix: '', limit: 1000 }), byBytes)
    }
  })

  t.test('a tally is read in pages, of one prefix', async (t) => {
    const store = await opened(t)
    await put(store, [{ id: 'a', at: toPosition(1), body: { marks: [...MARKS] } }])
    const values = async (range: Parameters<ReadStore['tally']>[2]) =>
      (await store.tally(COUNTED.name, 'marks', range)).map(({ value }) => value)
    t.strictSame(await values({ prefix: 'one ', limit: 2 }), ['one drama', 'one war'])
    t.strictSame(await values({ prefix: 'one ', after: 'one war', limit: 9 }), ['one \uFFFD', 'one \u{1F37F}'])
    t.strictSame(await values({ prefix: 'nobody', limit: 9 }), [])
  })

  t.test('declared members can be read alone, null where there is none, and the whole document stays as it was put', async (t) => {
    const store = await opened(t)
    const cards = [{ title: 'A', list: [1, null] }, 'text', 0, false, null, undefined]
    const bodies = cards.map((card, n) => ({
      ...(card === undefined ? {} : { card }),
      year: n,
      open: n % 2 === 0,
      marks: ['x'],
      more: 'm',
    }))
    await put(
      store,
      bodies.map((body, n) => ({ id: `film-${n}`, at: toPosition(1), body })),
    )
    const sort = { field: 'year', direction: 'asc' } as const
    const { documents } = await store.find(COUNTED.name, { sort, limit: 9, only: ['card', 'open', 'marks'] })
    t.strictSame(
      documents.map(({ body }) => body),
      cards.map((card, n) => ({ card: card ?? null, open: n % 2 === 0, marks: ['x'] })),
    )
    t.strictSame(
      (await store.find(COUNTED.name, { sort, limit: 9 })).documents.map(({ body }) => body),
      bodies,
    )
    await put(store, [{ id: 'film-0', at: toPosition(2), body: { year: 0, card: { title: 'B' } } }])
    t.strictSame((await store.get(COUNTED.name, 'film-0'))?.body, { year: 0, card: { title: 'B' } })
    t.strictSame((await store.getMany(COUNTED.name, ['film-5']))[0]?.body, bodies[5])
  })

  t.test('what is not counted, or too much at once, is a fault of the program', async (t) => {
    const store = await opened(t)
    await t.rejects(store.tally(COUNTED.name, 'year', { prefix: '', limit: 9 }), TypeError)
    await t.rejects(store.tally(COUNTED.name, 'marks', { prefix: '', limit: 1001 }), TypeError)
    await t.rejects(store.find(COUNTED.name, { where: [{ field: 'marks', op: 'has', values: ['x'] }], limit: 1 }), TypeError)
    await t.rejects(store.find(MOVIES.name, { among: Array.from({ length: 1001 }, String), limit: 1 }), TypeError)
    await t.rejects(store.find(COUNTED.name, { only: ['undeclared'], limit: 1 }), TypeError)
    await t.rejects(store.find(MOVIES.name, { among: ['a'], sort: { field: 'note', direction: 'asc' }, limit: 1 }), TypeError)
  })

  t.test('a query among given ids is the same query of these documents only, to its end', async (t) => {
    const store = await opened(t)
    const films = randomMovies(3, 150)
    await store.commit({ collection: MOVIES.name, epoch: 1, from: toPosition(0), to: toPosition(1), puts: films, removes: [] })
    const random = createRandom(11)
    for (let round = 0; round < roundsOf(150, pace); round++) {
      const some = films.filter(() => random.chance(0.3))
      const query = { ...randomQuery(random), among: [...some.map(({ id }) => id), 'nobody', ...some.slice(0, 2).map(({ id }) => id)] }
      const walked: string[] = []
      let next: { readonly value: unknown; readonly id: string } | null | undefined
      for (let pages = 0; next !== null && pages < 200; pages++) {
        const page = await store.find(MOVIES.name, { ...query, ...(next ? { after: next as never } : {}) })
        walked.push(...page.documents.map(({ id }) => id))
        next = page.next
      }
      t.strictSame(walked, expectedIds(some, query))
    }
  })
}

async function put(store: ReadStore, puts: readonly StoredDocument[], removed: readonly string[] = []): Promise<void> {
  const from = await store.checkpoint(COUNTED.name)
  const to = toPosition(BigInt(from) + 1n)
  const removes = removed.map((id) => ({ id, at: to }))
  const outcome = await store.commit({ collection: COUNTED.name, epoch: 1, from, to, puts, removes })
  if (outcome !== 'applied') throw new Error(outcome)
}
