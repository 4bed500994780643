import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createMemoryReadStore } from '../../../src/adapters/memory/read-store.ts'
import { createLiveStore } from '../../../src/app/consistency/live-store.ts'
import { createViewGenerations } from '../../../src/app/consistency/view-generations.ts'
import { START, toPosition } from '../../../src/events/position.ts'
import type { ReadStore } from '../../../src/ports/read-store.ts'

const films = (name: string) => ({ name, fields: { year: 'number' }, indexes: [['year']] }) as const
const [FIRST, SECOND] = ['films_g1', 'films_g1_r1']

function setUp() {
  const clock = createTestClock()
  const store = createMemoryReadStore()
  return { clock, store, here: createViewGenerations({ store, clock }), there: createViewGenerations({ store, clock }) }
}

const put = (store: ReadStore, collection: string, year: number) =>
  store.commit({
    collection,
    epoch: 1,
    from: START,
    to: toPosition(year),
    puts: [{ id: 'a', at: toPosition(year), body: { year } }],
    removes: [],
  })

const changedOver = () => ({ live: 1, building: null, retiring: 0 })

t.test('what one node stores the other reads within a second, and never acts on what is older than five', async (t) => {
  const { clock, here, there } = setUp()
  t.strictSame(here.of(FIRST), { live: 0, building: null, retiring: null })
  await there.load()
  await here.change(FIRST, changedOver)
  t.equal(here.liveOf(FIRST), SECOND)
  t.equal(there.fresh(), undefined)
  t.equal(there.liveOf(FIRST), FIRST)
  await clock.advance(1000)
  t.equal(there.fresh(), undefined, 'nobody waits for it')
  await clock.settle()
  t.equal(there.liveOf(FIRST), SECOND)
  await clock.advance(5001)
  t.type(there.fresh(), Promise)
  t.equal(there.liveOf('users_g1'), 'users_g1')
})

t.test('of nodes that change one at once each decides on what the one before has stored', async (t) => {
  const { here, there } = setUp()
  const next = (node: typeof here) => node.change(FIRST, (now) => ({ ...now, live: now.live + 1 }))
  await Promise.all([next(here), next(there), next(here), next(there)])
  t.equal((await here.change(FIRST, () => undefined)).live, 4)
})

t.test('a node reads the documents that are live, also when those that it knew of have been dropped', async (t) => {
  const { store, here, there } = setUp()
  const live = createLiveStore(store, there)
  await live.open([films(FIRST)])
  await put(store, FIRST, 1999)
  await store.open([films(SECOND)])
  await put(store, SECOND, 2001)
  t.equal(await live.checkpoint(FIRST), toPosition(1999))
  await here.change(FIRST, changedOver)
  t.match(await live.get(FIRST, 'a'), { body: { year: 1999 } })
  await store.drop(FIRST)
  t.match(await live.get(FIRST, 'a'), { body: { year: 2001 } })
  t.match(await live.getMany(FIRST, ['a']), [{ body: { year: 2001 } }])
  t.match(await live.find(FIRST, { limit: 1 }), { documents: [{ body: { year: 2001 } }] })
  t.equal(await live.count(FIRST, []), 1)
  t.match(await live.sum(FIRST, { of: 'year' }), [{ count: 1, sum: 2001 }])
  await live.open([films(FIRST)])
  t.notOk((await store.collections()).includes(FIRST), 'what was dropped stays away')
  await store.drop(SECOND)
  await t.rejects(live.get(FIRST, 'a'), { code: 'no-collection' })
})

t.test('a collection that has lost commits that were shown is not read until it has them again', async (t) => {
  const { store, here } = setUp()
  let cause: Error | undefined
  const live = createLiveStore({ ...store, lost: (name) => (name === FIRST ? cause : undefined) }, here)
  await live.open([films(FIRST), films('others_g1')])
  await put(store, FIRST, 1999)
  cause = new Error('The disk is full')
  await t.rejects(live.get(FIRST, 'a'), cause)
  await t.rejects(live.find(FIRST, { limit: 1 }), cause)
  t.equal(await live.get('others_g1', 'a'), undefined)
  cause = undefined
  t.equal((await live.get(FIRST, 'a'))?.body['year'], 1999)
})
