/**
 * Groups time into buckets as people in a time zone count it. A zone is given as stretches of constant offset from UTC, so every minute has
 * one local time. Days with a clock change therefore have 23 or 25 hours, and a day that a zone skipped is absent.
 */

export const GROUPINGS = ['day', 'week', 'month', 'hourOfDay', 'dayOfWeek', 'hourOfWeek'] as const
export type Grouping = (typeof GROUPINGS)[number]

/** Minutes since 1970 (UTC), from inclusive to exclusive. */
export interface Stretch {
  readonly fromMinute: number
  readonly toMinute: number
  /** Local time minus UTC, in minutes. */
  readonly offset: number
}

export interface TimeBucket {
  /** `2026-11-23`, `2026-W48`, `2026-11`, an hour 0 to 23, a day 1 (Monday) to 7, or an hour of the week 0 (Monday, midnight) to 167. */
  readonly key: string
  /** Minutes since 1970 (UTC); null for recurring buckets. */
  readonly fromMinute: number | null
  readonly toMinute: number | null
}

/** How a store groups the minutes of one stretch: `floor((minute + offset) / width)`, modulo the cycle. */
export interface MinuteBuckets {
  readonly offset: number
  readonly width: number
  readonly cycle?: number
}

const HOUR = 60
const DAY = 24 * HOUR
const WEEK_DAYS = 7
/** 1 January 1970 was a Thursday: this many days after a Monday. */
const EPOCH_WEEKDAY = 3
const DAY_MS = 86_400_000
const EPOCH_YEAR = 1970
const YEAR_MONTHS = 12

interface Cycle {
  readonly width: number
  readonly cycle: number
  /** Added to the offset so that a week starts on Monday. */
  readonly shift: number
  readonly first: number
}

const CYCLES: Partial<Readonly<Record<Grouping, Cycle>>> = {
  hourOfDay: { width: HOUR, cycle: 24, shift: 0, first: 0 },
  dayOfWeek: { width: DAY, cycle: WEEK_DAYS, shift: EPOCH_WEEKDAY * DAY, first: 1 },
  hourOfWeek: { width: HOUR, cycle: WEEK_DAYS * 24, shift: EPOCH_WEEKDAY * DAY, first: 0 },
}

export function minuteBuckets(grouping: Grouping, { offset }: Pick<Stretch, 'offset'>): MinuteBuckets {
  const repeated = CYCLES[grouping]
  if (grouping === 'week') return { offset: offset + EPOCH_WEEKDAY * DAY, width: WEEK_DAYS * DAY }
  if (!repeated) return { offset, width: DAY }
  return { offset: offset + repeated.shift, width: repeated.width, cycle: repeated.cycle }
}

/** Months differ in length: a store groups by day, and this converts a day to months since 1970. */
export function monthOfDay(day: number): number {
  const date = new Date(day * DAY_MS)
  return (date.getUTCFullYear() - EPOCH_YEAR) * YEAR_MONTHS + date.getUTCMonth()
}

/** The key of a bucket number: from a store, or a month. */
export function keyOf(grouping: Grouping, bucket: number): string {
  const repeated = CYCLES[grouping]
  if (repeated) return String(bucket + repeated.first)
  if (grouping === 'month') return dateOf(Date.UTC(EPOCH_YEAR, bucket) / DAY_MS).slice(0, 'YYYY-MM'.length)
  return keyOfDay(grouping, grouping === 'week' ? bucket * WEEK_DAYS - EPOCH_WEEKDAY : bucket)
}

function keyOfDay(grouping: Grouping, day: number): string {
  if (grouping === 'week') return weekOf(day)
  return grouping === 'month' ? dateOf(day).slice(0, 'YYYY-MM'.length) : dateOf(day)
}

/** All of them in order, including empty ones. */
export function bucketsOf(grouping: Grouping, stretches: readonly Stretch[]): readonly TimeBucket[] {
  const repeated = CYCLES[grouping]
  if (repeated) {
    return Array.from({ length: repeated.cycle }, (_, place) => ({ key: keyOf(grouping, place), fromMinute: null, toMinute: null }))
  }
  const buckets = new Map<string, { readonly key: string; fromMinute: number; toMinute: number }>()
  for (const { key, fromMinute, toMinute } of piecesOf(grouping, stretches)) {
    const known = buckets.get(key)
    if (known) known.toMinute = toMinute
    else buckets.set(key, { key, fromMinute, toMinute })
  }
  return [...buckets.values()]
}

export interface Piece {
  readonly key: string
  readonly fromMinute: number
  readonly toMinute: number
}

/**
 * Days, weeks or months, cut where the offset changes, in order. A bucket may have several pieces with another bucket between them: if
 * clocks go back shortly after midnight, the previous day returns.
 */
export function piecesOf(grouping: Grouping, stretches: readonly Stretch[]): readonly Piece[] {
  const pieces: { readonly key: string; readonly fromMinute: number; toMinute: number }[] = []
  for (const { fromMinute, toMinute, offset } of stretches) {
    for (let day = Math.floor((fromMinute + offset) / DAY); day * DAY - offset < toMinute; day++) {
      const begins = Math.max(fromMinute, day * DAY - offset)
      const ends = Math.min(toMinute, (day + 1) * DAY - offset)
      const key = keyOfDay(grouping, day)
      const last = pieces.at(-1)
      if (last?.key === key) last.toMinute = ends
      else pieces.push({ key, fromMinute: begins, toMinute: ends })
    }
  }
  return pieces
}

const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length)

/** ISO 8601: a week belongs to the year that contains its Thursday. */
function weekOf(day: number): string {
  const thursday = day - ((((day + EPOCH_WEEKDAY) % WEEK_DAYS) + WEEK_DAYS) % WEEK_DAYS) + EPOCH_WEEKDAY
  const year = dateOf(thursday).slice(0, 'YYYY'.length)
  const week = Math.floor((thursday - Date.parse(`${year}-01-01`) / DAY_MS) / WEEK_DAYS) + 1
  return `${year}-W${String(week).padStart(2, '0')}`
}
