/** Offsets of time zones, compared with the platform's for single moments. */
import t from 'tap'
import { createTimeZones } from '../../../src/app/history/time-zones.ts'

const MINUTE_MS = 60_000
const minuteOf = (time: string): number => Date.parse(time) / MINUTE_MS
const timeOf = (minute: number): string => new Date(minute * MINUTE_MS).toISOString().slice(0, 16)

const shown = (zone: string, from: string, to: string) =>
  createTimeZones()
    .stretches(zone, minuteOf(from), minuteOf(to))
    ?.map(({ fromMinute, toMinute, offset }) => [timeOf(fromMinute), timeOf(toMinute), offset])

t.test('a year has the stretches of its zone', async (t) => {
  t.strictSame(shown('Europe/Berlin', '2026-01-01T00:00Z', '2027-02-01T00:00Z'), [
    ['2026-01-01T00:00', '2026-03-29T01:00', 60],
    ['2026-03-29T01:00', '2026-10-25T01:00', 120],
    ['2026-10-25T01:00', '2027-02-01T00:00', 60],
  ])
  t.strictSame(
    shown('Australia/Lord_Howe', '2026-01-01T00:00Z', '2026-12-31T00:00Z')?.map(([, , offset]) => offset),
    [660, 630, 660],
    'half an hour',
  )
  t.strictSame(shown('Pacific/Apia', '2011-12-29T00:00Z', '2012-01-02T00:00Z'), [
    ['2011-12-29T00:00', '2011-12-30T10:00', -600],
    ['2011-12-30T10:00', '2012-01-02T00:00', 840],
  ])
  t.strictSame(shown('UTC', '2020-01-01T00:00Z', '2025-01-01T00:00Z'), [['2020-01-01T00:00', '2025-01-01T00:00', 0]])
})

t.test('what is no name of a zone is none', async (t) => {
  for (const zone of ['', '+05:30', 'Berlin', 'Europe/Nowhere', '../etc/passwd', 'Etc/GMT+5; x', 'x'.repeat(1_000)]) {
    t.equal(createTimeZones().stretches(zone, 0, 1), undefined, zone.slice(0, 20))
  }
})

t.test('every hour of several years has the offset that the platform gives', async (t) => {
  const zones = ['America/St_Johns', 'Africa/Casablanca', 'Asia/Kathmandu', 'America/Sao_Paulo', 'Antarctica/Troll', 'Pacific/Chatham']
  const zoneTimes = createTimeZones()
  for (const zone of zones) {
    const [from, to] = [minuteOf('2009-06-01T00:00Z'), minuteOf('2012-06-01T00:00Z')]
    const stretches = zoneTimes.stretches(zone, from, to) ?? []
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
    const wrong: string[] = []
    let place = 0
    for (let minute = from; minute < to; minute += 60) {
      while ((stretches[place]?.toMinute ?? Infinity) <= minute) place++
      const local = format.format(minute * MINUTE_MS).replace(' ', 'T')
      if (timeOf(minute + (stretches[place]?.offset ?? NaN)) !== local) wrong.push(timeOf(minute))
    }
    t.strictSame(wrong, [], zone)
    t.strictSame([stretches[0]?.fromMinute, stretches.at(-1)?.toMinute], [from, to])
  }
})
