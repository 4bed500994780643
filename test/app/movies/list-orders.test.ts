import t from 'tap'
import { createListOrders } from '../../../src/app/movies/list-orders.ts'

const idOf = (n: number) => `movie-${String(n).padStart(15, '0')}`
const idsOf = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => idOf(from + n))

function setUp(charactersMax?: number) {
  const state = { tag: 'first' as string | undefined, made: 0, parts: [idsOf(0, 3), [], idsOf(3, 5)] as readonly (readonly string[])[] }
  const orders = createListOrders(charactersMax)
  const of = (key = 'key') =>
    orders.of(
      key,
      () => state.tag,
      async function* () {
        state.made++
        yield* state.parts
      },
    )
  return { state, of }
}

t.test('an order is made at the second request, once for all that wait, and kept until the tag changes', async (t) => {
  const { state, of } = setUp()
  t.equal(await of(), undefined)
  const [order, same] = await Promise.all([of(), of()])
  t.equal(order, same)
  t.equal((await of())?.total, 5)
  t.equal(state.made, 1)
  state.tag = 'second'
  t.equal(await of(), undefined)
  t.equal((await of())?.total, 5)
  t.equal(state.made, 2)
  state.tag = undefined
  t.equal(await of(), undefined, 'reads may still show an older state')
})

t.test('an order names its ids by their places', async (t) => {
  const { of } = setUp()
  await of()
  const order = await of()
  t.equal(order?.indexOf(idOf(0)), 0)
  t.equal(order?.indexOf(idOf(4)), 4)
  t.equal(order?.indexOf(idOf(5)), -1)
  t.equal(order?.indexOf('movie'), -1, 'a part of an id')
  t.strictSame(order?.ids(1, 3), idsOf(1, 3))
  t.strictSame(order?.ids(3, 9), idsOf(3, 5))
  t.strictSame(order?.ids(5, 9), [])
})

t.test('a list without movies, and one of a single movie, have an order', async (t) => {
  const { state, of } = setUp()
  state.parts = []
  await of()
  const none = await of()
  t.equal(none?.total, 0)
  t.strictSame(none?.ids(0, 5), [])
  t.equal(none?.indexOf(idOf(0)), -1)
  state.parts = [idsOf(7, 8)]
  await of('other')
  const one = await of('other')
  t.equal(one?.total, 1)
  t.strictSame(one?.ids(0, 5), idsOf(7, 8))
  t.equal(one?.indexOf(idOf(7)), 0)
})

t.test('an order is not kept if the tag changes while it is made, if it fails, or if it is too long', async (t) => {
  const { state, of } = setUp()
  await of()
  const making = of()
  state.tag = 'second'
  t.equal(await making, undefined)

  const orders = createListOrders()
  const fails = () =>
    orders.of(
      'key',
      () => 'tag',
      // oxlint-disable-next-line require-yield
      async function* (): AsyncGenerator<readonly string[]> {
        throw new Error('the store is away')
      },
    )
  t.equal(await fails(), undefined)
  await t.rejects(fails(), /away/)
  t.equal(await fails(), undefined, 'as if it had not been requested')

  const small = setUp(16 * 40)
  await small.of()
  t.equal(await small.of(), undefined)
  t.equal(await small.of(), undefined)
  t.equal(small.state.made, 1)
})
