/** Bounds and cleans texts of the provider like those of files, so that they may be stored and shown. */

const OVERVIEW_MAX = 10_000
const LINE_MAX = 300
const LIST_MAX = 100

/** On one line; null if it is empty. */
export function lineOf(value: unknown): string | null {
  // Cut before cleaning, too, since cleaning takes time.
  const text =
    typeof value === 'string'
      ? cleaned(value.slice(0, LINE_MAX * 4))
          .replace(/\s+/g, ' ')
          .trim()
      : ''
  return text === '' ? null : cleaned(text.slice(0, LINE_MAX))
}

/** Keeps line breaks. */
export function paragraphsOf(value: unknown): string | null {
  const text = typeof value === 'string' ? cleaned(value.slice(0, OVERVIEW_MAX)).trim() : ''
  return text === '' ? null : text
}

/** Without duplicates. */
export function linesOf(values: readonly unknown[]): readonly string[] {
  return [...new Set(values.slice(0, LIST_MAX * 10).flatMap((value) => lineOf(value) ?? []))].slice(0, LIST_MAX)
}

/** `YYYY-MM-DD` if there is such a day. */
export function dayOf(value: unknown): string | null {
  const text = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : undefined
  const date = text === undefined ? undefined : new Date(`${text}T00:00:00Z`)
  return text !== undefined && date && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : null
}

/** Year of a day; the oldest films are from 1880. */
export function yearOf(day: string | null): number | null {
  const year = Number(day?.slice(0, 4))
  return year >= 1880 && year < 2100 ? year : null
}

/** Without half of a surrogate pair that was cut, and without control characters except line breaks and tabs. */
const cleaned = (text: string): string =>
  text
    .replace(/[\uD800-\uDBFF]$/, '')
    .toWellFormed()
    .replaceAll(/(?![\n\r\t])\p{Cc}/gu, '')
