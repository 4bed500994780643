/** Reads the range of times of a query. */
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import { invalid } from './errors.ts'
import { utcTime } from './times.ts'

interface TimeRange {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

const normal = (time: string | undefined, path: string): string | undefined => (time === undefined ? undefined : utcTime(time, path))

/** The range in UTC, as stored times have it. @throws HttpError 422 for a leap second, or if it ends before it starts */
export function timeRange({ from, to }: TimeRange) {
  const range = omitUndefined({ from: normal(from, 'from'), to: normal(to, 'to') })
  if (range.from !== undefined && range.to !== undefined && range.from > range.to)
    throw invalid([{ path: 'from', message: 'is later than `to`' }])
  return range
}
