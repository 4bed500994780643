/** Numbers, times and lengths as the language of the client writes them. */
import { locale } from './locale.ts'
import { say } from './words.ts'

/** "1 h 42 min", of seconds. */
export function duration(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60))
  const hours = Math.floor(minutes / 60)
  return hours === 0 ? say('time.minutes', { minutes }) : say('time.hours', { hours, minutes: minutes % 60 })
}

/** "1 h 42 min", or "20 s" of less than a minute. */
export const shortDuration = (seconds: number): string =>
  seconds < 60 ? say('time.seconds', { seconds: Math.round(seconds) }) : duration(seconds)

/** "42:10" or "1:02:03", of seconds. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (n: number): string => String(n).padStart(2, '0')
  return hours === 0 ? `${minutes}:${two(rest)}` : `${hours}:${two(minutes)}:${two(rest)}`
}

export const moment = (time: string, timeZone?: string): string =>
  new Intl.DateTimeFormat(locale(), {
    dateStyle: 'medium',
    timeStyle: 'short',
    ...(timeZone === undefined ? {} : { timeZone }),
  }).format(new Date(time))

/** "20:15". */
export const timeOfDay = (time: string, timeZone?: string): string =>
  new Intl.DateTimeFormat(locale(), { timeStyle: 'short', ...(timeZone === undefined ? {} : { timeZone }) }).format(new Date(time))

/** "Wednesday, 25 November 2026", of a date without a time. */
export const longDate = (date: string): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: 'full', timeZone: 'UTC' }).format(new Date(`${date}T00:00:00Z`))

export const list = (items: readonly string[]): string => new Intl.ListFormat(locale(), { type: 'conjunction' }).format(items)

/** "1.4 GB", of bytes. */
export function size(bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const unit = units[power] ?? 'byte'
  return new Intl.NumberFormat(locale(), { style: 'unit', unit, maximumFractionDigits: 1 }).format(bytes / 1000 ** power)
}

/** Name of a language from its tag, in the language of the client. */
export function languageName(tag: string): string {
  try {
    return new Intl.DisplayNames([locale()], { type: 'language' }).of(tag) ?? tag
  } catch {
    return tag
  }
}

/** "1,234.5": with one decimal at most. */
export const number = (n: number): string => new Intl.NumberFormat(locale(), { maximumFractionDigits: 1 }).format(n)
