import t from 'tap'
import { createSingleFlight } from '../../src/concurrency/single-flight.ts'

const never = (): AbortSignal => new AbortController().signal

t.test('those who ask for the same at the same time share one piece of work', async (t) => {
  const flights = createSingleFlight<number>()
  const { promise, resolve } = Promise.withResolvers<number>()
  let begun = 0
  const work = () => (begun++, promise)
  const both = [flights.join('a', work, never()), flights.join('a', work, never())]
  resolve(7)
  t.strictSame(await Promise.all(both), [7, 7])
  t.equal(begun, 1)
})

t.test('work that is done is not given up afterwards', async (t) => {
  const flights = createSingleFlight<AbortSignal>()
  const signal = await flights.join('a', async (given) => given, never())
  await new Promise(setImmediate)
  t.equal(signal.aborted, false)
})

t.test('the work is cancelled when the last caller has left, and the next caller starts again', async (t) => {
  const flights = createSingleFlight<number>()
  const signals: AbortSignal[] = []
  const work = (signal: AbortSignal) => (signals.push(signal), new Promise<number>(() => {}))
  const leaving = [new AbortController(), new AbortController()]
  const waits = leaving.map(({ signal }) => flights.join('a', work, signal))
  for (const wait of waits) wait.catch(() => undefined)
  leaving[0]?.abort(new Error('one'))
  await t.rejects(async () => waits[0], { message: 'one' })
  t.equal(signals[0]?.aborted, false)
  leaving[1]?.abort(new Error('two'))
  await t.rejects(async () => waits[1], { message: 'two' })
  t.equal(signals[0]?.aborted, true)
  t.equal(await flights.join('a', async () => 8, never()), 8)
})

t.test('what the work throws reaches all who wait, and is not kept', async (t) => {
  const flights = createSingleFlight<number>()
  const fail = async () => Promise.reject(new Error('broken'))
  await t.rejects(flights.join('a', fail, never()), { message: 'broken' })
  t.equal(await flights.join('a', async () => 9, never()), 9)
})
