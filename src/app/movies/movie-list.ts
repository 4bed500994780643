/** Reads a page of a movie query, and counts all its movies. */
import { setImmediate } from 'node:timers/promises'
import { mapConcurrently } from '../../concurrency/semaphore.ts'
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { LibraryId, MovieId, UserId } from '../../vocabulary/id.ts'
import type { Filter } from '../../ports/read-store.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import { filtersOf, ownTestOf, type MovieQuery } from './movie-query.ts'
import { movieWalk, seedOf, toMoviePoint, type MovieForUser } from './list-sources.ts'
import { fitsMarks, ownMarksOf, ownQueryOf } from './own-marks.ts'
import type { ListPage, PageRequest } from '../read-models/page.ts'
import { SEED_MAX } from './shuffle.ts'
import { walkSources } from './list-pager.ts'

/** The user, and the libraries of the query that they may see. */
export interface ListViewer {
  readonly userId: UserId
  readonly libraryIds: readonly LibraryId[]
}

/** If own-state filters select at most this many movies, all of them are read; else the list is walked in its order. */
const OWN_MAX = 1000

export async function listMovies(
  readModels: ReadModels,
  viewer: ListViewer,
  { after, limit, ...query }: MovieQuery & PageRequest,
): Promise<ListPage<MovieForUser>> {
  const { userId } = viewer
  const test = ownTestOf(query)
  const among = query.ids ?? (test && (await ownMovies(readModels, userId, query)))
  if (among?.length === 0) return { items: [], next: null }
  const seed = query.seed ?? seedOf(after) ?? Math.floor(Math.random() * SEED_MAX)
  const where = filtersOf(query, viewer.libraryIds)
  const walk = movieWalk(readModels, query.sort, { userId, where, order: query.order, seed, ...omitUndefined({ among }) })
  return walkSources({ ...walk, ...(test ? { keep: ({ own }: MovieForUser) => test(own) } : {}) }, { limit, ...omitUndefined({ after }) })
}

/** Number of movies in the query: the matches of its filters, corrected by the documents of the user that change the result. */
export async function countMovies(readModels: ReadModels, { userId, libraryIds }: ListViewer, query: MovieQuery): Promise<number> {
  const where = filtersOf(query, libraryIds)
  const test = ownTestOf(query)
  if (query.ids) return countAmong(readModels, { userId, where, ids: query.ids, test })
  if (!test) return readModels.movies.count(where)
  const marks = await ownMarksOf(readModels, userId, query)
  const isUntouchedIn = test(null)
  const differing = isUntouchedIn ? marks.flatMap(({ ids }) => [...ids]) : [...(marks.find(({ asked }) => asked)?.ids ?? [])]
  const ids = [...new Set(differing)].filter((id) => fitsMarks(marks, id) !== isUntouchedIn)
  const [all, changed] = await Promise.all([isUntouchedIn ? readModels.movies.count(where) : 0, countOf(readModels, where, ids)])
  return isUntouchedIn ? all - changed : changed
}

/** Most ids that a query takes, and how many queries run at once. */
const IDS_MAX = 1000
const COUNTS_AT_ONCE = 4

/** How many of these movies meet the filters. */
async function countOf(readModels: Pick<ReadModels, 'movies'>, where: readonly Filter[], ids: readonly string[]): Promise<number> {
  return (await matching(readModels, where, ids)).size
}

/** The ids among these that have a movie. Reads only keys. */
export const existingMovies = (readModels: Pick<ReadModels, 'movies'>, ids: readonly string[]): Promise<ReadonlySet<string>> =>
  matching(readModels, [], ids)

async function matching({ movies }: Pick<ReadModels, 'movies'>, where: readonly Filter[], ids: readonly string[]) {
  const parts = Array.from({ length: Math.ceil(ids.length / IDS_MAX) }, (_, n) => ids.slice(n * IDS_MAX, (n + 1) * IDS_MAX))
  const found = new Set<string>()
  await mapConcurrently(parts, COUNTS_AT_ONCE, async (among) => {
    // The embedded store answers at once: other requests get their turn in between.
    await setImmediate()
    const { keys } = await movies.keys({ where, among, scan: 1 })
    for (const { id } of keys) found.add(id)
  })
  return found
}

interface Among {
  readonly userId: UserId
  readonly where: readonly Filter[]
  readonly ids: readonly string[]
  readonly test: ReturnType<typeof ownTestOf>
}

async function countAmong(readModels: ReadModels, { userId, where, ids, test }: Among): Promise<number> {
  const { keys } = await readModels.movies.keys({ where, among: ids, scan: 1 })
  if (!test) return keys.length
  const found = keys.map(({ id }) => id as MovieId)
  const own = await readModels.ownOf(userId, found)
  return found.filter((id) => test(own.get(id) ?? null)).length
}

/** The movies that bound the list; undefined if they are too many, or all. */
async function ownMovies({ userMovies }: ReadModels, userId: UserId, query: MovieQuery): Promise<readonly string[] | undefined> {
  const own = ownQueryOf(userId, query)
  const marked = own && (await userMovies.keys({ ...own, scan: OWN_MAX }))
  return marked && !marked.next ? marked.keys.map((key) => toMoviePoint(userId, key).id) : undefined
}
