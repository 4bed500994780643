import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createMemoryReadStore } from '../../../src/adapters/memory/read-store.ts'
import { createProjectionChecksums } from '../../../src/app/consistency/projection-checksums.ts'
import { toPosition } from '../../../src/events/position.ts'
import type { ReadStore } from '../../../src/ports/read-store.ts'
import { MOVIES, randomMovies } from '../../fixtures/sample-documents.ts'

const [NAME, NOBODYS] = [MOVIES.name, 'nobodys_g1']

async function storeOfMovies(): Promise<ReadStore> {
  const store = createMemoryReadStore()
  await store.open([MOVIES])
  await commit(store, 0)
  return store
}

async function commit(store: ReadStore, from: number): Promise<void> {
  const puts = from === 0 ? randomMovies(5, 20) : []
  await store.commit({ collection: NAME, epoch: 1, from: toPosition(from), to: toPosition(from + 1), puts, removes: [] })
}

t.test('a collection is read again only after it has changed', async (t) => {
  const store = await storeOfMovies()
  let finds = 0
  const counting: ReadStore = { ...store, find: (...ask) => (finds++, store.find(...ask)) }
  const checksums = createProjectionChecksums({ store: counting, clock: createTestClock(), onError: (cause) => t.fail(String(cause)) })
  const first = await checksums.of([NAME, NOBODYS], 1000)
  t.match(first.get(NAME), /^[0-9a-f]{64}$/)
  t.equal(first.get(NOBODYS), null)
  t.strictSame(await checksums.of([NAME, NOBODYS], 1000), first)
  t.equal(finds, 1)
  await commit(store, 1)
  t.strictSame(await checksums.of([NAME, NOBODYS], 1000), first)
  t.equal(finds, 2)
})

t.test('the checksums of collections that nobody asks for any more are forgotten, as rebuilds make ever new ones', async (t) => {
  const store = await storeOfMovies()
  const rebuilt = { ...MOVIES, name: 'rebuilt_g1_r1' }
  await store.open([rebuilt])
  let finds = 0
  const counting: ReadStore = { ...store, find: (...ask) => (finds++, store.find(...ask)) }
  const onError = (cause: unknown) => t.fail(String(cause))
  const checksums = createProjectionChecksums({ store: counting, clock: createTestClock(), onError, knownMax: 1 })
  await checksums.of([NAME], 1000)
  const read = finds
  await checksums.of([rebuilt.name], 1000)
  t.match((await checksums.of([NAME], 1000)).get(NAME), /^[0-9a-f]{64}$/)
  t.ok(finds > read + 1, 'the first one is read again')
})

t.test('who asks while a collection is being read waits only a while, and the next one gets it', async (t) => {
  const store = await storeOfMovies()
  const clock = createTestClock()
  const { promise: held, resolve } = Promise.withResolvers<void>()
  const slow: ReadStore = { ...store, find: (...ask) => held.then(() => store.find(...ask)) }
  const checksums = createProjectionChecksums({ store: slow, clock, onError: (cause) => t.fail(String(cause)) })
  const early = checksums.of([NAME], 1000)
  await clock.advance(1000)
  t.strictSame(await early, new Map([[NAME, null]]))
  resolve()
  t.match((await checksums.of([NAME], 1000)).get(NAME), /^[0-9a-f]{64}$/)
})

t.test('a store that fails is reported, and there is no checksum', async (t) => {
  const away = new Error('The store is away')
  const reported: unknown[] = []
  const failing: ReadStore = { ...(await storeOfMovies()), checkpoint: () => Promise.reject(away) }
  const checksums = createProjectionChecksums({ store: failing, clock: createTestClock(), onError: (cause) => reported.push(cause) })
  t.strictSame(await checksums.of([NAME], 1000), new Map([[NAME, null]]))
  t.strictSame(reported, [away])
})
