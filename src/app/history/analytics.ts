/**
 * Computes figures over the history. Each is a sum over the viewings that the history lists for the same filters, so the two never
 * disagree. The store computes the sums; neither the log nor single viewings are read.
 */
import type { ViewingDocument } from '../../../projections/views/viewings.ts'
import { createLruCache, type LruCache } from '../../concurrency/lru-cache.ts'
import { bucketsOf, type Grouping, type TimeBucket } from '../../domain/history/calendar.ts'
import { changesOf, changesWith, concurrencyOf, type Concurrency, type Span } from '../../domain/history/concurrency.ts'
import type { Refusal } from '../../domain/refusal.ts'
import type { Filter, Sum } from '../../ports/read-store.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ReadModelsAsOf } from '../read-models/as-of.ts'
import { createDerive, type Derive } from './derived.ts'
import { FIELDS, type Dimension, type DimensionDependencies, type Value } from './dimensions.ts'
import type { Figure, FigureQuery, Figures } from './figures.ts'
import type { Asking } from './history.ts'
import { fits } from './going-on.ts'
import { idleAsOf } from './idle-viewings.ts'
import { createMeasures, ofMetric, type Measure, type Metric } from './measures.ts'
import { isoOf, type Range } from './ranges.ts'
import { createPastViewings, sumInParts } from './settled-viewings.ts'
import { begunWithin } from './viewing-filters.ts'
import { createViewingSums, WATCHED, type Ranked, type RankQuery, type ViewingSums } from './viewing-sums.ts'

export interface PlaysQuery extends FigureQuery {
  readonly groupBy: Grouping
  readonly metric: Metric
  readonly by?: Dimension
  /** Series: the values with the highest totals in the whole range. */
  readonly limit: number
}

export type TopQuery = FigureQuery & RankQuery

export interface ConcurrencyQuery extends FigureQuery {
  readonly points: number
}

export interface Series {
  readonly key: Value
  readonly label: string | null
  /** One value per bucket. */
  readonly values: readonly number[]
}

export interface Overview extends Measure {
  readonly movies: number
  readonly completed: number
}

export interface Plays {
  readonly buckets: readonly TimeBucket[]
  /** Of all viewings, including those without a series. */
  readonly total: readonly number[]
  readonly series: readonly Series[]
}

export interface Analytics {
  /** The same figures as of an earlier time. */
  asOf(past: ReadModelsAsOf): Analytics
  overview(asking: Asking, query: FigureQuery): Promise<Figure<Overview> | Refusal>
  plays(asking: Asking, query: PlaysQuery): Promise<Figure<Plays> | Refusal>
  top(asking: Asking, query: TopQuery): Promise<Figure<{ readonly items: readonly Ranked[] }> | Refusal>
  concurrency(asking: Asking, query: ConcurrencyQuery): Promise<Figure<Concurrency> | Refusal>
}

export interface AnalyticsDependencies extends DimensionDependencies {
  readonly clock: Pick<Clock, 'now'>
  readonly figures: Pick<Figures, 'answer'>
}

/** Five years by day have 1,827 buckets. */
const BUCKETS_KEPT = 20_000
const EARLIEST = new Date(0).toISOString()

interface State extends AnalyticsDependencies {
  readonly answer: Figures['answer']
  readonly sums: ViewingSums
  readonly derive: Derive
  readonly calendars: LruCache<readonly TimeBucket[]>
}

export function createAnalytics(deps: AnalyticsDependencies): Analytics {
  const { answer } = deps.figures
  const sums = createViewingSums(deps)
  const state: State = { ...deps, answer, sums, derive: createDerive(), calendars: createLruCache(BUCKETS_KEPT) }

  return {
    asOf({ readModels: past, atMs }) {
      const settled = createPastViewings(past.viewings, idleAsOf(atMs))
      return createAnalytics({ ...deps, readModels: past, settled, clock: { now: () => atMs } })
    },
    overview: (asking, query) => overview(state, asking, query),
    plays: (asking, query) => plays(state, asking, query),

    top: (asking, query) =>
      answer(asking, query, async (where, range) => {
        const { items } = await sums.rank([...where, ...begunWithin(isoOf(range))], query)
        return { items }
      }),
    concurrency: (asking, query) => concurrency(state, asking, query),
  }
}

function calendar({ calendars }: State, groupBy: Grouping, { fromMs, toMs, tz, stretches }: Range): readonly TimeBucket[] {
  const key = `${groupBy} ${fromMs} ${toMs} ${tz}`
  const found = calendars.get(key) ?? bucketsOf(groupBy, stretches)
  calendars.put(key, found, found.length)
  return found
}

interface Asked {
  readonly where: readonly Filter[]
  readonly range: Range
  readonly query: PlaysQuery
}

