import t from 'tap'
import { createTestClock } from '../../src/adapters/memory/clock.ts'
import { createSemaphore, createMutex, mapConcurrently, QueueFull } from '../../src/concurrency/semaphore.ts'

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

t.test('no more than the width is at work at once, begun in order, and all of it is done', async (t) => {
  const begun: number[] = []
  let [now, most] = [0, 0]
  await mapConcurrently([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
    begun.push(item)
    most = Math.max(most, ++now)
    await turn()
    now--
  })
  t.strictSame(begun, [1, 2, 3, 4, 5, 6, 7])
  t.equal(most, 3)
  t.equal(now, 0)
})

t.test('an error ends the work once what had begun has ended, and nothing further begins', async (t) => {
  const [begun, ended] = [new Set<number>(), new Set<number>()]
  const work = mapConcurrently([1, 2, 3, 4, 5, 6], 2, async (item) => {
    begun.add(item)
    if (item === 2) throw new Error('two went wrong')
    await turn()
    await turn()
    ended.add(item)
  })
  await t.rejects(work, /two went wrong/)
  t.strictSame([...begun], [1, 2])
  t.strictSame([...ended], [1])
})

t.test('slots let so many in at a time, first come, first served, also after an error', async (t) => {
  const slots = createSemaphore(2)
  const begun: string[] = []
  const work = (name: string) => async (): Promise<string> => {
    begun.push(name)
    await turn()
    if (name === 'b') throw new Error('b went wrong')
    return name
  }
  const answers = Promise.allSettled(['a', 'b', 'c', 'd'].map((name) => slots(work(name))))
  t.strictSame(begun, ['a', 'b'])
  t.strictSame(
    (await answers).map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  )
  t.strictSame(begun, ['a', 'b', 'c', 'd'])
})

t.test('a caller that has waited too long for a slot is rejected, and the slot goes to the next one', async (t) => {
  const clock = createTestClock()
  const slots = createSemaphore(1, { patience: { clock, ms: 1_000 } })
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  const first = slots(() => held)
  const impatient = t.rejects(
    slots(async () => t.fail('is not begun')),
    QueueFull,
  )
  await clock.advance(600)
  const later = slots(async () => 'later')
  await clock.advance(400)
  await impatient
  letGo()
  await first
  t.equal(await later, 'later')
  t.equal(await slots(async () => 'free again'), 'free again')
})

t.test('no more wait for a slot than may', async (t) => {
  const slots = createSemaphore(1, { waitingMax: 1 })
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  const [first, second] = [slots(() => held), slots(async () => 'second')]
  await t.rejects(
    slots(async () => t.fail('is not begun')),
    QueueFull,
  )
  letGo()
  await first
  t.equal(await second, 'second')
  t.equal(await slots(async () => 'third'), 'third')
})

t.test('turns come in the order in which they were requested, regardless of who is ready first', async (t) => {
  const turns = createMutex()
  const [first, second, third] = [turns(), turns(), turns()]
  const order: string[] = []
  async function come(name: string, { wait, done }: typeof first): Promise<void> {
    await wait
    order.push(name)
    if (name !== 'first') done()
  }
  const ends = [come('third', third), come('second', second), come('first', first)]
  await turn()
  t.strictSame(order, ['first'])
  first.done()
  await Promise.all(ends)
  t.strictSame(order, ['first', 'second', 'third'])
})
