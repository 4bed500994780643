import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { createTestClock } from '../../src/adapters/memory/clock.ts'
import { TimedOut, abortable, withTimeout } from '../../src/concurrency/timeout.ts'

t.test('an outcome in time is that of the promise; afterwards it is Late, whatever comes of it', async (t) => {
  const clock = createTestClock()
  t.equal(await withTimeout(Promise.resolve('done'), { clock, ms: 100, message: 'too late' }), 'done')
  const { promise, reject } = Promise.withResolvers<string>()
  const late = t.rejects(withTimeout(promise, { clock, ms: 100, message: 'too late' }), { name: 'TimedOut', message: 'too late' })
  await clock.advance(100)
  await late
  reject(new Error('later still'))
  t.ok(new TimedOut('x') instanceof Error)
})

t.test('an aborted signal ends the wait, and what comes of the promise ends no process', async (t) => {
  const unhandled: unknown[] = []
  const note = (reason: unknown): void => void unhandled.push(reason)
  process.on('unhandledRejection', note)
  t.teardown(() => process.off('unhandledRejection', note))
  const stop = new AbortController()
  const [before, after] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const waiting = abortable(before.promise, stop.signal)
  stop.abort(new Error('stopped'))
  await t.rejects(waiting, { message: 'stopped' })
  await t.rejects(abortable(after.promise, stop.signal), { message: 'stopped' })
  for (const { reject } of [before, after]) reject(new Error('later'))
  await setImmediate()
  t.strictSame(unhandled, [])
})
