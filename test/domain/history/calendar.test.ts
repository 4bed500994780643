/** Time buckets in a zone with clock changes. */
import t from 'tap'
import { bucketsOf, keyOf, minuteBuckets, monthOfDay, piecesOf, type Grouping, type Stretch } from '../../../src/domain/history/calendar.ts'

const minuteOf = (time: string): number => Date.parse(time) / 60_000
const timeOf = (minute: number | null): string | null => (minute === null ? null : new Date(minute * 60_000).toISOString().slice(0, 16))

/** Berlin, around the end of summer time in 2026: clocks go back from three to two. */
const AUTUMN: readonly Stretch[] = [
  { fromMinute: minuteOf('2026-10-23T22:00Z'), toMinute: minuteOf('2026-10-25T01:00Z'), offset: 120 },
  { fromMinute: minuteOf('2026-10-25T01:00Z'), toMinute: minuteOf('2026-10-26T23:00Z'), offset: 60 },
]

const keyAt = (grouping: Grouping, minute: number, { offset }: Pick<Stretch, 'offset'>): string => {
  const { offset: added, width, cycle } = minuteBuckets(grouping, { offset })
  const bucket = Math.floor((minute + added) / width)
  return keyOf(grouping, cycle === undefined ? bucket : ((bucket % cycle) + cycle) % cycle)
}

t.test('the day on which clocks go back has 25 hours', async (t) => {
  const days = bucketsOf('day', AUTUMN).map(({ key, fromMinute, toMinute }) => [key, timeOf(fromMinute), timeOf(toMinute)])
  t.strictSame(days, [
    ['2026-10-24', '2026-10-23T22:00', '2026-10-24T22:00'],
    ['2026-10-25', '2026-10-24T22:00', '2026-10-25T23:00'],
    ['2026-10-26', '2026-10-25T23:00', '2026-10-26T23:00'],
  ])
})

t.test('a day that a zone skipped is not there', async (t) => {
  // Samoa skipped 30 December 2011: from 10 hours behind UTC to 14 hours ahead.
  const samoa = [
    { fromMinute: minuteOf('2011-12-29T10:00Z'), toMinute: minuteOf('2011-12-30T10:00Z'), offset: -600 },
    { fromMinute: minuteOf('2011-12-30T10:00Z'), toMinute: minuteOf('2011-12-31T10:00Z'), offset: 840 },
  ]
  t.strictSame(
    bucketsOf('day', samoa).map(({ key }) => key),
    ['2011-12-29', '2011-12-31'],
  )
})

t.test('where clocks go back just after midnight, the month before returns for an hour', async (t) => {
  // Newfoundland until 2011: at one minute past midnight.
  const newfoundland = [
    { fromMinute: minuteOf('2009-10-31T12:00Z'), toMinute: minuteOf('2009-11-01T02:31Z'), offset: -150 },
    { fromMinute: minuteOf('2009-11-01T02:31Z'), toMinute: minuteOf('2009-11-02T12:00Z'), offset: -210 },
  ]
  t.strictSame(
    piecesOf('month', newfoundland).map(({ key, fromMinute, toMinute }) => [key, toMinute - fromMinute]),
    [
      ['2009-10', 14 * 60 + 30],
      ['2009-11', 1],
      ['2009-10', 59],
      ['2009-11', 32 * 60 + 30],
    ],
  )
  t.strictSame(
    bucketsOf('month', newfoundland).map(({ key }) => key),
    ['2009-10', '2009-11'],
  )
})

t.test('weeks begin on Monday and belong to the year of their Thursday', async (t) => {
  const utc = { offset: 0 }
  for (const [date, week] of [
    ['2026-01-01', '2026-W01'],
    ['2025-12-29', '2026-W01'],
    ['2025-12-28', '2025-W52'],
    ['2021-01-03', '2020-W53'],
    ['2021-01-04', '2021-W01'],
    ['1969-12-29', '1970-W01'],
    ['1969-12-28', '1969-W52'],
  ] as const) {
    t.equal(keyAt('week', minuteOf(`${date}T12:00Z`), utc), week, date)
  }
})

t.test('hours and days of the week are those of the zone', async (t) => {
  const monday = minuteOf('2026-11-22T23:30Z')
  const berlin = { offset: 60 }
  t.equal(keyAt('hourOfDay', monday, berlin), '0')
  t.equal(keyAt('dayOfWeek', monday, berlin), '1')
  t.equal(keyAt('hourOfWeek', monday, berlin), '0')
  t.equal(keyAt('dayOfWeek', monday, { offset: 0 }), '7')
  t.equal(keyAt('hourOfWeek', monday, { offset: 0 }), '167')
  t.equal(keyAt('hourOfDay', monday, { offset: 345 }), '5', 'Nepal is 5:45 ahead')
  t.equal(keyOf('month', monthOfDay(Date.parse('2026-12-01') / 86_400_000)), '2026-12')
  t.equal(keyOf('month', monthOfDay(Date.parse('1969-11-30') / 86_400_000)), '1969-11')
})

t.test('buckets that come again are all there, whatever the range', async (t) => {
  t.equal(bucketsOf('hourOfDay', AUTUMN).length, 24)
  t.strictSame(bucketsOf('dayOfWeek', AUTUMN)[0], { key: '1', fromMinute: null, toMinute: null })
  t.equal(bucketsOf('hourOfWeek', AUTUMN).at(-1)?.key, '167')
})

t.test('the first and the last bucket end with the range', async (t) => {
  const range = [{ fromMinute: minuteOf('2026-03-15T10:00Z'), toMinute: minuteOf('2026-04-02T09:00Z'), offset: 0 }]
  t.strictSame(
    bucketsOf('month', range).map(({ key, fromMinute, toMinute }) => [key, timeOf(fromMinute), timeOf(toMinute)]),
    [
      ['2026-03', '2026-03-15T10:00', '2026-04-01T00:00'],
      ['2026-04', '2026-04-01T00:00', '2026-04-02T09:00'],
    ],
  )
})
