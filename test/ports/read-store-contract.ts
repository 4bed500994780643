/** Tests that every read store must pass (src/ports/read-store.ts), whatever its engine. */
import type { Test } from 'tap'
import type { JsonObject } from '../../src/events/envelope.ts'
import { START, toPosition } from '../../src/events/position.ts'
import { NoCollection, type Commit, type Filter, type Query, type ReadStore, type StoredDocument } from '../../src/ports/read-store.ts'
import { expectedIds, MOVIES, randomMovie, randomMovies, randomQuery } from '../fixtures/sample-documents.ts'
import { createRandom } from '../fixtures/random.ts'

/** A separate store for each test. */
export interface StoreUnderTest {
  readonly store: ReadStore
  readonly close: () => Promise<void>
}

type Tests = (title: string, run: (t: Test, store: ReadStore) => Promise<void>) => void

/** Share of the random rounds that a slow engine runs. */
export interface Pace {
  readonly part: number
}

export const roundsOf = (rounds: number, { part }: Pace): number => Math.ceil(rounds * part)

export function readStoreContract(t: Test, make: () => Promise<StoreUnderTest>, pace: Pace = { part: 1 }): void {
  const test: Tests = (title, run) => {
    t.test(title, async (t) => {
      const { store, close } = await make()
      t.teardown(close)
      await store.open([MOVIES])
      await run(t, store)
    })
  }
  documents(test)
  fencing(test)
  filtering(test, pace)
  walking(test, pace)
  refusing(test)
  collections(test)
}

const film = (id: string, body: JsonObject = {}, at = START): StoredDocument => ({ id, at, body })

/** Commits on top of the current checkpoint. */
async function put(store: ReadStore, puts: readonly StoredDocument[], removes: Commit['removes'] = []): Promise<void> {
  const from = await store.checkpoint(MOVIES.name)
  const to = toPosition(BigInt(from) + 1n)
  const outcome = await store.commit({ collection: MOVIES.name, epoch: 1, from, to, puts, removes })
  if (outcome !== 'applied') throw new Error(outcome)
}

const idsOf = (documents: readonly StoredDocument[]): readonly string[] => documents.map(({ id }) => id)

async function found(store: ReadStore, where: readonly Filter[], more: Partial<Query> = {}): Promise<readonly string[]> {
  return idsOf((await store.find(MOVIES.name, { where, limit: 1000, ...more })).documents)
}

