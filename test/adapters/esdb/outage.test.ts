import t from 'tap'
import { createOutage } from '../../../src/adapters/esdb/outage.ts'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'

t.test('who waits for a server is woken by the first call that it answers', async (t) => {
  const clock = createTestClock()
  const outage = createOutage(clock)
  outage.began()
  const woken = settledAt(clock, outage.wait(10_000, new AbortController().signal))
  await clock.advance(3_000)
  outage.ended()
  await clock.settle()
  t.equal(await woken, 3_000)
})

t.test('without an answer the wait takes its time', async (t) => {
  const clock = createTestClock()
  const outage = createOutage(clock)
  outage.began()
  const woken = settledAt(clock, outage.wait(10_000, new AbortController().signal))
  await clock.advance(20_000)
  t.equal(await woken, 10_000)
})

t.test('answers to other calls do not wake anybody before a tenth of a second, however many there are', async (t) => {
  const clock = createTestClock()
  const outage = createOutage(clock)
  const tries: number[] = []
  const ending = new AbortController()
  const trying = (async () => {
    while (!ending.signal.aborted) {
      tries.push(clock.monotonic())
      outage.began()
      await outage.wait(10_000, ending.signal)
    }
  })()
  for (let call = 0; call < 1_000; call++) {
    outage.ended()
    await clock.advance(1)
  }
  t.ok(tries.length <= 11, `${tries.length} tries in a second`)
  t.ok(tries.length >= 5, `${tries.length} tries in a second`)
  ending.abort()
  await clock.advance(0)
  await trying
})

t.test('the signal ends the wait', async (t) => {
  const clock = createTestClock()
  const outage = createOutage(clock)
  outage.began()
  for (const afterMs of [0, 50, 5_000]) {
    const ending = new AbortController()
    const woken = settledAt(clock, outage.wait(10_000, ending.signal))
    await clock.advance(afterMs)
    ending.abort()
    await clock.settle()
    t.equal(await woken, afterMs)
  }
})

/** Milliseconds until it settles. */
async function settledAt(clock: ReturnType<typeof createTestClock>, promise: Promise<void>): Promise<number> {
  const sinceMs = clock.monotonic()
  await promise
  return clock.monotonic() - sinceMs
}
