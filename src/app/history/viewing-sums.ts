/** Counts and sums viewings by dimension and by time. */
import { keyOf, minuteBuckets, monthOfDay, type Grouping } from '../../domain/history/calendar.ts'
import { createLruCache } from '../../concurrency/lru-cache.ts'
import type { Filter, Sum } from '../../ports/read-store.ts'
import { FIELDS, labelsOf, valuesOf, type Dimension, type DimensionDependencies, type Value, type ValueOf } from './dimensions.ts'
import { createMeasures, ofMetric, type Measure, type Metric } from './measures.ts'
import { isoOf, type Range } from './ranges.ts'
import { begunWithin } from './viewing-filters.ts'

export interface RankQuery {
  readonly by: Dimension
  readonly metric: Metric
  readonly limit: number
}

export interface Ranked extends Measure {
  readonly key: Value
  /** Label for people; null if the value has no name any more. */
  readonly label: string | null
}

export interface Ranking {
  /** Highest first. */
  readonly items: readonly Ranked[]
  readonly valueOf: ValueOf
}

export interface BucketQuery {
  readonly groupBy: Grouping
  readonly metric: Metric
  /** Groups also by the values of this field. */
  readonly field?: string
}

/** Part of a bucket: of one value and, if different users are counted, of one user. */
export interface Part {
  readonly key: string
  readonly value: Sum['keys'][number] | undefined
  readonly userId: string
  readonly count: number
  readonly sum: number
}

export interface ViewingSums {
  rank(where: readonly Filter[], query: RankQuery): Promise<Ranking>
  inBuckets(where: readonly Filter[], range: Range, query: BucketQuery): Promise<readonly Part[]>
}

/** The field of viewings that is summed. */
export const WATCHED = 'watchedMs'
const MINUTE_MS = 60_000
/** Cached names of buckets: five years by day have 1,827. */
const NAMES_KEPT = 5_000

export function createViewingSums(deps: DimensionDependencies): ViewingSums {
  const names = createLruCache<string>(NAMES_KEPT)

  function nameOf(groupBy: Grouping, place: number): string {
    const name = names.peek(`${groupBy} ${place}`) ?? keyOf(groupBy, place)
    names.put(`${groupBy} ${place}`, name)
    return name
  }

  return {
    async rank(where, { by, metric, limit }) {
      const sums = await deps.settled.sum({ where, by: [FIELDS[by], 'userId'], of: WATCHED })
      const stored = sums.map(({ keys: [value] }) => value as Value)
      const valueOf = await valuesOf(deps, by, stored)
      const measures = createMeasures<Value>()
      for (const { keys, count, sum } of sums) measures.add(valueOf(keys[0]), { count, sum, userId: String(keys[1]) })
      const ranked = [...measures.all()].toSorted(byMetric(metric)).slice(0, limit)
      const values = ranked.map(([key]) => key)
      const labels = await labelsOf(deps, by, values)
      return { items: ranked.map(([key, measure]) => ({ key, label: labels.get(key) ?? null, ...measure })), valueOf }
    },

    async inBuckets(where, range, { groupBy, metric, field }) {
      const by = [...(field === undefined ? [] : [field]), ...(metric === 'users' ? ['userId'] : [])]
      const parts: Part[] = []
      for (const stretch of range.stretches) {
        const { fromMinute, toMinute } = stretch
        const bucket = { field: 'startedMinute', ...minuteBuckets(groupBy, stretch) }
        const begun = { fromMs: Math.max(range.fromMs, fromMinute * MINUTE_MS), toMs: Math.min(range.toMs, toMinute * MINUTE_MS) }
        const query = {
          where: [...where, ...begunWithin(isoOf(begun))],
          by,
          of: WATCHED,
          bucket,
          ...(groupBy === 'month' ? { bucketOf: monthOfDay } : {}),
        }
        for (const { bucket: place, keys, count, sum } of await deps.settled.sum(query)) {
          const [value, userId] = field === undefined ? [undefined, keys[0]] : keys
          parts.push({ key: nameOf(groupBy, place ?? 0), value, userId: String(userId), count, sum })
        }
      }
      return parts
    },
  }
}

/** Highest first; ties have a fixed order, so that a question always has the same answer. */
const byMetric =
  (metric: Metric) =>
  ([a, x]: readonly [Value, Measure], [b, y]: readonly [Value, Measure]): number =>
    ofMetric(y, metric) - ofMetric(x, metric) || y.plays - x.plays || compare(a, b)

function compare(a: Value, b: Value): number {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? 1 : -1
  return a < b ? -1 : 1
}
