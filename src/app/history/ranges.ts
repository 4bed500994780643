/** Parses the time range of figures, and applies its calendar. */
import { bucketsOf, type Stretch } from '../../domain/history/calendar.ts'
import { refuse, type Refusal } from '../../domain/refusal.ts'
import type { Clock } from '../../ports/clock.ts'
import { createTimeZones } from './time-zones.ts'

export interface RangeQuery {
  /** RFC 3339 UTC with milliseconds. Default: the 30 days until the end of this quarter of an hour. */
  readonly from?: string
  readonly to?: string
  /** Name in the IANA time zone database. */
  readonly tz: string
}

export interface Range {
  readonly fromMs: number
  readonly toMs: number
  readonly tz: string
  /** Cover the whole minutes that the range touches. */
  readonly stretches: readonly Stretch[]
}

export interface Ranges {
  of(query: RangeQuery): Range | Refusal
  /** From the first to the last minute of a year (1901 to 2999) in the zone. */
  ofYear(year: number, tz: string): Range | Refusal
}

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const DEFAULT_MS = 30 * DAY_MS
/**
 * A default range moves on in steps: figures that are asked for again and again, by dashboards and home pages, then have the same range, and
 * cached parts of one answer serve the next. In all time zones a day begins with such a step.
 */
const QUARTER_MS = 15 * MINUTE_MS
/** Five years, with up to two leap days. */
const LONGEST_MS = (5 * 365 + 2) * DAY_MS
/** There are no older films, and older time zones had offsets with seconds. */
const EARLIEST_MS = Date.UTC(1900)

/** Later than now, since the end of a range is not part of it. */
const endOfQuarter = (nowMs: number) => (Math.floor(nowMs / QUARTER_MS) + 1) * QUARTER_MS

const NO_ZONE = refuse('invalid', 'is not a time zone of the IANA database, such as Europe/Berlin', { path: 'tz' })

export function createRanges(clock: Pick<Clock, 'now'>): Ranges {
  const zones = createTimeZones()
  const minutesIn = (fromMs: number, toMs: number) => [Math.floor(fromMs / MINUTE_MS), Math.ceil(toMs / MINUTE_MS)] as const
  return {
    of({ from, to, tz }) {
      const toMs = to === undefined ? endOfQuarter(clock.now()) : Date.parse(to)
      const fromMs = from === undefined ? toMs - DEFAULT_MS : Date.parse(from)
      if (fromMs >= toMs) return refuse('invalid', 'is not before `to`', { path: 'from' })
      if (fromMs < EARLIEST_MS) return refuse('invalid', 'is before 1900', { path: 'from' })
      if (toMs - fromMs > LONGEST_MS) {
        return refuse('invalid', 'is more than five years before `to`: ask for a shorter range', { path: 'from' })
      }
      const stretches = zones.stretches(tz, ...minutesIn(fromMs, toMs))
      return stretches ? { fromMs, toMs, tz, stretches } : NO_ZONE
    },

    ofYear(year, tz) {
      // No zone is as much as two days from UTC.
      const around = zones.stretches(tz, ...minutesIn(Date.UTC(year) - 2 * DAY_MS, Date.UTC(year + 1) + 2 * DAY_MS))
      if (!around) return NO_ZONE
      const months = bucketsOf('month', around).filter(({ key }) => key.startsWith(`${year}-`))
      const fromMinute = months[0]?.fromMinute ?? 0
      const toMinute = months.at(-1)?.toMinute ?? 0
      const stretches = zones.stretches(tz, fromMinute, toMinute) ?? []
      return { fromMs: fromMinute * MINUTE_MS, toMs: toMinute * MINUTE_MS, tz, stretches }
    },
  }
}

/** In the format of the times in viewings. */
export const isoOf = ({ fromMs, toMs }: Pick<Range, 'fromMs' | 'toMs'>) => ({
  from: new Date(fromMs).toISOString(),
  to: new Date(toMs).toISOString(),
})
