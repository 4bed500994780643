/** Times that clients send. */
import { invalid } from './errors.ts'
import { time } from './values-presenter.ts'

/** In UTC with milliseconds. @throws HttpError 422: a leap second has the right form, but no clock here knows it */
export function utcTime(rfc3339: string, path: string): string {
  const ms = Date.parse(rfc3339)
  if (Number.isNaN(ms)) throw invalid([{ path, message: 'is not a time' }])
  return time(ms)
}
