/** Parses times of RFC 3339. `Date.parse` takes others as well: a time without a zone as the host's, 30 February as 1 or 2 March. */

const FORM = /^(\d{4})-(\d{2})-(\d{2})T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/

/** Milliseconds since 1970; undefined: it is no such time. */
export function parseTime(text: string): number | undefined {
  const [, year, month, day] = (FORM.exec(text) ?? []).map(Number)
  if (year === undefined || month === undefined || day === undefined) return undefined
  const ms = Date.parse(text)
  return Number.isNaN(ms) || new Date(Date.UTC(year, month - 1, day)).getUTCDate() !== day ? undefined : ms
}