function documents(test: Tests): void {
  test('a document comes back as it was put, and is replaced by the next of its id', async (t, store) => {
    const body = { title: 'Größe \u{1F37F}', year: 2019, genres: ['drama', 7], nested: { deep: [null, { a: -0.5 }] }, undeclared: 2 ** 53 }
    await put(store, [film('a', body, toPosition(7))])
    t.strictSame(await store.get(MOVIES.name, 'a'), film('a', body, toPosition(7)))
    await put(store, [film('a', { title: 'b' }, toPosition(9))])
    t.strictSame(await store.get(MOVIES.name, 'a'), film('a', { title: 'b' }, toPosition(9)))
    t.strictSame(await found(store, [{ field: 'title', op: 'eq', value: 'b' }]), ['a'])
    t.strictSame(await found(store, [{ field: 'genres', op: 'has', values: ['drama', 7] }]), [])
    t.equal(await store.count(MOVIES.name, []), 1)
  })

  test('members that are null, false, zero or empty come back as such, and those that are not there stay away', async (t, store) => {
    const bodies: readonly JsonObject[] = [
      {},
      { title: null, year: null, watched: null, genres: null, words: null },
      { title: '', year: 0, watched: false, genres: [], words: [] },
      { watched: true, year: -1.5, title: 'null', genres: ['1', 1, 'null'] },
    ]
    const puts = bodies.map((body, n) => film(`f${n}`, body))
    await put(store, puts)
    for (const document of puts) t.strictSame(await store.get(MOVIES.name, document.id), document)
    t.strictSame(await store.getMany(MOVIES.name, idsOf(puts)), puts)
    t.strictSame((await store.find(MOVIES.name, { limit: 10 })).documents, puts)
    await put(
      store,
      puts.map((document, n) => ({ ...document, body: bodies[(n + 1) % bodies.length] ?? {} })),
    )
    t.strictSame(
      (await store.getMany(MOVIES.name, idsOf(puts))).map(({ body }) => body),
      [...bodies.slice(1), bodies[0]],
    )
  })

  test('a document that nobody put is not there', async (t, store) => {
    t.equal(await store.get(MOVIES.name, 'a'), undefined)
  })

  test('a document that was not there is found once it is put, and not after its removal, again and again', async (t, store) => {
    const both = async () => [await store.get(MOVIES.name, 'a'), ...(await store.getMany(MOVIES.name, ['a', 'b']))]
    for (let time = 1; time <= 3; time++) {
      for (let look = 0; look < 2; look++) t.strictSame(await both(), [undefined])
      const a = film('a', { title: `A${time}` })
      await put(store, [a])
      t.strictSame(await both(), [a, a])
      await put(store, [], [{ id: 'a', at: START }])
    }
    // Also if its indexes are made only then.
    await store.drop(MOVIES.name)
    await store.open([MOVIES])
    t.strictSame(await both(), [undefined])
    await put(store, [film('b', {})])
    t.strictSame(await both(), [undefined, film('b', {})])
  })

  test('getMany gives the documents that exist in the order of the ids', async (t, store) => {
    await put(store, [film('a'), film('b'), film('c')])
    t.strictSame(idsOf(await store.getMany(MOVIES.name, ['c', 'nobody', 'a'])), ['c', 'a'])
    t.strictSame(await store.getMany(MOVIES.name, []), [])
  })

  test('a removed document is in no answer, and may be put again', async (t, store) => {
    await put(store, [film('a', { words: ['matrix'], genres: ['drama'], year: 1999 }), film('b')])
    await put(
      store,
      [],
      [
        { id: 'a', at: toPosition(5) },
        { id: 'nobody', at: toPosition(5) },
      ],
    )
    t.equal(await store.get(MOVIES.name, 'a'), undefined)
    t.strictSame(await found(store, []), ['b'])
    t.strictSame(await found(store, [{ field: 'words', op: 'tokens', words: ['matrix'] }]), [])
    t.equal(await store.count(MOVIES.name, []), 1)
    await put(store, [film('a', { words: ['other'] }, toPosition(6))])
    t.strictSame(await found(store, [{ field: 'words', op: 'tokens', words: ['matrix'] }]), [])
    t.strictSame(await found(store, [{ field: 'words', op: 'tokens', words: ['other'] }]), ['a'])
  })
}

function fencing(test: Tests): void {
  const at = (from: number, to: number, epoch: number, id: string): Commit => {
    return { collection: MOVIES.name, epoch, from: toPosition(from), to: toPosition(to), puts: [film(id)], removes: [] }
  }

  test('the checkpoint is START at first, then that of the last commit', async (t, store) => {
    t.equal(await store.checkpoint(MOVIES.name), START)
    t.equal(await store.commit(at(0, 7, 1, 'a')), 'applied')
    t.equal(await store.checkpoint(MOVIES.name), toPosition(7))
  })

  test('a commit from another checkpoint than the one in force is fenced and changes nothing', async (t, store) => {
    await store.commit(at(0, 7, 1, 'a'))
    for (const from of [0, 6, 8]) t.equal(await store.commit(at(from, 9, 1, 'b')), 'fenced')
    t.equal(await store.checkpoint(MOVIES.name), toPosition(7))
    t.equal(await store.get(MOVIES.name, 'b'), undefined)
  })

  test('a commit of an earlier epoch is fenced, the same and a later one are not', async (t, store) => {
    t.equal(await store.commit(at(0, 1, 5, 'a')), 'applied')
    t.equal(await store.commit(at(1, 2, 4, 'b')), 'fenced')
    t.equal(await store.commit(at(1, 2, 5, 'c')), 'applied')
    t.equal(await store.commit(at(2, 3, 6, 'd')), 'applied')
    t.equal(await store.commit(at(3, 4, 5, 'e')), 'fenced')
    t.strictSame(await found(store, []), ['a', 'c', 'd'])
  })

  test('the last epoch is the highest one of all collections', async (t, store) => {
    t.equal(await store.lastEpoch(), 0)
    await store.open([{ ...MOVIES, name: 'others_g1' }])
    await store.commit(at(0, 1, 5_000_000_000_000, 'a'))
    await store.commit({ ...at(0, 1, 6, 'a'), collection: 'others_g1' })
    t.equal(await store.lastEpoch(), 5_000_000_000_000)
  })

  test('of racing commits from the same checkpoint exactly one is applied', async (t, store) => {
    const idempotencyStore = await Promise.all(Array.from({ length: 10 }, (_, number) => store.commit(at(0, 1, 1, `film-${number}`))))
    t.equal(idempotencyStore.filter((outcome) => outcome === 'applied').length, 1)
    t.equal(await store.count(MOVIES.name, []), 1)
  })
}

