import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { createListOrders } from '../../../src/app/movies/list-orders.ts'

const idOf = (n: number) => `movie-${String(n).padStart(15, '0')}`
const idsOf = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => idOf(from + n))

function setUp(charactersMax?: number) {
  const state = {
    tag: 'first' as string | undefined,
    made: 0,
    fails: false,
    longest: Infinity,
    parts: [idsOf(0, 3), [], idsOf(3, 5)] as readonly (readonly string[])[],
  }
  const orders = createListOrders(charactersMax)
  const of = (key = 'key') =>
    orders.of(key, {
      tag: () => state.tag,
      async *ids() {
        state.made++
        if (state.fails) throw new Error('The store is away')
        yield* state.parts
      },
      longest: async () => state.longest,
    })
  async function orderOf(key?: string) {
    of(key)
    of(key)
    await made()
    return of(key)
  }
  return { state, of, orderOf }
}

/** Waits until the orders that have been begun are made. */
async function made(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await setImmediate()
}

t.test('an order is made once after the second request, and kept until the tag changes', async (t) => {
  const { state, of } = setUp()
  t.equal(of(), undefined)
  t.equal(state.made, 0)
  t.equal(of(), undefined, 'nobody waits for it')
  t.equal(of(), undefined)
  await made()
  const order = of()
  t.equal(order?.total, 5)
  t.equal(of(), order)
  t.equal(state.made, 1)
  state.tag = 'second'
  t.equal(of(), undefined)
  t.equal(of(), undefined)
  await made()
  t.equal(of()?.total, 5)
  t.equal(state.made, 2)
  state.tag = undefined
  t.equal(of(), undefined, 'reads may still show an older state')
})

t.test('an order names its ids by their places', async (t) => {
  const { orderOf } = setUp()
  const order = await orderOf()
  t.equal(order?.indexOf(idOf(0)), 0)
  t.equal(order?.indexOf(idOf(4)), 4)
  t.equal(order?.indexOf(idOf(5)), -1)
  t.equal(order?.indexOf('movie'), -1, 'a part of an id')
  t.strictSame(order?.ids(1, 3), idsOf(1, 3))
  t.strictSame(order?.ids(3, 9), idsOf(3, 5))
  t.strictSame(order?.ids(5, 9), [])
})

t.test('a list without movies, and one of a single movie, have an order', async (t) => {
  const { state, orderOf } = setUp()
  state.parts = []
  const none = await orderOf()
  t.equal(none?.total, 0)
  t.strictSame(none?.ids(0, 5), [])
  t.equal(none?.indexOf(idOf(0)), -1)
  state.parts = [idsOf(7, 8)]
  const one = await orderOf('other')
  t.equal(one?.total, 1)
  t.strictSame(one?.ids(0, 5), idsOf(7, 8))
  t.equal(one?.indexOf(idOf(7)), 0)
})

t.test('an order is not kept if the tag changes while it is made', async (t) => {
  const { state, of } = setUp()
  of()
  of()
  state.tag = 'second'
  await made()
  t.equal(state.made, 1)
  t.equal(of(), undefined)
  t.equal(of(), undefined)
  await made()
  t.equal(of()?.total, 5)
})

t.test('an order that fails is made again after two more requests', async (t) => {
  const { state, of } = setUp()
  state.fails = true
  of()
  of()
  await made()
  t.equal(state.made, 1)
  state.fails = false
  t.equal(of(), undefined)
  t.equal(of(), undefined)
  await made()
  t.equal(of()?.total, 5)
})

t.test('a list that was too long is not tried again, also if it has changed', async (t) => {
  const { state, of, orderOf } = setUp(16 * 40)
  t.equal(await orderOf(), undefined)
  state.tag = 'second'
  t.equal(await orderOf(), undefined)
  t.equal(of(), undefined)
  t.equal(state.made, 1)
})

t.test('a list may be too long by a number of movies', async (t) => {
  const { state, orderOf } = setUp()
  state.longest = 4
  t.equal(await orderOf('short'), undefined)
  state.longest = 5
  t.equal((await orderOf('long'))?.total, 5)
})

t.test('two orders are made at once, and a third one later', async (t) => {
  const { state, of } = setUp()
  for (const key of ['one', 'two', 'three']) {
    of(key)
    of(key)
  }
  await made()
  t.equal(state.made, 2)
  t.strictSame(
    ['one', 'two', 'three'].map((key) => of(key)?.total),
    [5, 5, undefined],
  )
  await made()
  t.equal(of('three')?.total, 5)
})
