/** Finds the movies that a user has marked: watched, in progress, or on the watchlist. Reads only indexes. */
import type { UserId } from '../../vocabulary/id.ts'
import { continueKey } from '../../../projections/views/user-movies.ts'
import type { Filter, Query } from '../../ports/read-store.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import { placesOf } from './list-places.ts'
import { toMoviePoint } from './list-sources.ts'
import type { OwnFilters } from './movie-query.ts'

type OwnQuery = Pick<Query, 'where' | 'sort'>

/** Query for the documents of a user that one of the filters selects; undefined without such a filter. */
export function ownQueryOf(userId: UserId, { watched, inProgress, watchlist }: OwnFilters): OwnQuery | undefined {
  const isUser: Filter = { field: 'userId', op: 'eq', value: userId }
  if (inProgress) {
    const field = 'continueKey'
    return { where: [{ field, op: 'prefix', value: continueKey(userId, '') }], sort: { field, direction: 'asc' } }
  }
  if (watchlist) {
    const field = 'watchlistAt'
    return { where: [isUser, { field, op: 'gte', value: '' }], sort: { field, direction: 'asc' } }
  }
  return watched ? { where: [isUser, { field: 'watched', op: 'eq', value: true }] } : undefined
}

/** The movies with one of the marks that a filter asks for, or (`asked` is false) excludes. */
export interface OwnMark {
  readonly asked: boolean
  readonly ids: ReadonlySet<string>
}

const OWN_FILTERS = ['watched', 'inProgress', 'watchlist'] as const satisfies readonly (keyof OwnFilters)[]

export async function ownMarksOf({ userMovies }: ReadModels, userId: UserId, query: OwnFilters): Promise<readonly OwnMark[]> {
  const marks: OwnMark[] = []
  for (const name of OWN_FILTERS) {
    const asked = query[name]
    const marked = ownQueryOf(userId, { [name]: true })
    if (asked === undefined || !marked) continue
    const ids = new Set<string>()
    for await (const places of placesOf(userMovies, marked)) for (const place of places) ids.add(toMoviePoint(userId, place).id)
    marks.push({ asked, ids })
  }
  return marks
}

export const fitsMarks = (marks: readonly OwnMark[], movieId: string): boolean =>
  marks.every(({ asked, ids }) => ids.has(movieId) === asked)

/** Which movies fit the filters on a user's own state. */
export interface OwnMembership {
  fits(movieId: string): boolean
  /** All movies that can fit, if they are few. */
  readonly among: readonly string[] | undefined
}

/** If an own-state filter selects at most this many movies, only they are examined. */
const AMONG_MAX = 1000

export async function ownMembership(readModels: ReadModels, userId: UserId, query: OwnFilters): Promise<OwnMembership> {
  const marks = await ownMarksOf(readModels, userId, query)
  const few = marks.find(({ asked, ids }) => asked && ids.size <= AMONG_MAX)
  return { fits: (id) => fitsMarks(marks, id), among: few && [...few.ids] }
}