function filtering(test: Tests, pace: Pace): void {
  test('a missing or null member matches eq null and no other filter', async (t, store) => {
    await put(store, [
      film('missing'),
      film('null', { title: null, year: null, words: null, genres: null }),
      film('there', { title: '', year: 0 }),
    ])
    const none: readonly Filter[] = [
      { field: 'title', op: 'prefix', value: '' },
      { field: 'year', op: 'gte', value: -1 },
      { field: 'year', op: 'lte', value: 1 },
      { field: 'title', op: 'in', values: ['', 'a'] },
    ]
    for (const filter of none) t.strictSame(await found(store, [filter]), ['there'])
    t.strictSame(await found(store, [{ field: 'words', op: 'tokens', words: [''] }]), [])
    for (const field of ['title', 'year']) t.strictSame(await found(store, [{ field, op: 'eq', value: null }]), ['missing', 'null'])
  })

  test('text is compared by code points: case and diacritics count', async (t, store) => {
    await put(store, [film('1', { title: 'a' }), film('2', { title: 'A' }), film('3', { title: 'ä' }), film('4', { title: 'Z' })])
    t.strictSame(await found(store, [{ field: 'title', op: 'eq', value: 'a' }]), ['1'])
    t.strictSame(await found(store, [], { sort: { field: 'title', direction: 'asc' } }), ['2', '4', '1', '3'])
  })

  test('words match by prefix, each at least one token, as the caller has folded them', async (t, store) => {
    await put(store, [
      film('matrix', { words: ['the', 'matrix', '1999'] }),
      film('matilda', { words: ['matilda'] }),
      film('amelie', { words: ['le', 'fabuleux', 'destin', 'd', 'amelie', 'poulain'] }),
      film('symbols', { words: ['$', '...', '😀', '(*^[a]|\\'] }),
    ])
    const search = (...words: string[]) => found(store, [{ field: 'words', op: 'tokens', words }])
    t.strictSame(await search('mat'), ['matilda', 'matrix'])
    t.strictSame(await search('mat', '199'), ['matrix'])
    t.strictSame(await search('mat', 'matr'), ['matrix'])
    t.strictSame(await search('atrix'), [])
    t.strictSame(await search('amélie'), [])
    t.strictSame(await search('amelie', 'd'), ['amelie'])
    for (const symbols of ['$', '.', '😀', '(*^[', '(*^[a]|\\']) t.strictSame(await search(symbols), ['symbols'], symbols)
    t.strictSame(await search('^'), [])
  })

  test('a list holds one of the values, strings and numbers apart', async (t, store) => {
    await put(store, [film('a', { genres: ['drama', 7] }), film('b', { genres: ['7'] }), film('c', { genres: [] })])
    t.strictSame(await found(store, [{ field: 'genres', op: 'has', values: [7] }]), ['a'])
    t.strictSame(await found(store, [{ field: 'genres', op: 'has', values: ['7', 'western'] }]), ['b'])
    t.strictSame(await found(store, [{ field: 'genres', op: 'has', values: [] }]), [])
  })

  test('count counts what find finds', async (t, store) => {
    const films = randomMovies(11, 200)
    await put(store, films)
    const random = createRandom(12)
    for (let round = 0; round < roundsOf(60, pace); round++) {
      const { where = [] } = randomQuery(random)
      t.equal(await store.count(MOVIES.name, where), expectedIds(films, { where, limit: 1 }).length, JSON.stringify(where))
    }
  })
}

