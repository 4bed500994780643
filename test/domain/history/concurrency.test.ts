/** Simultaneous viewings, compared with a count at every moment. */
import t from 'tap'
import { concurrencyOf, type Span } from '../../../src/domain/history/concurrency.ts'
import { createRandom } from '../../fixtures/random.ts'

const RANGE = { fromMs: 100, toMs: 200 }

t.test('a viewing that ends when the next begins makes no two', async (t) => {
  const spans = [
    { fromMs: 110, toMs: 120, count: 1 },
    { fromMs: 120, toMs: 130, count: 2 },
  ]
  t.strictSame(concurrencyOf(spans, RANGE, 10), {
    points: [
      { atMs: 100, count: 0 },
      { atMs: 110, count: 1 },
      { atMs: 120, count: 2 },
      { atMs: 130, count: 0 },
    ],
    max: { atMs: 120, count: 2 },
    isExact: true,
  })
})

t.test('what began before the range and ends after it counts within it', async (t) => {
  const { points, max } = concurrencyOf([{ fromMs: 0, toMs: 900, count: 1 }], RANGE, 10)
  t.strictSame(points, [{ atMs: 100, count: 1 }])
  t.strictSame(max, { atMs: 100, count: 1 })
})

t.test('what lies outside counts nowhere, nor does what took no time', async (t) => {
  const spans = [
    { fromMs: 0, toMs: 100, count: 1 },
    { fromMs: 200, toMs: 300, count: 1 },
    { fromMs: 150, toMs: 150, count: 1 },
  ]
  t.strictSame(concurrencyOf(spans, RANGE, 10).points, [{ atMs: 100, count: 0 }])
})

t.test('every moment of random viewings is right; merged points have the most of their slot', async (t) => {
  for (let seed = 1; seed <= 50; seed++) {
    const random = createRandom(seed)
    const spans: Span[] = Array.from({ length: 1 + random.below(30) }, () => {
      const fromMs = 50 + random.below(160)
      return { fromMs, toMs: fromMs + random.below(40), count: 1 + random.below(2) }
    })
    const at = (ms: number) => spans.filter(({ fromMs, toMs }) => fromMs <= ms && ms < toMs).reduce((sum, { count }) => sum + count, 0)
    const moments = Array.from({ length: 100 }, (_, n) => 100 + n)
    const exact = concurrencyOf(spans, RANGE, 1_000)
    const byPoint = (ms: number) => exact.points.findLast(({ atMs }) => atMs <= ms)?.count
    t.strictSame(moments.map(byPoint), moments.map(at), `seed ${seed}`)
    t.equal(exact.max.count, Math.max(...moments.map(at)))
    const slots = concurrencyOf(spans, RANGE, 5)
    if (slots.isExact) continue
    t.strictSame(
      slots.points,
      [0, 1, 2, 3, 4].map((slot) => ({ atMs: 100 + slot * 20, count: Math.max(...moments.slice(slot * 20, slot * 20 + 20).map(at)) })),
      `seed ${seed}, merged`,
    )
    t.strictSame(slots.max, exact.max)
  }
})