async function series({ sums }: State, { where, range, query }: Asked, keys: readonly string[]): Promise<readonly Series[]> {
  const { by, groupBy, metric } = query
  if (by === undefined) return []
  const { items, valueOf } = await sums.rank([...where, ...begunWithin(isoOf(range))], { ...query, by })
  const field = FIELDS[by]
  // Only films are numerous enough that leaving out those without a series pays off.
  const chosen: readonly Filter[] = by === 'movie' ? [{ field, op: 'in', values: items.map(({ key }) => key ?? '') }] : []
  if (items.length === 0) return []
  const found = await sums.inBuckets([...where, ...chosen], range, { groupBy, metric, field })
  return items.map(({ key, label }) => {
    const column = found.column((stored) => valueOf(stored) === key)
    return { key, label, values: keys.map((bucket) => ofMetric(column.of(bucket), metric)) }
  })
}

const overview = ({ answer, derive, settled }: State, asking: Asking, query: FigureQuery): Promise<Figure<Overview> | Refusal> =>
  answer(asking, query, async (where, range) => {
    const begun = [...where, ...begunWithin(isoOf(range))]
    const sums = { where: begun, by: ['userId', 'movieId', 'completed'], of: WATCHED }
    const [{ cached, more } = { cached: [], more: [] }] = await settled.sumAll([sums])
    const known = derive(JSON.stringify(sums), [cached], (groups: readonly Sum[]) => overviewOf(groups))
    const added = overviewOf(more)
    return {
      ...createMeasures([known.all, added.all]).of(null),
      movies: new Set([...known.movies, ...added.movies]).size,
      completed: known.completed + added.completed,
    }
  })

function overviewOf(groups: readonly Sum[]) {
  const all = createMeasures<null>()
  for (const { keys, count, sum } of groups) all.add(null, { count, sum, userId: String(keys[0]) })
  const completed = groups.filter(({ keys }) => keys[2] === true).reduce((total, { count }) => total + count, 0)
  return { all, movies: new Set(groups.map(({ keys }) => keys[1])), completed }
}

const plays = (state: State, asking: Asking, query: PlaysQuery): Promise<Figure<Plays> | Refusal> =>
  state.answer(asking, query, async (where, range) => {
    const { groupBy, metric } = query
    const buckets = calendar(state, groupBy, range)
    const keys = buckets.map(({ key }) => key)
    const all = (await state.sums.inBuckets(where, range, { groupBy, metric })).column(() => true)
    return { buckets, total: keys.map((key) => ofMetric(all.of(key), metric)), series: await series(state, { where, range, query }, keys) }
  })

const concurrency = (state: State, asking: Asking, query: ConcurrencyQuery): Promise<Figure<Concurrency> | Refusal> =>
  state.answer(asking, query, async (where, range) => {
    const { fromMs, toMs } = range
    const playback: readonly Filter[] = [...where, { field: 'source', op: 'eq', value: 'playback' }]
    const { from, to } = isoOf(range)
    const fitting = [...playback, ...begunWithin({ to })]
    const spans = (viewings: readonly ViewingDocument[]) =>
      viewings.filter((viewing) => fits(viewing, fitting)).map((viewing) => spanOfLive(viewing, state.clock.now()))
    const { cached, more } = await state.settled.ask({
      name: `concurrency ${JSON.stringify([playback, from, to])}`,
      make: async (finished) => changesOf(await spansOf(state, [...playback, finished], range), range),
      add: (changes, viewings) => changesWith(changes, spans(viewings), range),
    })
    const passed = { fromMs, toMs: Math.max(fromMs + 1, Math.min(toMs, state.clock.now())) }
    return concurrencyOf(spans(more), passed, query.points, cached)
  })

/** Start and end of finished viewings, part by part, each as large as the store returns at once. */
async function spansOf(
  { readModels }: Pick<AnalyticsDependencies, 'readModels'>,
  where: readonly Filter[],
  range: Range,
): Promise<readonly Span[]> {
  const { from, to } = isoOf(range)
  const begun = { where: [...where, ...begunWithin({ from, to })], by: ['startedAt', 'endedAt'], of: WATCHED }
  const goingOn: Filter = { field: 'endedAt', op: 'gt', value: from }
  const before = { ...begun, where: [...where, ...begunWithin({ from: EARLIEST, to: from }), goingOn] }
  const spans: Span[] = []
  for (const { keys, count } of [...(await sumInParts(readModels.viewings, begun)), ...(await sumInParts(readModels.viewings, before))]) {
    spans.push(...spanOf(String(keys[0]), keys[1], count))
  }
  return spans
}

const spanOf = (start: string, end: Sum['keys'][number] | undefined, count: number): readonly Span[] =>
  typeof end === 'string' ? [{ fromMs: Date.parse(start), toMs: Date.parse(end), count }] : []

const spanOfLive = ({ startedAt, endedAt }: Pick<ViewingDocument, 'startedAt' | 'endedAt'>, nowMs: number): Span => ({
  fromMs: Date.parse(startedAt),
  toMs: endedAt === null ? nowMs : Date.parse(endedAt),
  count: 1,
})
