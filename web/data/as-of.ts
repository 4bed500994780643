/** Time travel: the moment in the address (`asOf`) as of which lists and films are shown. Pure. */
import { addDays, beginOf, dateOf, ownZone } from './time-zone.ts'

const MOMENT = /^\d{4}-\d{2}-\d{2}T[\d:.]{5,12}(?:Z|[+-]\d{2}:\d{2})$/

/** Undefined: now. A text that is no moment is ignored. */
export function asOfIn(search: string): string | undefined {
  const text = new URLSearchParams(search).get('asOf')
  return text !== null && MOMENT.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined
}

/** The end of a date, or now if the date is not over: as it was on that day. */
export const endOf = (date: string, nowMs: number, tz = ownZone()): string =>
  new Date(Math.min(beginOf(addDays(date, 1), tz) - 1, nowMs)).toISOString()

/** The date that a moment belongs to. */
export const dateAt = (asOf: string, tz = ownZone()): string => dateOf(Date.parse(asOf), tz)

/** The address of a page as of the same moment. */
export const withAsOf = (path: string, asOf: string | undefined): string =>
  asOf === undefined ? path : `${path}?asOf=${encodeURIComponent(asOf)}`

/** Whether an answer is of the past: no event changes it any more. */
export const isOfPast = (key: readonly unknown[]): boolean =>
  key[0] === 'then' || key.some((part) => typeof part === 'string' && part.includes('"asOf":'))
