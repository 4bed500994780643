/** Ranges of figures, when nobody names them. */
import t from 'tap'
import { createRanges } from '../../../src/app/history/ranges.ts'

const timesOf = (range: unknown) => {
  const { fromMs, toMs } = range as { readonly fromMs: number; readonly toMs: number }
  return [fromMs, toMs].map((ms) => new Date(ms).toISOString())
}

t.test('a default range holds what has just begun, and is the same for a quarter of an hour', async (t) => {
  let now = Date.parse('2026-03-31T10:14:59.999Z')
  const ranges = createRanges({ now: () => now })
  t.strictSame(timesOf(ranges.of({ tz: 'UTC' })), ['2026-03-01T10:15:00.000Z', '2026-03-31T10:15:00.000Z'])
  now += 1
  t.strictSame(timesOf(ranges.of({ tz: 'UTC' })), ['2026-03-01T10:30:00.000Z', '2026-03-31T10:30:00.000Z'])
  now += 15 * 60_000 - 1
  t.strictSame(timesOf(ranges.of({ tz: 'Asia/Kathmandu' })), ['2026-03-01T10:30:00.000Z', '2026-03-31T10:30:00.000Z'])
})

t.test('a range that is named holds to the millisecond', async (t) => {
  const ranges = createRanges({ now: () => Date.parse('2026-03-31T10:00:00Z') })
  const to = '2026-03-31T09:59:59.001Z'
  t.strictSame(timesOf(ranges.of({ to, tz: 'UTC' })), ['2026-03-01T09:59:59.001Z', to])
  t.strictSame(timesOf(ranges.of({ from: '2026-03-31T09:00:00.500Z', tz: 'UTC' })), [
    '2026-03-31T09:00:00.500Z',
    '2026-03-31T10:15:00.000Z',
  ])
})
