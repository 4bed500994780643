/** Computes from viewings alone which films people finish and watch again, and a review of a user's year. */
import { creditsOf } from '../../../projections/views/credits.ts'
import { bucketsOf, keyOf, minuteBuckets } from '../../domain/history/calendar.ts'
import type { Refusal } from '../../domain/refusal.ts'
import type { Filter, Sum } from '../../ports/read-store.ts'
import type { ReadModelsAsOf } from '../read-models/as-of.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import { labelsOf, type DimensionDependencies } from './dimensions.ts'
import type { Figure, FigureQuery, Figures, YearQuery } from './figures.ts'
import type { Asking } from './history.ts'
import { idleAsOf } from './idle-viewings.ts'
import { createMeasures, type Measure } from './measures.ts'
import { isoOf, type Range } from './ranges.ts'
import { begunWithin } from './viewing-filters.ts'
import { createPastViewings, OVER } from './settled-viewings.ts'
import { createViewingSums, WATCHED } from './viewing-sums.ts'

export interface MovieQuery extends FigureQuery {
  readonly limit: number
}

interface OfMovie {
  readonly key: string
  /** Null if its title is unknown. */
  readonly label: string | null
}

export interface Finished extends OfMovie {
  /** Playbacks. */
  readonly plays: number
  /** Different users who started it, and who saw it to the end. */
  readonly users: number
  readonly finishedBy: number
  /** Playbacks that stopped in each twentieth of the film, without those that reached the end. */
  readonly left: readonly number[]
}

export interface Rewatched extends OfMovie {
  /** Users who saw it to the end more than once, and how often in all. */
  readonly users: number
  readonly times: number
}

export interface Named {
  readonly name: string
  readonly plays: number
  readonly watchedMs: number
}

export interface Year extends Measure {
  readonly movies: number
  readonly completed: number
  /** From six in the morning to six the next; null in a year without a viewing. */
  readonly longestEvening: { readonly date: string; readonly watchedMs: number } | null
  /** The hour of the day in which most playbacks started. */
  readonly busiestHour: number | null
  readonly first: Seen | null
  readonly last: Seen | null
  readonly topMovies: readonly (OfMovie & Measure)[]
  /** Genres of the movies as they are now; a film of two genres counts for both. */
  readonly genres: readonly Named[]
  readonly people: readonly Named[]
}

export interface Seen extends OfMovie {
  readonly startedAt: string
}

export interface Taste {
  /** The same as of an earlier time. */
  asOf(past: ReadModelsAsOf): Taste
  finish(asking: Asking, query: MovieQuery): Promise<Figure<{ readonly items: readonly Finished[] }> | Refusal>
  rewatched(asking: Asking, query: MovieQuery): Promise<Figure<{ readonly items: readonly Rewatched[] }> | Refusal>
  year(asking: Asking, query: YearQuery): Promise<Figure<Year> | Refusal>
}

export interface TasteDependencies extends DimensionDependencies {
  readonly readModels: Pick<ReadModels, 'movies' | 'viewings' | 'credits'>
  readonly figures: Figures
}

/** Positions are stored in hundredths. */
const PARTS = 20
const PART_WIDTH = 100 / PARTS
/** A film that was stopped at its very end counts in the last part. */
const LAST_PART = PARTS - 1
const MORNING_MINUTES = 6 * 60
const TOP = 5
/** Most documents that a store reads at once. */
const AT_ONCE = 1_000
/** Leading roles only; a film may list hundreds of people. */
const CAST_MAX = 10

