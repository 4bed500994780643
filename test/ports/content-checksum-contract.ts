/** The checksum of equal content is the same over every read store, whatever the order of writing. */
import type { Test } from 'tap'
import { createTestClock } from '../../src/adapters/memory/clock.ts'
import { contentChecksum } from '../../src/app/consistency/content-checksum.ts'
import { toPosition } from '../../src/events/position.ts'
import type { ReadStore, StoredDocument } from '../../src/ports/read-store.ts'
import { MOVIES, randomMovies } from '../fixtures/sample-documents.ts'
import type { StoreUnderTest } from './read-store-contract.ts'

const EMPTY = '0'.repeat(64)
/** Of the 230 films below. It is part of the interface: servers of different versions must be comparable. */
const OF_FILMS = '99a66d1330727a3c756f8271ea7534b2afc4caab5b81c084ef41400a01001580'

const clock = createTestClock()

async function put(store: ReadStore, puts: readonly StoredDocument[], removed: readonly string[] = []): Promise<void> {
  const from = await store.checkpoint(MOVIES.name)
  const to = toPosition(BigInt(from) + 1n)
  const removes = removed.map((id) => ({ id, at: to }))
  await store.commit({ collection: MOVIES.name, epoch: 1, from, to, puts: puts.map((one) => ({ ...one, at: to })), removes })
}

const inReverse = (body: StoredDocument['body']): StoredDocument['body'] => Object.fromEntries(Object.entries(body).toReversed())

export function contentChecksumContract(t: Test, make: () => Promise<StoreUnderTest>): void {
  t.test('equal content has an equal checksum, whatever the order of writing', async (t) => {
    const { store, close } = await make()
    t.teardown(close)
    const sum = async () => (await contentChecksum({ store, clock }, MOVIES.name))?.checksum
    await store.open([MOVIES])
    t.equal(await sum(), EMPTY)

    const films = randomMovies(11, 230)
    await put(store, films)
    t.equal(await sum(), OF_FILMS)

    await store.drop(MOVIES.name)
    await store.open([MOVIES])
    const [first, ...rest] = films.map(({ id, at, body }) => ({ id, at, body: inReverse(body) })).toReversed()
    for (let n = 0; n < rest.length; n += 60) await put(store, [...rest.slice(n, n + 60), { id: 'extra', at: toPosition(1), body: { n } }])
    t.not(await sum(), OF_FILMS)
    await put(store, first ? [first] : [], ['extra'])
    t.equal(await sum(), OF_FILMS)

    const [some] = films
    if (some) await put(store, [{ ...some, body: { ...some.body, title: 'Another' } }])
    t.not(await sum(), OF_FILMS)
  })

  t.test('there is no checksum of a collection that changes while it is read', async (t) => {
    const { store, close } = await make()
    t.teardown(close)
    await store.open([MOVIES])
    await put(store, randomMovies(11, 150))
    const find: ReadStore['find'] = async (...ask) => {
      await put(store, [])
      return store.find(...ask)
    }
    const busy = { find, checkpoint: (name: string) => store.checkpoint(name) }
    t.equal(await contentChecksum({ store: busy, clock }, MOVIES.name), undefined)
  })
}
