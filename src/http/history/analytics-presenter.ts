/** Presents figures over the history to clients. */
import type { Overview, Plays, PlaysQuery, TopQuery } from '../../app/history/analytics.ts'
import type { Figure } from '../../app/history/figures.ts'
import type { Measure } from '../../app/history/measures.ts'
import type { Range } from '../../app/history/ranges.ts'
import type { Ranked } from '../../app/history/viewing-sums.ts'
import type { Concurrency, ConcurrencyPoint } from '../../domain/history/concurrency.ts'
import { seconds } from '../server/values-presenter.ts'
import type { ConcurrencyBody, OverviewBody, PlaysBody, TopBody } from './analytics-schemas.ts'

const MINUTE_MS = 60_000

const timeOf = (ms: number): string => new Date(ms).toISOString()
/** A minute, if it is within the range. */
const minuteIn = ({ fromMs, toMs }: Range, minute: number | null): string | null =>
  minute === null ? null : timeOf(Math.min(toMs, Math.max(fromMs, minute * MINUTE_MS)))
export const presentRange = ({ fromMs, toMs, tz }: Range) => ({ from: timeOf(fromMs), to: timeOf(toMs), tz })
export const presentMeasure = ({ plays, watchedMs, users }: Measure) => ({ plays, seconds: seconds(watchedMs), users })
const presentPoint = ({ atMs, count }: ConcurrencyPoint) => ({ at: timeOf(atMs), count })

export const presentOverview = ({ range, movies, completed, ...measure }: Figure<Overview>): OverviewBody => ({
  ...presentRange(range),
  ...presentMeasure(measure),
  movies,
  completed,
})

export const presentPlays = (
  { range, buckets, total, series }: Figure<Plays>,
  { groupBy, metric, by = null }: Pick<PlaysQuery, 'groupBy' | 'metric'> & { readonly by?: PlaysQuery['by'] | null },
): PlaysBody => ({
  ...presentRange(range),
  groupBy,
  metric,
  by: by ?? null,
  buckets: buckets.map(({ key, fromMinute, toMinute }) => ({ key, from: minuteIn(range, fromMinute), to: minuteIn(range, toMinute) })),
  total: [...total],
  series: series.map(({ key, label, values }) => ({ key, label, values: [...values] })),
})

export const presentTop = (
  { range, items }: Figure<{ readonly items: readonly Ranked[] }>,
  { by, metric }: Pick<TopQuery, 'by' | 'metric'>,
): TopBody => ({
  ...presentRange(range),
  by,
  metric,
  items: items.map(({ key, label, ...measure }) => ({ key, label, ...presentMeasure(measure) })),
})

export const presentConcurrency = ({ range, points, max, isExact }: Figure<Concurrency>): ConcurrencyBody => ({
  ...presentRange(range),
  exact: isExact,
  max: presentPoint(max),
  points: points.map(presentPoint),
})