export function createTaste(deps: TasteDependencies): Taste {
  return {
    asOf({ readModels: past, atMs }) {
      const settled = createPastViewings(past.viewings, idleAsOf(atMs))
      return createTaste({ ...deps, readModels: { ...past, credits: deps.readModels.credits }, settled })
    },

    finish: (asking, { limit, ...query }) =>
      deps.figures.answer(asking, query, async (where, range) => {
        const played: readonly Filter[] = [...where, ...begunWithin(isoOf(range)), { field: 'source', op: 'eq', value: 'playback' }]
        const begun = await deps.settled.sum({ where: played, by: ['movieId', 'userId', 'completed'], of: WATCHED })
        const movies = [...Map.groupBy(begun, ({ keys }) => String(keys[0]))].toSorted(
          ([a, x], [b, y]) => total(y) - total(x) || (a < b ? -1 : 1),
        )
        const chosen = movies.slice(0, limit)
        const ids = chosen.map(([id]) => id)
        const left =
          ids.length === 0
            ? []
            : await deps.settled.sum({ where: [...played, ...leftEarly(ids)], by: ['movieId'], bucket: PARTS_OF_FILM, of: WATCHED })
        const labels = await labelsOf(deps, 'movie', ids)
        return {
          items: chosen.map(([key, groups]) => ({ key, label: labels.get(key) ?? null, ...finished(groups), left: partsOf(left, key) })),
        }
      }),

    rewatched: (asking, { limit, ...query }) =>
      deps.figures.answer(asking, query, async (where, range) => {
        const ended: readonly Filter[] = [...where, ...begunWithin(isoOf(range)), { field: 'completed', op: 'eq', value: true }]
        const groups = await deps.settled.sum({ where: ended, by: ['movieId', 'userId'], of: WATCHED })
        const movies = [...Map.groupBy(groups, ({ keys }) => String(keys[0]))]
          .map(([key, all]) => ({ key, ...moreThanOnce(all) }))
          .filter(({ users }) => users > 0)
          .toSorted((a, b) => b.times - a.times || (a.key < b.key ? -1 : 1))
        const chosen = movies.slice(0, limit)
        const labels = await labelsOf(
          deps,
          'movie',
          chosen.map(({ key }) => key),
        )
        return { items: chosen.map((one) => ({ ...one, label: labels.get(one.key) ?? null })) }
      }),

    year: (asking, query) => deps.figures.ofYear(asking, query, (where, range) => yearOf(deps, where, range)),
  }
}

const PARTS_OF_FILM = { field: 'endPercent', offset: 0, width: PART_WIDTH }

/** Finished viewings only: one in progress has not stopped anywhere. */
const leftEarly = (ids: readonly string[]): readonly Filter[] => [
  { field: 'movieId', op: 'in', values: ids },
  { field: 'completed', op: 'eq', value: false },
  OVER,
]

const total = (groups: readonly Sum[]): number => groups.reduce((sum, { count }) => sum + count, 0)
const usersIn = (groups: readonly Sum[]): number => new Set(groups.map(({ keys }) => keys[1])).size

function moreThanOnce(groups: readonly Sum[]) {
  const times = [...Map.groupBy(groups, ({ keys }) => keys[1]).values()].map(total).filter((count) => count > 1)
  return { users: times.length, times: times.reduce((sum, count) => sum + count, 0) }
}

const finished = (groups: readonly Sum[]) => ({
  plays: total(groups),
  users: usersIn(groups),
  finishedBy: usersIn(groups.filter(({ keys }) => keys[2] === true)),
})

function partsOf(sums: readonly Sum[], movieId: string): readonly number[] {
  const parts = Array.from({ length: PARTS }, () => 0)
  for (const { bucket, keys, count } of sums) {
    if (keys[0] !== movieId || bucket === null) continue
    const part = Math.min(bucket, LAST_PART)
    parts[part] = (parts[part] ?? 0) + count
  }
  return parts
}

async function yearOf(deps: TasteDependencies, where: readonly Filter[], range: Range): Promise<Year> {
  const { settled } = deps
  const within = [...where, ...begunWithin(isoOf(range))]
  const groups = await settled.sum({ where: within, by: ['userId', 'movieId', 'completed'], of: WATCHED })
  const all = createMeasures<null>()
  for (const { keys, count, sum } of groups) all.add(null, { count, sum, userId: String(keys[0]) })
  const movies = createMeasures<string>()
  for (const { keys, count, sum } of groups) movies.add(String(keys[1]), { count, sum, userId: String(keys[0]) })
  const { items } = await createViewingSums(deps).rank(within, { by: 'movie', metric: 'seconds', limit: TOP })
  return {
    ...all.of(null),
    movies: new Set(groups.map(({ keys }) => keys[1])).size,
    completed: total(groups.filter(({ keys }) => keys[2] === true)),
    longestEvening: await longestEvening(deps, where, range),
    busiestHour: await busiestHour(deps, where, range),
    first: await seen(deps, within, 'asc'),
    last: await seen(deps, within, 'desc'),
    topMovies: items.map((item) => ({ ...item, key: String(item.key) })),
    ...(await namesIn(deps, new Map(movies.all()))),
  }
}

