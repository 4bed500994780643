/** Parses times that clients send. */
import { invalid } from './errors.ts'
import { time } from './values-presenter.ts'

/** In UTC with milliseconds. @throws HttpError 422 for a leap second, which has a valid form, but which no clock here can represent */
export function utcTime(rfc3339: string, path: string): string {
  const ms = Date.parse(rfc3339)
  if (Number.isNaN(ms)) throw invalid([{ path, message: 'is not a time' }])
  return time(ms)
}
