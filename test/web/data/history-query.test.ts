import t from 'tap'
import { asOfIn, dateAt, endOf, isOfPast, withAsOf } from '../../../web/data/as-of.ts'
import { auditAsked } from '../../../web/data/audit-types.ts'
import { filterOf, historyAsked, historyFiltersIn, type HistoryEntry } from '../../../web/data/history-query.ts'
import { rowsAt, statsAsked } from '../../../web/data/stats-query.ts'
import { addDays, beginOf, dateOf, hourOfWeek, isZone } from '../../../web/data/time-zone.ts'

const ID = 'abcdefghijklmnopqrstu'
const BERLIN = 'Europe/Berlin'
const iso = (ms: number): string => new Date(ms).toISOString()

const ENTRY = {
  userId: 'u',
  movie: { id: 'm', title: 'Sintel', year: 2010 },
  startedAt: '2026-03-29T01:30:00.000Z',
  endedAt: '2026-03-29T03:00:00.000Z',
  percent: 42,
  completed: false,
  method: 'direct',
  resolution: null,
  client: { name: 'Web', version: null, device: null, deviceId: null },
  source: 'playback',
} as unknown as HistoryEntry

t.test('days begin by the zone’s clocks, also if the clocks change', async (t) => {
  t.equal(iso(beginOf('2026-03-29', BERLIN)), '2026-03-28T23:00:00.000Z')
  t.equal(iso(beginOf('2026-03-30', BERLIN)), '2026-03-29T22:00:00.000Z', 'a day of 23 hours')
  t.equal(iso(beginOf('2026-10-26', BERLIN)), '2026-10-25T23:00:00.000Z')
  t.equal(iso(beginOf('2026-10-25', BERLIN)), '2026-10-24T22:00:00.000Z', 'a day of 25 hours')
  // In Cairo the clocks go forward at midnight: the day begins at one.
  t.equal(iso(beginOf('2026-04-24', 'Africa/Cairo')), '2026-04-23T22:00:00.000Z')
  t.equal(iso(beginOf('2026-01-01', 'Pacific/Auckland')), '2025-12-31T11:00:00.000Z')
  t.equal(dateOf(Date.parse('2026-03-29T22:30:00Z'), BERLIN), '2026-03-30')
  t.equal(addDays('2026-02-28', 1), '2026-03-01')
})

t.test('the hour of the week is the local one', async (t) => {
  // Sunday, 3:30 in the summer time that has just begun.
  t.equal(hourOfWeek(Date.parse(ENTRY.startedAt), BERLIN), 6 * 24 + 3)
  t.equal(hourOfWeek(Date.parse('2026-11-23T00:00:00Z'), 'UTC'), 0)
  t.ok(isZone('America/New_York'))
  t.notOk(isZone('Middle/Earth'))
})

t.test('an address says which viewings there are: some the API chooses, some the page', async (t) => {
  const { query, isPartial } = historyAsked(`?movieId=${ID}&from=2026-03-29&to=2026-03-29&tz=Europe/Berlin&completed=false&userId=${ID}`)
  t.strictSame(query, { movieId: ID, completed: false, from: '2026-03-28T23:00:00.000Z', to: '2026-03-29T22:00:00.000Z' })
  t.notOk(isPartial)
  t.strictSame(historyAsked('', 'all').query, { scope: 'all' })
  t.strictSame(historyAsked(`?userId=${ID}`, 'all').query, { userId: ID })
})

t.test('what the API would refuse is left out of the question', async (t) => {
  t.strictSame(historyAsked('?from=yesterday&completed=maybe&source=elsewhere&tz=Middle/Earth').query, {})
  t.strictSame(historyAsked(`?movieId=x&libraryId=${ID}x&client=${'c'.repeat(201)}`).query, {})
  t.strictSame(historyAsked('?userId=zz', 'all').query, { scope: 'all' })
  t.strictSame(historyFiltersIn('?userId=zz&movieId=x'), [])
  t.strictSame(historyAsked('?from=2026-02-02&to=2026-01-01&tz=UTC').query, {})
})