/** A film that starts after midnight belongs to the evening before: at the beginning of the range, to the part of it in the range. */
async function longestEvening({ settled }: TasteDependencies, where: readonly Filter[], range: Range) {
  const evenings = createMeasures<string>()
  for (const stretch of range.stretches) {
    const begun = begunWithin(isoOf({ fromMs: stretch.fromMinute * 60_000, toMs: stretch.toMinute * 60_000 }))
    const bucket = { field: 'startedMinute', ...minuteBuckets('day', { offset: stretch.offset - MORNING_MINUTES }) }
    const sums = await settled.sum({ where: [...where, ...begun], bucket, of: WATCHED })
    for (const { bucket: place, count, sum } of sums) evenings.add(keyOf('day', place ?? 0), { count, sum, userId: '' })
  }
  const [longest] = [...evenings.all()].toSorted(([a, x], [b, y]) => y.watchedMs - x.watchedMs || (a < b ? -1 : 1))
  if (!longest || longest[1].watchedMs === 0) return null
  const [date, { watchedMs }] = longest
  const firstDay = bucketsOf('day', range.stretches)[0]?.key ?? date
  return { date: date < firstDay ? firstDay : date, watchedMs }
}

async function busiestHour(deps: TasteDependencies, where: readonly Filter[], range: Range): Promise<number | null> {
  const sums = await createViewingSums(deps).inBuckets(where, range, { groupBy: 'hourOfDay', metric: 'plays' })
  const counts = sums.column(() => true)
  const hours = bucketsOf('hourOfDay', range.stretches).map(({ key }) => counts.of(key).plays)
  const most = Math.max(...hours)
  return most === 0 ? null : hours.indexOf(most)
}

async function seen(deps: TasteDependencies, where: readonly Filter[], direction: 'asc' | 'desc'): Promise<Seen | null> {
  const { items } = await deps.readModels.viewings.find({ where, sort: { field: 'startedAt', direction }, limit: 1 })
  const [viewing] = items
  if (!viewing) return null
  const labels = await labelsOf(deps, 'movie', [viewing.movieId])
  return { key: viewing.movieId, label: labels.get(viewing.movieId) ?? null, startedAt: viewing.startedAt }
}

async function namesIn({ readModels }: TasteDependencies, measures: ReadonlyMap<string, Measure>) {
  const genres = new Map<string, Named>()
  const people = new Map<string, Named>()
  const ids = [...measures.keys()]
  for (let first = 0; first < ids.length; first += AT_ONCE) {
    const some = ids.slice(first, first + AT_ONCE)
    for (const movie of await readModels.movies.getMany(some)) {
      for (const genre of movie.card.genres) addTo(genres, genre, measures.get(movie.id))
    }
    for (const found of await readModels.credits.getMany(some)) {
      for (const { name } of creditsOf(found).cast.slice(0, CAST_MAX)) addTo(people, name, measures.get(found.id))
    }
  }
  return { genres: most(genres), people: most(people) }
}

function addTo(named: Map<string, Named>, name: string, measure: Measure | undefined): void {
  if (!measure) return
  const { plays = 0, watchedMs = 0 } = named.get(name) ?? {}
  named.set(name, { name, plays: plays + measure.plays, watchedMs: watchedMs + measure.watchedMs })
}

const most = (named: ReadonlyMap<string, Named>): readonly Named[] =>
  [...named.values()].toSorted((a, b) => b.watchedMs - a.watchedMs || b.plays - a.plays || (a.name < b.name ? -1 : 1)).slice(0, TOP)
