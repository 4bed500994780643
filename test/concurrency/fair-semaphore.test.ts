import t from 'tap'
import { createTestClock } from '../../src/adapters/memory/clock.ts'
import { createFairSemaphore, type FairSemaphoreLimits } from '../../src/concurrency/fair-semaphore.ts'
import { QueueFull } from '../../src/concurrency/semaphore.ts'

/** Work that ends when the test says so, in the order of its start. */
function bench(limits: FairSemaphoreLimits) {
  const slots = createFairSemaphore(limits)
  const begun: string[] = []
  const ends: (() => void)[] = []
  const ask = (name: string, signal?: AbortSignal): Promise<unknown> => {
    const work = async (): Promise<void> => {
      begun.push(name)
      const { promise, resolve } = Promise.withResolvers<void>()
      ends.push(resolve)
      await promise
    }
    return slots(name.slice(0, 1), work, signal).catch((cause: unknown) => cause)
  }
  async function endOne(): Promise<void> {
    ends.shift()?.()
    for (let turn = 0; turn < 10; turn++) await Promise.resolve()
  }
  return { begun, ask, endOne }
}

t.test('keys take turns, however many pieces of work one of them has brought first', async (t) => {
  const { begun, ask, endOne } = bench({ width: 1, waitingMax: 20 })
  const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((name) => ask(name))
  for (let ended = 0; ended < all.length; ended++) await endOne()
  t.strictSame(begun, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
  t.strictSame(
    await Promise.all(all),
    Array.from({ length: 7 }, () => undefined),
  )
})

t.test('a key has no more in progress than its share, while a slot is free for others', async (t) => {
  const { begun, ask, endOne } = bench({ width: 3, widthEach: 2, waitingMax: 20 })
  for (const name of ['a1', 'a2', 'a3', 'b1']) void ask(name)
  t.strictSame(begun, ['a1', 'a2', 'b1'])
  await endOne()
  t.strictSame(begun, ['a1', 'a2', 'b1', 'a3'])
})

t.test('a full queue refuses, and those who fill it make room for those who have less in it', async (t) => {
  const { begun, ask, endOne } = bench({ width: 1, waitingMax: 4, waitingEach: 4 })
  const flood = ['a0', 'a1', 'a2', 'a3', 'a4', 'a5'].map((name) => ask(name))
  const others = [ask('b1'), ask('c1')]
  t.match(await Promise.all([flood[3], flood[4], flood[5]]), [QueueFull, QueueFull, QueueFull])
  for (let ended = 0; ended < 8; ended++) await endOne()
  t.strictSame(begun, ['a0', 'a1', 'b1', 'c1', 'a2'])
  t.strictSame(await Promise.all(others), [undefined, undefined])
})

t.test('one key alone may not fill the queue', async (t) => {
  const { ask } = bench({ width: 1, waitingMax: 4, waitingEach: 1 })
  void ask('a0')
  void ask('a1')
  t.type(await ask('a2'), QueueFull)
})

t.test('who has waited long enough, or has gone, waits no longer and holds no place', async (t) => {
  const clock = createTestClock()
  const { begun, ask, endOne } = bench({ width: 1, waitingMax: 2, patience: { clock, ms: 1000 } })
  const gone = new AbortController()
  void ask('a0')
  const [late, left] = [ask('a1'), ask('a2', gone.signal)]
  gone.abort(new Error('The client has gone'))
  t.match(await left, { message: 'The client has gone' })
  await clock.advance(1000)
  t.match(await late, { name: 'QueueFull', message: 'No turn within 1000 ms' })
  t.match(await ask('b0', gone.signal), { message: 'The client has gone' })
  void ask('b1')
  await endOne()
  t.strictSame(begun, ['a0', 'b1'])
})

t.test('work that fails gives its slot back', async (t) => {
  const slots = createFairSemaphore({ width: 1, waitingMax: 1 })
  await t.rejects(
    slots('a', () => Promise.reject(new Error('broken'))),
    { message: 'broken' },
  )
  t.equal(await slots('a', async () => 'fine'), 'fine')
})