t.test('filters of rows choose what the marks of plots count', async (t) => {
  const fits = (search: string): boolean => historyAsked(`${search}&tz=${BERLIN}`).fits(ENTRY)
  t.ok(fits('?hourOfWeek=147'))
  t.notOk(fits('?hourOfWeek=146'))
  t.ok(fits('?left=8'))
  t.notOk(fits('?left=9'))
  t.ok(fits('?method=direct'))
  t.notOk(fits('?method=remux'))
  t.ok(fits('?without=resolution'))
  t.notOk(fits('?without=client'))
  t.ok(fits('?at=2026-03-29T01:30:00Z'))
  t.notOk(fits('?at=2026-03-29T03:00:00Z'), 'it has ended')
  t.strictSame(historyAsked('?at=2026-03-29T02:00:00Z').query.to, '2026-03-29T02:00:00.001Z')
  t.strictSame(filterOf('movie', 'm'), { movieId: 'm' })
  t.strictSame(filterOf('client', null), { without: 'client' })
  t.strictSame(
    historyFiltersIn('?from=2026-01-01&method=direct&other=1').map(({ name }) => name),
    ['range', 'method'],
  )
})

t.test('the range of the figures is whole days of the zone, and never one that the API refuses', async (t) => {
  const now = Date.parse('2026-03-29T20:00:00Z')
  const asked = statsAsked('?days=7&tz=Europe/Berlin', now)
  t.match(asked, { from: '2026-03-22T23:00:00.000Z', to: '2026-03-29T22:00:00.000Z', groupBy: 'day', metric: 'plays', days: 7 })
  t.match(statsAsked('?days=365&tz=UTC', now), { groupBy: 'month' })
  t.match(statsAsked('?from=1800-01-01&to=2026-01-01&tz=UTC', now), { firstDate: '2021-01-02', lastDate: '2026-01-01' })
  t.match(statsAsked('?from=2026-02-01&to=2026-01-01&tz=UTC', now), { firstDate: '2025-12-03', lastDate: '2026-01-01' })
  t.equal(rowsAt('/history', { from: 'a b', left: 3 }), '/history?from=a+b&left=3')
})

t.test('a moment of the past is the end of its day, or now', async (t) => {
  const now = Date.parse('2026-03-29T12:00:00Z')
  t.equal(endOf('2026-03-28', now, 'UTC'), '2026-03-28T23:59:59.999Z')
  t.equal(endOf('2026-03-29', now, 'UTC'), '2026-03-29T12:00:00.000Z')
  t.equal(dateAt('2026-03-28T23:59:59.999Z', BERLIN), '2026-03-29')
  t.equal(asOfIn('?asOf=2026-03-28T23:59:59.999Z'), '2026-03-28T23:59:59.999Z')
  t.equal(asOfIn('?asOf=once'), undefined)
  t.equal(withAsOf('/films/m', '2026-03-28T00:00:00Z'), '/films/m?asOf=2026-03-28T00%3A00%3A00Z')
  t.ok(isOfPast(['movies', JSON.stringify({ asOf: '2026-03-28T00:00:00Z' }), 0]))
  t.notOk(isOfPast(['movies', JSON.stringify({ q: 'asOf' }), 0]))
})

t.test('the audit is asked only for what it takes', async (t) => {
  t.strictSame(auditAsked('?type=UserRoleChanged&actorId=V1StGXR8Z5jdHi6B1myTq&targetId=short'), {
    type: 'UserRoleChanged',
    actorId: 'V1StGXR8Z5jdHi6B1myTq',
  })
  t.strictSame(auditAsked('?type=Everything&from=2026-02-02&to=2026-01-01'), {})
  t.strictSame(auditAsked('?from=yesterday&to=2026-01-01T00:00:00Z'), {}, 'neither is a date')
  t.strictSame(historyAsked('?asOf=yesterday').query, {}, 'that is no moment')
})

t.test('what is no value of a filter is no filter', async (t) => {
  for (const search of ['?from=x', '?from=2026-13-45&to=y', '?at=x', '?hourOfWeek=168', '?hourOfWeek=x', '?left=20', '?left=-1']) {
    t.strictSame(historyFiltersIn(search), [], search)
    const { query, isPartial } = historyAsked(search)
    t.strictSame([query, isPartial], [{}, false], search)
  }
  t.strictSame(historyFiltersIn('?from=x&to=2026-01-02'), [{ name: 'range', value: '/2026-01-02' }])
  t.strictSame(
    historyFiltersIn('?hourOfWeek=167&left=19'),
    [
      { name: 'left', value: '19' },
      { name: 'hourOfWeek', value: '167' },
    ].toSorted((a, b) => a.name.localeCompare(b.name)),
  )
})
