import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createThrottle } from '../../../src/adapters/tmdb/throttle.ts'
import { never } from './open-tmdb.ts'

function open() {
  const clock = createTestClock()
  const pace = createThrottle(clock)
  const begun: number[] = []
  const ends: (() => void)[] = []
  let [working, mostAtOnce] = [0, 0]
  /** Starts work that ends when the test says so. */
  const begin = (signal = never()) =>
    pace.turn(async () => {
      begun.push(clock.monotonic())
      mostAtOnce = Math.max(mostAtOnce, ++working)
      await new Promise<void>((end) => ends.push(end))
      working--
    }, signal)
  const endAll = async (): Promise<void> => {
    for (const end of ends.splice(0)) end()
    await clock.settle()
  }
  return { clock, pace, begun, begin, endAll, mostAtOnce: () => mostAtOnce }
}

t.test('four work at once', async (t) => {
  const { clock, begun, begin, endAll, mostAtOnce } = open()
  const all = Array.from({ length: 10 }, () => begin())
  await clock.settle()
  t.equal(begun.length, 4)
  while (begun.length < 10) await endAll()
  await endAll()
  await Promise.all(all)
  t.equal(mostAtOnce(), 4)
})

t.test('no ten seconds have more than forty beginnings', async (t) => {
  const { clock, begun, begin, endAll } = open()
  const all = Array.from({ length: 100 }, () => begin())
  for (let steps = 0; steps < 200; steps++) {
    await endAll()
    await clock.advance(137)
  }
  await Promise.all(all)
  t.equal(begun.length, 100)
  for (const [index, at] of begun.entries()) t.notOk(Number(begun[index + 40]) < at + 10_000, `beginning ${index}`)
  t.ok(Number(begun[99]) <= 21_000, 'and it is no slower than that')
})

t.test('nothing begins while it is held', async (t) => {
  const { clock, pace, begun, begin, endAll } = open()
  pace.hold(3_000)
  pace.hold(1_000)
  const held = begin()
  await clock.advance(2_999)
  t.equal(begun.length, 0)
  await clock.advance(1)
  t.strictSame(begun, [3_000])
  await endAll()
  await held
})

t.test('a long quiet is not waited for', async (t) => {
  const { clock, pace, begin, begun, endAll } = open()
  const ends = Promise.allSettled(Array.from({ length: 6 }, () => begin()))
  await clock.settle()
  pace.hold(25_000)
  await t.rejects(begin(), { code: 'online-away', retryAfterMs: 25_000 })
  await endAll()
  t.match(
    (await ends).slice(4),
    [{ reason: { code: 'online-away' } }, { reason: { code: 'online-away' } }],
    'nor by those who have waited already',
  )
  t.equal(begun.length, 4)
})

t.test('the queue is bounded in length and in time', async (t) => {
  const { clock, begin, begun, endAll } = open()
  const first = Array.from({ length: 4 }, () => begin())
  const waiting = Array.from({ length: 200 }, () => begin())
  const ends = Promise.allSettled(waiting)
  await t.rejects(begin(), { code: 'online-away', message: 'Too many wait for the provider of online metadata' })
  await clock.advance(120_000)
  t.ok((await ends).every(({ status }) => status === 'rejected'))
  await endAll()
  await Promise.all(first)
  t.equal(begun.length, 4)
})

t.test('who leaves the queue does not begin later', async (t) => {
  const { clock, pace, begin, begun, endAll } = open()
  const first = Array.from({ length: 4 }, () => begin())
  const stop = new AbortController()
  const left = begin(stop.signal)
  stop.abort(new Error('Gone'))
  await t.rejects(left, { message: 'Gone' })
  await endAll()
  await Promise.all(first)
  t.equal(begun.length, 4)
  pace.hold(5_000)
  const again = new AbortController()
  const held = begin(again.signal)
  await clock.settle()
  again.abort(new Error('Gone again'))
  await t.rejects(held, { message: 'Gone again' })
  const last = begin()
  await clock.advance(5_000)
  t.equal(begun.length, 5)
  await endAll()
  await last
})
