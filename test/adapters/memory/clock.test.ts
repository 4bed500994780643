import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'

t.test('time stands still between two advances', async (t) => {
  const clock = createTestClock({ startMs: 1_800_000_000_000 })
  t.equal(clock.now(), 1_800_000_000_000)
  await clock.settle()
  t.equal(clock.now(), 1_800_000_000_000)
  await clock.advance(1234)
  t.equal(clock.now(), 1_800_000_001_234)
  t.equal(clock.monotonic(), 1234)
})

t.test('timers fire in the order in which they fall due, those of one moment in the order of arming', async (t) => {
  const clock = createTestClock()
  const fired: string[] = []
  clock.after(30, () => fired.push('c'))
  clock.after(10, () => fired.push('a'))
  clock.after(30, () => fired.push('d'))
  clock.every(20, () => fired.push('b'))
  await clock.advance(50)
  t.strictSame(fired, ['a', 'b', 'c', 'd', 'b'])
})

t.test('what a timer arms falls due in the same advance, at its own time', async (t) => {
  const clock = createTestClock()
  const times: number[] = []
  const work = (async () => {
    for (let round = 0; round < 3; round++) {
      await clock.sleep(10)
      times.push(clock.monotonic())
    }
  })()
  await clock.advance(100)
  await work
  t.strictSame(times, [10, 20, 30])
  t.equal(clock.monotonic(), 100)
})

t.test('the time of day can jump without any timer firing', async (t) => {
  const clock = createTestClock({ startMs: 1000 })
  let fired = 0
  clock.after(10, () => void fired++)
  clock.setNow(5_000_000)
  await clock.settle()
  t.equal(clock.now(), 5_000_000)
  t.equal(clock.monotonic(), 0)
  t.equal(fired, 0)
  await clock.advance(10)
  t.equal(clock.now(), 5_000_010)
  t.equal(fired, 1)
})
