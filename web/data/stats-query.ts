/** Range and choices of the figures as they stand in the address, and addresses of the rows that a figure counts. Pure. */
import { zoneIn } from './history-query.ts'
import { addDays, beginOf, dateOf, isDate } from './time-zone.ts'

export const DAYS = [7, 30, 90, 365, 1825] as const
export const GROUPINGS = ['day', 'week', 'month'] as const
export const METRICS = ['plays', 'seconds'] as const
export const DIMENSIONS = ['method', 'movie', 'client', 'library', 'resolution'] as const
export const DIMENSIONS_OF_ALL = ['user', ...DIMENSIONS] as const
export type By = (typeof DIMENSIONS_OF_ALL)[number]

export interface StatsAsked {
  /** RFC 3339: midnights of the zone. */
  readonly from: string
  readonly to: string
  readonly tz: string
  /** Undefined: a range of the person's own. */
  readonly days: number | undefined
  readonly firstDate: string
  readonly lastDate: string
  readonly metric: (typeof METRICS)[number]
  readonly groupBy: (typeof GROUPINGS)[number]
  readonly by: By | undefined
}

const DEFAULT_DAYS = 30
/** Up to so many days a bar is a day, up to so many more it is a week. */
const MOST_DAYS = 45
const MOST_WEEK_DAYS = 200
/** Five years: the API gives no more. */
const LONGEST_DAYS = 1826
const DAY_MS = 86_400_000

const daysBetween = (first: string, last: string): number => Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1

/** A range that the API would refuse is made one that it takes. */
export function statsAsked(search: string, nowMs: number): StatsAsked {
  const query = new URLSearchParams(search)
  const tz = zoneIn(query)
  const today = dateOf(nowMs, tz)
  const [from, to] = [query.get('from'), query.get('to')]
  const isOwn = isDate(from) || isDate(to)
  const days = DAYS.find((one) => String(one) === query.get('days')) ?? DEFAULT_DAYS
  const lastDate = isOwn && isDate(to) ? to : today
  const wanted = isOwn ? (isDate(from) && from <= lastDate ? from : addDays(lastDate, 1 - DEFAULT_DAYS)) : addDays(today, 1 - days)
  const earliest = addDays(lastDate, 1 - LONGEST_DAYS)
  const firstDate = wanted < earliest ? earliest : wanted
  const length = daysBetween(firstDate, lastDate)
  const usual = length <= MOST_DAYS ? 'day' : length <= MOST_WEEK_DAYS ? 'week' : 'month'
  return {
    from: new Date(beginOf(firstDate, tz)).toISOString(),
    to: new Date(beginOf(addDays(lastDate, 1), tz)).toISOString(),
    tz,
    days: isOwn ? undefined : days,
    firstDate,
    lastDate,
    metric: METRICS.find((one) => one === query.get('metric')) ?? 'plays',
    groupBy: GROUPINGS.find((one) => one === query.get('groupBy')) ?? usual,
    by: DIMENSIONS_OF_ALL.find((one) => one === query.get('by')),
  }
}

/** The rows of the history that a figure counts. */
export function rowsAt(path: string, filters: Readonly<Record<string, string | number>>): string {
  const query = new URLSearchParams(Object.entries(filters).map(([name, value]) => [name, String(value)]))
  return `${path}?${query.toString()}`
}