function walking(test: Tests, pace: Pace): void {
  for (const direction of ['asc', 'desc'] as const) {
    test(`a keyset walk ${direction} goes through ties by id and through nulls last`, async (t, store) => {
      const bodies = { a: { year: 2 }, b: {}, c: { year: 1 }, d: { year: 2 }, e: { year: null }, f: { year: 1 } }
      await put(
        store,
        Object.entries(bodies).map(([id, body]) => film(id, body)),
      )
      for (const limit of [1, 2, 3, 5, 6, 7]) {
        const walked = await walk(store, { sort: { field: 'year', direction }, limit })
        t.strictSame(walked, direction === 'asc' ? ['c', 'f', 'a', 'd', 'b', 'e'] : ['a', 'd', 'c', 'f', 'b', 'e'])
      }
    })
  }

  test('a page that ends with the last document has no next, one before it has', async (t, store) => {
    await put(store, [film('a', { year: 1 }), film('b', { year: 2 }), film('c', { year: 3 })])
    const page = (limit: number, scan?: number) =>
      store.find(MOVIES.name, { sort: { field: 'year', direction: 'asc' }, limit, ...(scan ? { scan } : {}) })
    t.strictSame((await page(2)).next, { value: 2, id: 'b' })
    t.equal((await page(3)).next, null)
    t.equal((await page(4)).next, null)
    t.equal((await page(3, 3)).next, null)
    t.strictSame((await page(3, 2)).next, { value: 2, id: 'b' })
  })

  test('a walk that looks at a bounded number of documents gives shorter pages and still finds everything', async (t, store) => {
    const films = Array.from({ length: 100 }, (_, number) =>
      film(`f${number + 100}`, { year: number, note: number % 50 === 49 ? 'x' : 'y' }),
    )
    await put(store, films)
    const query: Query = {
      where: [{ field: 'note', op: 'eq', value: 'x' }],
      sort: { field: 'year', direction: 'asc' },
      limit: 10,
      scan: 20,
    }
    const first = await store.find(MOVIES.name, query)
    t.strictSame(idsOf(first.documents), [])
    t.strictSame(first.next, { value: 19, id: 'f119' })
    t.strictSame(await walk(store, query), ['f149', 'f199'])
  })

  test('a cursor goes on after its place although the document there has changed', async (t, store) => {
    await put(store, [film('a', { year: 1 }), film('b', { year: 2 }), film('c', { year: 3 })])
    const query: Query = { sort: { field: 'year', direction: 'asc' }, limit: 2 }
    const { next } = await store.find(MOVIES.name, query)
    await put(store, [film('d', { year: 2.5 })], [{ id: 'b', at: START }])
    t.strictSame(await found(store, [], { ...query, ...(next ? { after: next } : {}) }), ['d', 'c'])
  })

  test('pages of random queries over random documents, put together, are what a plain sort gives', async (t, store) => {
    const random = createRandom(1)
    const films = new Map(randomMovies(2, 300).map((one) => [one.id, one]))
    const changeEvery = Math.max(3, roundsOf(15, pace))
    await put(store, [...films.values()])
    for (let round = 0; round < roundsOf(150, pace); round++) {
      if (round % changeEvery === changeEvery - 1) await change(store, films, random)
      const query = randomQuery(random)
      const expected = expectedIds([...films.values()], query)
      const walked = await walk(store, query)
      if (JSON.stringify(walked) !== JSON.stringify(expected)) t.strictSame(walked, expected, JSON.stringify(query))
    }
    t.pass('all alike')
  })
}

/** Replaces some documents and removes some. */
async function change(store: ReadStore, films: Map<string, StoredDocument>, random: ReturnType<typeof createRandom>): Promise<void> {
  const ids = [...films.keys()]
  const puts = Array.from({ length: 30 }, () => randomMovie(random, random.pick(ids)))
  const putIds = new Set(idsOf(puts))
  const gone = new Set(Array.from({ length: 10 }, () => random.pick(ids)).filter((id) => !putIds.has(id)))
  for (const one of puts) films.set(one.id, one)
  for (const id of gone) films.delete(id)
  await put(
    store,
    puts,
    [...gone].map((id) => ({ id, at: START })),
  )
}

