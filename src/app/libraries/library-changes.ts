/** Lists which movies a library gained, lost and changed between two times. */
import { setImmediate } from 'node:timers/promises'
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { LibraryId, MovieId } from '../../vocabulary/id.ts'
import { monthOf, type MovieChange, type MovieChangesDocument } from '../../../projections/views/movie-changes.ts'
import { existingMovies } from '../movies/movie-list.ts'
import { NO_SUCH_LIBRARY } from '../../domain/libraries/refusals.ts'
import type { Refusal } from '../../domain/refusal.ts'
import type { Filter, Key, Query } from '../../ports/read-store.ts'
import type { Access } from '../access/access.ts'
import type { Caller } from '../access/caller.ts'
import { totalOf, type ListPage, type PageRequest } from '../read-models/page.ts'
import type { ReadModels } from '../read-models/read-models.ts'

/** `came`: absent before, present at the end. `went`: the reverse. `changed`: everything else. */
export type Net = 'came' | 'went' | 'changed'

export interface ChangedMovie {
  readonly id: MovieId
  readonly title: string
  readonly year: number | null
  readonly net: Net
  /** Within the range, oldest first. */
  readonly changes: readonly Pick<MovieChange, 'at' | 'kind'>[]
}

/** RFC 3339 UTC with milliseconds: `from` inclusive, `to` exclusive. */
export interface ChangeRange {
  readonly from: string
  readonly to: string
}

export interface LibraryChanges {
  /** The movie with the latest change comes first. A page before the last one may be short or even empty. */
  between(caller: Caller, id: string, range: ChangeRange, page: PageRequest): Promise<ListPage<ChangedMovie> | Refusal>
}

export function createLibraryChanges({ access, readModels }: { readonly access: Access; readonly readModels: ReadModels }): LibraryChanges {
  return {
    async between(caller, id, range, page) {
      const library = access.library(caller, id)
      if (!library) return NO_SUCH_LIBRARY
      const { items, next } = await changedWithin(readModels, { libraryId: library.id, range, page })
      const movies = new Map((await readModels.movies.getMany(items.map((item) => item.id))).map((movie) => [movie.id, movie.details]))
      const total = await totalOf(page, () => countChanged(readModels, { libraryId: library.id, range }))
      return { items: items.flatMap((item) => changedMovie(item, movies.get(item.id), range) ?? []), next, ...total }
    },
  }
}

interface Asked {
  readonly libraryId: LibraryId
  readonly range: ChangeRange
  readonly page: PageRequest
}

const changedWithin = ({ movieChanges }: ReadModels, { page: { after, limit }, ...asked }: Asked) =>
  movieChanges.find({ ...queryOf(asked), limit, ...omitUndefined({ after }) })

const queryOf = ({ libraryId, range }: Omit<Asked, 'page'>): Pick<Query, 'where' | 'sort'> => ({
  where: [{ field: 'libraryId', op: 'eq', value: libraryId }, { field: 'changedAt', op: 'gte', value: range.from }, ...inMonths(range)],
  sort: { field: 'changedAt', direction: 'desc' },
})

/** Documents of the index per step, and documents read at once. */
const STEP = 10_000
const READ_AT_ONCE = 500

/** The last change of most movies is known from the index; only the documents of those that changed after the range are read. */
async function countChanged(readModels: ReadModels, asked: Omit<Asked, 'page'>): Promise<number> {
  let count = 0
  for (let after: Key | null | undefined; after !== null;) {
    const { keys, next } = await readModels.movieChanges.keys({ ...queryOf(asked), scan: STEP, ...omitUndefined({ after }) })
    const isLater = ({ value }: Key): boolean => typeof value === 'string' && value >= asked.range.to
    const within = keys.filter((key) => !isLater(key)).map(({ id }) => id)
    const changed = [...within, ...(await changedBefore(readModels, keys.filter(isLater), asked.range))]
    count += (await existingMovies(readModels, changed)).size
    after = next
  }
  return count
}

/** Ids of the movies that changed after the range and within it. */
async function changedBefore({ movieChanges }: ReadModels, later: readonly Key[], range: ChangeRange): Promise<readonly string[]> {
  const found: string[] = []
  for (let n = 0; n < later.length; n += READ_AT_ONCE) {
    // The embedded store answers at once: other requests get their turn in between.
    await setImmediate()
    const documents = await movieChanges.getMany(later.slice(n, n + READ_AT_ONCE).map(({ id }) => id))
    found.push(...documents.filter(({ changes }) => changes.some(isWithin(range))).map(({ id }) => id))
  }
  return found
}

const isWithin =
  ({ from, to }: ChangeRange) =>
  ({ at }: Pick<MovieChange, 'at'>): boolean =>
    at >= from && at < to

/** Most months that are looked up one by one. A longer range reads everything since its start. */
const MONTHS_MAX = 36

function inMonths({ from, to }: ChangeRange): readonly Filter[] {
  const [first, last] = [new Date(from), new Date(to)]
  const count = (last.getUTCFullYear() - first.getUTCFullYear()) * 12 + last.getUTCMonth() - first.getUTCMonth() + 1
  if (!(count <= MONTHS_MAX)) return []
  const values = Array.from({ length: count }, (_, n) =>
    monthOf(new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + n)).toISOString()),
  )
  return [{ field: 'months', op: 'has', values }]
}

function changedMovie(
  { id, changes }: MovieChangesDocument,
  named: { readonly title: string; readonly year: number | null } | undefined,
  range: ChangeRange,
): ChangedMovie | undefined {
  const within = changes.filter(isWithin(range))
  if (!named || within.length === 0) return undefined
  const before = changes.findLast(({ at }) => at < range.from)?.there ?? false
  const after = within.at(-1)?.there ?? before
  const net = before === after ? 'changed' : after ? 'came' : 'went'
  return { id, title: named.title, year: named.year, net, changes: within.map(({ at, kind }) => ({ at, kind })) }
}
