/** Reads the range of times of a query. */
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import { invalid } from './errors.ts'

interface TimeRange {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

const normal = (time: string | undefined): string | undefined => (time === undefined ? undefined : new Date(time).toISOString())

/** The range in UTC, as stored times have it. @throws HttpError 422 it ends before it starts */
export function timeRange({ from, to }: TimeRange) {
  const range = omitUndefined({ from: normal(from), to: normal(to) })
  if (range.from !== undefined && range.to !== undefined && range.from > range.to)
    throw invalid([{ path: 'from', message: 'is later than `to`' }])
  return range
}
