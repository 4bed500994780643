import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createClockSkews } from '../../../src/app/consistency/clock-skews.ts'

/** Another node that announces its time once a second; the message takes `lateMs`. */
function setUp() {
  const clock = createTestClock()
  const skews = createClockSkews(clock)
  async function say(count: number, { aheadMs = 0, lateMs = 0, node = 'other' }: { aheadMs?: number; lateMs?: number; node?: string }) {
    for (let n = 0; n < count; n++) {
      await clock.advance(1_000)
      skews.heard(node, clock.now() + aheadMs - lateMs)
    }
  }
  return { clock, skews, say }
}

t.test('a clock that differs by more than a second is named with the difference, in either direction', async (t) => {
  const { skews, say } = setUp()
  await say(5, { aheadMs: 900 })
  t.strictSame(skews.warnings(), [])
  await say(5, { aheadMs: 2_340, node: 'fast' })
  await say(5, { aheadMs: -1_250, node: 'slow' })
  t.strictSame(skews.warnings(), ["The clock of fast is 2.3 s ahead of this node's", "The clock of slow is 1.3 s behind this node's"])
})

t.test('messages that come late make no clock slow', async (t) => {
  const { skews, say } = setUp()
  await say(9, { lateMs: 5_000 })
  await say(1, {})
  await say(9, { lateMs: 5_000 })
  t.strictSame(skews.warnings(), [])
})

t.test('what comes in one go after a pause is no reason to warn', async (t) => {
  const { clock, skews } = setUp()
  const beganMs = clock.now()
  await clock.advance(30_000)
  skews.heard('other', beganMs + 27_000)
  skews.heard('other', beganMs + 28_000)
  t.strictSame(skews.warnings(), [])
  skews.heard('other', beganMs + 29_500)
  t.strictSame(skews.warnings(), [])
})

t.test('a corrected clock is no longer reported after a while, here or on other nodes', async (t) => {
  const { clock, skews, say } = setUp()
  await say(5, { aheadMs: 3_000 })
  t.equal(skews.warnings().length, 1)
  await say(20, {})
  t.strictSame(skews.warnings(), [])
  clock.setNow(clock.now() + 60_000)
  await say(20, { aheadMs: -60_000 })
  t.match(skews.warnings(), ["The clock of other is 60.0 s behind this node's"])
})

t.test('a node that has left, or is silent, is not reported', async (t) => {
  const { clock, skews, say } = setUp()
  await say(5, { aheadMs: 3_000 })
  skews.left('other')
  t.strictSame(skews.warnings(), [])
  await say(5, { aheadMs: 3_000 })
  t.equal(skews.warnings().length, 1)
  await clock.advance(10_001)
  t.strictSame(skews.warnings(), [])
})