/** Follows `next` to the end, checking each page. */
async function walk(store: ReadStore, query: Query): Promise<readonly string[]> {
  const ids: string[] = []
  let after = query.after
  for (let pages = 0; pages < 2000; pages++) {
    const page = await store.find(MOVIES.name, { ...query, ...(after ? { after } : {}) })
    if (page.documents.length > query.limit) throw new Error('A page is longer than its limit')
    ids.push(...idsOf(page.documents))
    if (!page.next) return ids
    after = page.next
  }
  throw new Error('A walk without an end')
}

function refusing(test: Tests): void {
  test('a query that no index or field serves is a fault of the program', async (t, store) => {
    const faults: readonly Query[] = [
      { where: [{ field: 'more', op: 'eq', value: 1 }], limit: 1 },
      { sort: { field: 'note', direction: 'asc' }, limit: 1 },
      { sort: { field: 'nobody', direction: 'asc' }, limit: 1 },
      { where: [{ field: 'genres', op: 'eq', value: 'drama' }], limit: 1 },
      { where: [{ field: 'title', op: 'has', values: ['a'] }], limit: 1 },
      { where: [{ field: 'year', op: 'prefix', value: '19' }], limit: 1 },
      { where: [{ field: 'year', op: 'eq', value: '1999' }], limit: 1 },
      { limit: 0 },
      { limit: 1001 },
      { limit: 1, scan: 0 },
    ]
    for (const query of faults) await t.rejects(store.find(MOVIES.name, query), TypeError, JSON.stringify(query))
    await t.rejects(store.count(MOVIES.name, [{ field: 'more', op: 'eq', value: 1 }]), TypeError)
    await t.rejects(store.getMany(MOVIES.name, Array.from({ length: 1001 }, String)), TypeError)
    for (const faulty of ['nobody', 'films_g2; drop']) await t.rejects(store.get(faulty, 'a'), NoCollection)
  })

  test('a document whose member does not fit its declared type is refused whole', async (t, store) => {
    await t.rejects(put(store, [film('a'), film('b', { year: '1999' })]), TypeError)
    t.equal(await store.count(MOVIES.name, []), 0)
    t.equal(await store.checkpoint(MOVIES.name), START)
  })

  test('a collection whose spec makes no sense is refused', async (t, store) => {
    const specs = [
      { ...MOVIES, name: 'Films' },
      { ...MOVIES, name: 'films"' },
      { ...MOVIES, fields: { 'a b': 'text' as const }, indexes: [] },
      { ...MOVIES, indexes: [['nobody']] },
      { ...MOVIES, indexes: [['genres']] },
      { ...MOVIES, indexes: [[]] },
    ]
    for (const spec of specs) await t.rejects(store.open([spec]), TypeError)
  })
}

function collections(test: Tests): void {
  const other = { ...MOVIES, name: 'others_g1' }

  test('opening again changes nothing, and collections do not see each other', async (t, store) => {
    await put(store, [film('a')])
    await store.open([MOVIES, other])
    t.strictSame(await found(store, []), ['a'])
    t.equal(await store.get(other.name, 'a'), undefined)
    t.equal(await store.checkpoint(other.name), START)
    t.strictSame([...(await store.collections())].sort(), [MOVIES.name, other.name])
  })

  test('a known name with another spec is made again, empty', async (t, store) => {
    await put(store, [film('a', { note: 'x', words: ['a'] })])
    await store.open([{ ...MOVIES, indexes: [...MOVIES.indexes, ['note']] }])
    t.equal(await store.checkpoint(MOVIES.name), START)
    t.equal(await store.count(MOVIES.name, []), 0)
    await put(store, [film('b', { note: 'x', words: ['a'] })])
    t.strictSame(await found(store, [], { sort: { field: 'note', direction: 'desc' } }), ['b'])
    t.strictSame(await found(store, [{ field: 'words', op: 'tokens', words: ['a'] }]), ['b'])
  })

  test('a dropped collection is gone with its checkpoint; dropping it twice is no harm', async (t, store) => {
    await put(store, [film('a')])
    await store.drop(MOVIES.name)
    await store.drop(MOVIES.name)
    t.strictSame(await store.collections(), [])
    await t.rejects(store.get(MOVIES.name, 'a'), NoCollection)
    await store.open([MOVIES])
    t.equal(await store.checkpoint(MOVIES.name), START)
    t.strictSame(await found(store, []), [])
  })
}
