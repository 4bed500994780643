/** Days, hours and months as the language of the client writes them. They are no moments: they have no time zone. */
import { locale } from './locale.ts'
import { say } from './words.ts'

/** "25 Nov", of a date without a time. */
export const day = (date: string): string =>
  new Intl.DateTimeFormat(locale(), { timeZone: 'UTC', day: 'numeric', month: 'short' }).format(new Date(`${date}T00:00:00Z`))

/** A Monday. */
const MONDAY = Date.UTC(2024, 0, 1)
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

/** From 0, Monday. */
export const weekday = (index: number, style: 'short' | 'long' = 'short'): string =>
  new Intl.DateTimeFormat(locale(), { timeZone: 'UTC', weekday: style }).format(new Date(MONDAY + index * DAY_MS))

export const hour = (index: number): string =>
  new Intl.DateTimeFormat(locale(), { timeZone: 'UTC', hour: 'numeric', minute: 'numeric' }).format(new Date(MONDAY + index * HOUR_MS))

/** "Nov", of a date. */
export const monthName = (date: string): string =>
  new Intl.DateTimeFormat(locale(), { timeZone: 'UTC', month: 'short' }).format(new Date(date))

export const month = (key: string): string =>
  new Intl.DateTimeFormat(locale(), { timeZone: 'UTC', month: 'short', year: 'numeric' }).format(new Date(`${key}-01T00:00:00Z`))

/** Name of a bucket by its key. */
export function bucketName(key: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(key)) return day(key)
  if (/^\d{4}-\d\d$/.test(key)) return month(key)
  const [year = '', week = ''] = key.split('-W')
  return say('plot.week', { week: Number(week), year })
}
