/** Counts and sums viewings by dimension and by time. */
import { keyOf, minuteBuckets, monthOfDay, type Grouping, type Stretch } from '../../domain/history/calendar.ts'
import { createLruCache } from '../../concurrency/lru-cache.ts'
import type { Filter, Sum } from '../../ports/read-store.ts'
import { createDerive } from './derived.ts'
import { FIELDS, labelsOf, valuesOf, type Dimension, type DimensionDependencies, type Value, type ValueOf } from './dimensions.ts'
import { createMeasures, ofMetric, type Measure, type Measures, type Metric } from './measures.ts'
import { isoOf, type Range } from './ranges.ts'
import type { CoarseSums, Parts } from './settled-viewings.ts'
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

type Stored = Sum['keys'][number] | undefined

export interface Buckets {
  /** Measures per key of a bucket, of the viewings whose stored value in the field passes. */
  column(passes: (stored: Stored) => boolean): Measures<string>
}

export interface ViewingSums {
  rank(where: readonly Filter[], query: RankQuery): Promise<Ranking>
  inBuckets(where: readonly Filter[], range: Range, query: BucketQuery): Promise<Buckets>
}

/** Part of a bucket: of one value and, if different users are counted, of one user. */
interface Part {
  readonly key: string
  readonly value: Stored
  readonly count: number
  readonly sum: number
  readonly userId: string
}

/** The field of viewings that is summed. */
export const WATCHED = 'watchedMs'
const MINUTE_MS = 60_000
/** Cached names of buckets: five years by day have 1,827. */
const NAMES_KEPT = 5_000

export function createViewingSums(deps: DimensionDependencies): ViewingSums {
  const names = createLruCache<string>(NAMES_KEPT)
  const derive = createDerive()

  function nameOf(groupBy: Grouping, place: number): string {
    const name = names.peek(`${groupBy} ${place}`) ?? keyOf(groupBy, place)
    names.put(`${groupBy} ${place}`, name)
    return name
  }

  return {
    async rank(where, { by, metric, limit }) {
      const query = { where, by: [FIELDS[by], 'userId'], of: WATCHED }
      const [{ cached, more } = NO_PARTS] = await deps.settled.sumAll([query])
      const known = derive(JSON.stringify(query), [cached], (sums: readonly Sum[]) => measuresOf(sums))
      const added = measuresOf(more)
      const valueOf = await valuesOf(deps, by, [...known.keys(), ...added.keys()])
      const measures = by === 'client' ? measuresOf([...cached, ...more], valueOf) : createMeasures([known, added])
      const ranked = [...measures.all()].toSorted(byMetric(metric)).slice(0, limit)
      const values = ranked.map(([key]) => key)
      const labels = await labelsOf(deps, by, values)
      return { items: ranked.map(([key, measure]) => ({ key, label: labels.get(key) ?? null, ...measure })), valueOf }
    },

    async inBuckets(where, range, { groupBy, metric, field }) {
      const by = [...(field === undefined ? [] : [field]), ...(metric === 'users' ? ['userId'] : [])]
      const queries = range.stretches.map((stretch) => sumsIn(stretch, range, { where, by, groupBy }))
      const all = await deps.settled.sumAll(queries)
      const partOf = ({ bucket, keys, count, sum }: Sum): Part => {
        const [value, userId] = field === undefined ? [undefined, keys[0]] : keys
        return { key: nameOf(groupBy, bucket ?? 0), value, userId: String(userId), count, sum }
      }
      const lists = all.map(({ cached }) => cached)
      const known = derive(JSON.stringify([groupBy, field ?? null, queries]), lists, (sums: readonly Sum[]) => columnsOf(sums.map(partOf)))
      const added = columnsOf(all.flatMap(({ more }) => more.map(partOf)))
      return {
        column: (passes) =>
          createMeasures([known, added].flatMap((columns) => [...columns].flatMap(([value, column]) => (passes(value) ? [column] : [])))),
      }
    },
  }
}

const NO_PARTS: Parts = { cached: [], more: [] }
const storedValue: ValueOf = (value) => (typeof value === 'string' ? value : null)

/** Per value, of sums by value and user. */
function measuresOf(sums: readonly Sum[], valueOf = storedValue): Measures<Value> {
  const measures = createMeasures<Value>()
  for (const { keys, count, sum } of sums) measures.add(valueOf(keys[0]), { count, sum, userId: String(keys[1]) })
  return measures
}

interface StretchQuery {
  readonly where: readonly Filter[]
  readonly by: readonly string[]
  readonly groupBy: Grouping
}

function sumsIn(stretch: Stretch, range: Range, { where, by, groupBy }: StretchQuery): CoarseSums {
  const { fromMinute, toMinute } = stretch
  const bucket = { field: 'startedMinute', ...minuteBuckets(groupBy, stretch) }
  const begun = { fromMs: Math.max(range.fromMs, fromMinute * MINUTE_MS), toMs: Math.min(range.toMs, toMinute * MINUTE_MS) }
  const sums = { where: [...where, ...begunWithin(isoOf(begun))], by, of: WATCHED, bucket }
  return groupBy === 'month' ? { ...sums, bucketOf: monthOfDay } : sums
}

/** Measures per key of a bucket, for each stored value. */
function columnsOf(parts: readonly Part[]): ReadonlyMap<Stored, Measures<string>> {
  const columns = new Map<Stored, Measures<string>>()
  for (const { key, value, ...more } of parts) {
    const column = columns.get(value) ?? createMeasures<string>()
    columns.set(value, column)
    column.add(key, more)
  }
  return columns
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
