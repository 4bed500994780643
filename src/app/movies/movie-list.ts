/** Reads a page of a movie query, and counts all its movies. */
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { LibraryId, MovieId, UserId } from '../../vocabulary/id.ts'
import type { UserMovieDocument } from '../../../projections/views/user-movies.ts'
import { continueKey } from '../../../projections/views/user-movies.ts'
import type { Filter, Query } from '../../ports/read-store.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import { filtersOf, ownTestOf, type MovieQuery, type OwnFilters } from './movie-query.ts'
import { movieWalk, seedOf, type MovieForUser } from './list-sources.ts'
import type { ListPage, PagePoint, PageRequest } from '../read-models/page.ts'
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
  const untouchedCount = test(null)
  let differing = 0
  for await (const page of pagesOf(readModels, ownOf(userId))) {
    const ids = page.filter((own) => test(own) !== untouchedCount).map(({ movieId }) => movieId)
    if (ids.length > 0) differing += (await readModels.movies.find({ where, among: ids, only: [], limit: ids.length })).items.length
  }
  return untouchedCount ? (await readModels.movies.count(where)) - differing : differing
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

type OwnQuery = Pick<Query, 'where' | 'sort'>

const isUser = (userId: UserId): Filter => ({ field: 'userId', op: 'eq', value: userId })

/** All documents of a user. */
const ownOf = (userId: UserId): OwnQuery => ({ where: [isUser(userId)], sort: { field: 'playCount', direction: 'asc' } })

/** Query for the documents of a user that one of the filters selects; undefined without such a filter. */
export function ownQueryOf(userId: UserId, { watched, inProgress, watchlist }: OwnFilters): OwnQuery | undefined {
  if (inProgress) {
    const field = 'continueKey'
    return { where: [{ field, op: 'prefix', value: continueKey(userId, '') }], sort: { field, direction: 'desc' } }
  }
  if (watchlist) {
    const field = 'watchlistAt'
    return { where: [isUser(userId), { field, op: 'gte', value: '' }], sort: { field, direction: 'desc' } }
  }
  return watched ? { where: [isUser(userId), { field: 'watched', op: 'eq', value: true }] } : undefined
}

/** The movies that bound the list; undefined if they are too many, or all. */
async function ownMovies({ userMovies }: ReadModels, userId: UserId, query: MovieQuery): Promise<readonly MovieId[] | undefined> {
  const own = ownQueryOf(userId, query)
  const page = own && (await userMovies.find({ ...own, only: ['movieId'], limit: OWN_MAX }))
  return page && !page.next ? page.items.map(({ movieId }) => movieId) : undefined
}

async function* pagesOf({ userMovies }: ReadModels, query: OwnQuery): AsyncIterable<readonly UserMovieDocument[]> {
  let after: PagePoint | null | undefined
  do {
    const page: ListPage<UserMovieDocument> = await userMovies.find({
      ...query,
      limit: OWN_MAX,
      ...omitUndefined({ after: after ?? undefined }),
    })
    yield page.items
    after = page.next
  } while (after)
}
