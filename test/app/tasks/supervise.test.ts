import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { supervise } from '../../../src/app/tasks/supervise.ts'
import { createTrouble } from '../../../src/app/tasks/trouble.ts'
import { ServerUnavailable } from '../../../src/ports/server.ts'

t.test('a task that ends by an error is reported and started again, after a pause that grows to ten seconds', async (t) => {
  const clock = createTestClock()
  const stopping = new AbortController()
  const problems: unknown[] = []
  const startedAt: number[] = []
  async function task(): Promise<void> {
    startedAt.push(clock.monotonic())
    throw new Error(`the ${startedAt.length}. time`)
  }
  const running = supervise(task, { clock, signal: stopping.signal, trouble: createTrouble(clock, (cause) => void problems.push(cause)) })
  await clock.advance(60_000)
  stopping.abort()
  await running
  const pauses = startedAt.slice(1).map((at, n) => at - (startedAt[n] ?? 0))
  t.ok((pauses[0] ?? 0) >= 100 && (pauses[0] ?? 0) < 1000, 'a short one first')
  t.ok(pauses.every((pause, n) => pause >= (pauses[n - 1] ?? 0)))
  t.equal(pauses.at(-1), 10_000)
  t.match(problems[0], { message: 'the 1. time' })
  t.equal(problems.length, startedAt.length)
})

t.test('after a run of more than a minute the pause is short again', async (t) => {
  const clock = createTestClock()
  const stopping = new AbortController()
  const startedAt: number[] = []
  async function task(signal: AbortSignal): Promise<void> {
    startedAt.push(clock.monotonic())
    if (startedAt.length === 6) await clock.sleep(61_000, signal)
    throw new Error('again')
  }
  const running = supervise(task, { clock, signal: stopping.signal, trouble: createTrouble(clock, () => {}) })
  await clock.advance(80_000)
  stopping.abort()
  await running
  const sixth = startedAt[5] ?? 0
  t.ok((startedAt[6] ?? 0) - sixth - 61_000 < 1000)
})

t.test('what goes wrong because of the stop is no problem', async (t) => {
  const clock = createTestClock()
  const stopping = new AbortController()
  const problems: unknown[] = []
  const task = (signal: AbortSignal): Promise<void> => clock.sleep(1000, signal)
  const running = supervise(task, { clock, signal: stopping.signal, trouble: createTrouble(clock, (cause) => void problems.push(cause)) })
  await clock.settle()
  stopping.abort(new Error('stop'))
  await running
  t.strictSame(problems, [])
})

t.test('an unreachable server is tried four times a second, and reported once', async (t) => {
  const clock = createTestClock()
  const stopping = new AbortController()
  const problems: unknown[] = []
  const startedAt: number[] = []
  async function task(): Promise<void> {
    startedAt.push(clock.monotonic())
    throw startedAt.length < 20 ? new ServerUnavailable('MongoDB') : new Error('something else')
  }
  const running = supervise(task, { clock, signal: stopping.signal, trouble: createTrouble(clock, (cause) => void problems.push(cause)) })
  await clock.advance(18_000)
  stopping.abort()
  await running
  const pauses = startedAt.slice(1, 20).map((at, n) => at - (startedAt[n] ?? 0))
  t.equal(Math.max(...pauses), 250)
  t.match(problems.slice(0, 2), [{ code: 'engine-away' }, { message: 'something else' }])
})
