/** Counts the documents and index keys that queries make the server examine. */
import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createMongoReadStore } from '../../../src/adapters/mongodb/read-store.ts'
import { START } from '../../../src/events/position.ts'
import type { CollectionSpec, Query } from '../../../src/ports/read-store.ts'
import { createExaminedStore } from '../../fixtures/examined.ts'

const SPEC: CollectionSpec = {
  name: 'films_g1',
  fields: { title: 'text', seen: 'boolean', year: 'number', genres: 'list' },
  indexes: [['title'], ['year']],
}
const COUNT = 3_000
const LIMIT = 20
const WIDEST = 2_000
/** Twice as many as a page and the one after it. */
const AHEAD = 2 * (LIMIT + 1)

const idOf = (n: number): string => `f${String(n).padStart(4, '0')}`

/** Films in the order of their titles and ids, of which every nth was seen, and ten are of each year. */
function openMovies(everyNth: number) {
  const documents = Array.from({ length: COUNT }, (_, n) => ({
    id: idOf(n),
    at: START,
    body: { title: idOf(n), seen: n % everyNth === 0, year: 1700 + Math.floor(n / 10), genres: n % 100 === 0 ? ['drama'] : ['war'] },
  }))
  const { connection, taken } = createExaminedStore([{ spec: SPEC, documents }])
  const store = createMongoReadStore({ connection, clock: createTestClock() })
  return {
    async find(query: Query) {
      await store.get(SPEC.name, 'nobody')
      taken()
      const { documents, next } = await store.find(SPEC.name, query)
      return { ids: documents.map(({ id }) => id), next, ...taken() }
    },
    async keys(query: Parameters<typeof store.keys>[1]) {
      await store.get(SPEC.name, 'nobody')
      taken()
      const { keys, next } = await store.keys(SPEC.name, query)
      return { ids: keys.map(({ id }) => id), next, ...taken() }
    },
  }
}

const seen: Query = { where: [{ field: 'seen', op: 'eq', value: true }], sort: { field: 'title', direction: 'asc' }, limit: LIMIT }
const multiples = (of: number, count: number, from = 0): readonly string[] => Array.from({ length: count }, (_, n) => idOf(from + n * of))

t.test('a filter that nearly all documents meet is one command, which examines two pages', async (t) => {
  const { ids, documents, commands } = await openMovies(1).find(seen)
  t.strictSame(ids, multiples(1, LIMIT))
  t.strictSame({ documents, commands }, { documents: AHEAD, commands: ['aggregate'] })
})

t.test('a filter that few documents meet examines no document after the page is full', async (t) => {
  for (const everyNth of [5, 30, 90]) {
    const { ids, next, documents, commands } = await openMovies(everyNth).find(seen)
    t.strictSame(ids, multiples(everyNth, LIMIT))
    t.strictSame(next, { value: ids.at(-1), id: ids.at(-1) })
    t.equal(documents, AHEAD + LIMIT * everyNth + 1, `every ${everyNth}`)
    t.strictSame(commands, ['aggregate', 'count', 'aggregate', 'aggregate'])
  }
})

t.test('a filter that hardly any document meets ends where the walk is bounded, and goes on there', async (t) => {
  const films = openMovies(900)
  const first = await films.find(seen)
  t.strictSame(first.ids, multiples(900, 3))
  t.strictSame(first.next, { value: idOf(WIDEST - 1), id: idOf(WIDEST - 1) })
  t.equal(first.documents, AHEAD + WIDEST)
  const second = await films.find({ ...seen, ...(first.next ? { after: first.next } : {}) })
  t.strictSame(second.ids, [idOf(2700)])
  t.equal(second.next, null)
  t.equal(second.documents, AHEAD + COUNT - WIDEST)
})

t.test('a bounded walk in either direction ends amid documents of one value, in the order of their ids', async (t) => {
  for (const direction of ['asc', 'desc'] as const) {
    const films = openMovies(1_500)
    const query = { ...seen, sort: { field: 'year', direction }, scan: 204 } as const
    const { ids, next, documents } = await films.find(query)
    t.strictSame(ids, direction === 'asc' ? [idOf(0)] : [])
    t.strictSame(next, direction === 'asc' ? { value: 1720, id: idOf(203) } : { value: 1979, id: idOf(2793) })
    t.equal(documents, AHEAD + 204)
  }
})

t.test('documents of a list filter are sorted by their keys, and only those of the page are read', async (t) => {
  const { ids, documents } = await openMovies(1).find({ ...seen, where: [{ field: 'genres', op: 'has', values: ['drama'] }] })
  t.strictSame(ids, multiples(100, LIMIT))
  t.equal(documents, COUNT / 100 + LIMIT)
})

t.test('a filter on the sort field bounds the walk, and is not looked up apart', async (t) => {
  const where = [{ field: 'title', op: 'prefix', value: 'f' }] as const
  const { ids, documents, commands } = await openMovies(1).find({ where, sort: { field: 'title', direction: 'desc' }, limit: LIMIT })
  t.equal(ids[0], idOf(COUNT - 1))
  t.strictSame({ documents, commands }, { documents: LIMIT + 2, commands: ['aggregate'] })
})

t.test('descending values are read backward along the index, and the last value once more in the order of its ids', async (t) => {
  const byYear = { sort: { field: 'year', direction: 'desc' }, limit: LIMIT } as const
  const expected = (everyNth: number): readonly string[] =>
    Array.from({ length: COUNT }, (_, n) => COUNT - 10 * (Math.floor(n / 10) + 1) + (n % 10))
      .filter((n) => n % everyNth === 0)
      .slice(0, LIMIT)
      .map(idOf)
  const plain = await openMovies(1).find(byYear)
  t.strictSame(plain.ids, expected(1))
  t.strictSame({ documents: plain.documents, commands: plain.commands.length }, { documents: LIMIT + 2 + 1, commands: 2 })
  for (const everyNth of [1, 3, 30]) {
    const { ids, documents, commands } = await openMovies(everyNth).find({ ...seen, ...byYear })
    t.strictSame(ids, expected(everyNth), `every ${everyNth}`)
    t.ok(documents <= AHEAD + LIMIT * everyNth + 2 * everyNth + 20, `every ${everyNth}: ${documents} documents`)
    t.ok(commands.length <= 7, commands.join(' '))
  }
  const byTitle = await openMovies(1).find({ ...seen, sort: { field: 'title', direction: 'desc' } })
  t.strictSame({ documents: byTitle.documents, commands: byTitle.commands.length }, { documents: AHEAD, commands: 1 }, 'no ties')
})

t.test('keys without filters come from the index: no document is read', async (t) => {
  const { ids, documents } = await openMovies(1).keys({ sort: { field: 'title', direction: 'asc' }, scan: 10_000 })
  t.equal(ids.length, COUNT)
  t.equal(documents, 0)
})
