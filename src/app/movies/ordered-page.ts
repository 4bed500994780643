/** Reads a page of a filtered list by its order (list-orders.ts), and collects such an order. */
import type { Json } from '../../events/envelope.ts'
import type { LibraryId } from '../../vocabulary/id.ts'
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { ListPage, PageRequest } from '../read-models/page.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import type { ListOrder } from './list-orders.ts'
import { listPlaces, startOf } from './list-places.ts'
import { factsOf } from './card-facts.ts'
import { INDEXED, moviesByIds, type ListedMovie, type MovieForUser } from './list-sources.ts'
import type { ListViewer } from './movie-list.ts'
import { filtersOf, ownTestOf, type MovieQuery } from './movie-query.ts'
import { ownMembership } from './own-marks.ts'

/** Members of a query that bound no list, or that an index serves. Libraries are those of the viewer. */
const WITHOUT_FILTER: ReadonlySet<string> = new Set<keyof MovieQuery>(['sort', 'order', 'seed', 'libraryIds', 'availability'])

/**
 * Why pages of the list are cheaper by its order: its filters leave out movies, or only the viewer's libraries do. Undefined: they are not,
 * or cannot be read so. Of the films that somebody has not watched, nearly all follow each other in the index.
 */
export function orderReason(query: MovieQuery, isOfSomeLibraries: boolean): 'filters' | 'libraries' | undefined {
  if (INDEXED[query.sort] === undefined || query.ids !== undefined) return undefined
  if (Object.entries(query).some(([name, value]) => !WITHOUT_FILTER.has(name) && value !== false)) return 'filters'
  return isOfSomeLibraries ? 'libraries' : undefined
}

/** The ids of all movies of the list, in order. */
export async function* orderedIds(
  readModels: ReadModels,
  { userId, libraryIds }: ListViewer,
  query: MovieQuery,
): AsyncIterable<readonly string[]> {
  const own = await ownMembership(readModels, userId, query)
  const where = filtersOf(query, libraryIds)
  const order = { userId, where, order: query.order, seed: 0, ...omitUndefined({ among: own.among }) }
  for await (const places of listPlaces(readModels, query.sort, order)) {
    yield places.flatMap(({ id }) => (own.fits(id) ? [id] : []))
  }
}

interface Ordered {
  readonly order: ListOrder
  readonly query: MovieQuery
  readonly page: PageRequest
}

/**
 * Undefined: something has changed since the order was made, so that the page has to be looked for. The caller checks that no movie of the
 * list has: its place in the list is not checked here.
 */
export async function orderedPage(
  readModels: ReadModels,
  { userId, libraryIds }: ListViewer,
  { order, query, page: { after, limit } }: Ordered,
): Promise<ListPage<MovieForUser> | undefined> {
  const start = after && startOf(after)
  // A page after a movie reads that movie, too: the cursor may hold an older sort value of it.
  const first = start ? order.indexOf(start.id) : 0
  const from = start?.isBefore ? first + 1 : first
  const ids = first < 0 ? [] : order.ids(first, from + limit)
  if (start && ids.length === 0) return undefined
  const movies = new Map((await moviesByIds(readModels, userId, ids)).map((found) => [String(found.movie.id), found]))
  const found = ids.flatMap((id) => movies.get(id) ?? [])
  const test = ownTestOf(query) ?? (() => true)
  // Permissions are checked again, not only by the tag of the order.
  const isSame = found.length === ids.length && found.every(({ movie, own }) => isShown(movie, query, libraryIds) && test(own))
  if (!isSame || (after && start && (await sortValueOf(readModels, query, start.id)) !== after.value)) return undefined
  const items = found.slice(from - first)
  const last = items.at(-1)?.movie.id
  const isMore = last !== undefined && from + items.length < order.total
  return { items, next: isMore ? { value: await sortValueOf(readModels, query, last), id: last } : null }
}

function isShown(movie: ListedMovie, { availability = 'available' }: MovieQuery, libraryIds: readonly LibraryId[]): boolean {
  const { libraryId, isAvailable } = factsOf(movie)
  return libraryIds.includes(libraryId) && (availability === 'all' || isAvailable === (availability === 'available'))
}

async function sortValueOf({ movies }: ReadModels, { sort }: MovieQuery, id: string): Promise<Json> {
  const field = INDEXED[sort]
  return (field && (await movies.getPart(id, [field]))?.[field]) ?? null
}
