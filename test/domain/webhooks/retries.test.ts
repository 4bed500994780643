import t from 'tap'
import { nextTryMs, RETRY_FOR_MS } from '../../../src/domain/webhooks/retries.ts'

const DAY_MS = 86_400_000

/** Times of all tries of a delivery that always fails, in milliseconds from the first. */
function triesWith(pauseMs: number | undefined): readonly number[] {
  const tries = [0]
  for (let failures = 1; ; failures++) {
    const next = nextTryMs({ failures, firstMs: 0, nowMs: tries.at(-1) ?? 0, pauseMs })
    if (next === undefined) return tries
    tries.push(next)
  }
}

t.test('tries follow each other at growing distances, the last one after three days', async (t) => {
  const tries = triesWith(undefined)
  const distances = tries.slice(1).map((at, n) => at - (tries[n] ?? 0))
  t.strictSame(distances.slice(0, 4), [5_000, 30_000, 120_000, 600_000])
  t.strictSame(
    distances.slice(0, -1),
    distances.slice(0, -1).toSorted((a, b) => a - b),
  )
  t.equal(tries.at(-1), RETRY_FOR_MS)
  t.equal(RETRY_FOR_MS, 3 * DAY_MS)
  t.ok(tries.length < 25, `${tries.length} tries`)
})

t.test('a pause that the receiver asks for is kept, up to a day', async (t) => {
  t.equal(nextTryMs({ failures: 1, firstMs: 0, nowMs: 0, pauseMs: 90_000 }), 90_000)
  t.equal(nextTryMs({ failures: 4, firstMs: 0, nowMs: 0, pauseMs: 1_000 }), 600_000, 'a shorter one changes nothing')
  t.equal(nextTryMs({ failures: 1, firstMs: 0, nowMs: 0, pauseMs: 30 * DAY_MS }), DAY_MS)
  t.strictSame(triesWith(30 * DAY_MS), [0, DAY_MS, 2 * DAY_MS, 3 * DAY_MS])
})
