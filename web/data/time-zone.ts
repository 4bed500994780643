/** Time as the people of a time zone count it, by the browser's own calendar. Pure. */

/** The zone of this browser. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'

export function isZone(tz: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: tz }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(tz: string): Intl.DateTimeFormat {
  const known = formats.get(tz)
  if (known) return known
  const numeric = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' } as const
  const made = new Intl.DateTimeFormat('en', { timeZone: tz, hourCycle: 'h23', calendar: 'gregory', numberingSystem: 'latn', ...numeric })
  formats.set(tz, made)
  return made
}

/** The local time as if it were UTC, in milliseconds since 1970. */
function localMs(ms: number, tz: string): number {
  const parts = Object.fromEntries(
    formatOf(tz)
      .formatToParts(ms)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const { year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

const DAY = 86_400_000
const WEEK_DAYS = 7
const DATE_LENGTH = 'YYYY-MM-DD'.length

/** `2026-11-25`. */
export const dateOf = (ms: number, tz: string): string => new Date(localMs(ms, tz)).toISOString().slice(0, DATE_LENGTH)

const DATE = /^\d{4}-\d{2}-\d{2}$/

export const isDate = (text: string | null): text is string => text !== null && DATE.test(text) && !Number.isNaN(Date.parse(text))

export const today = (tz = ownZone()): string => dateOf(Date.now(), tz)

/** Whether a date is typed to its end: fields of dates give the years 2, 20 and 202 on the way to 2026. */
export const isWholeDate = (date: string): boolean => date === '' || date >= '1900'

export const addDays = (date: string, days: number): string => new Date(Date.parse(date) + days * DAY).toISOString().slice(0, DATE_LENGTH)

/** From 0 (Monday, midnight) to 167. */
export function hourOfWeek(ms: number, tz: string): number {
  const local = new Date(localMs(ms, tz))
  return ((local.getUTCDay() + WEEK_DAYS - 1) % WEEK_DAYS) * 24 + local.getUTCHours()
}

const MINUTE = 60_000
/** No zone is further from UTC. */
const FURTHEST = 26 * 60 * MINUTE

/** When the date begins: the first minute of it, also if the clocks change at midnight. */
export function beginOf(date: string, tz: string): number {
  let [before, within] = [Date.parse(date) - FURTHEST, Date.parse(date) + FURTHEST]
  while (within - before > MINUTE) {
    const middle = before + Math.floor((within - before) / (2 * MINUTE)) * MINUTE
    if (dateOf(middle, tz) < date) before = middle
    else within = middle
  }
  return within
}
