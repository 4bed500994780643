/**
 * Lists the place of every movie in a list, in the order of its pages. Reads only indexes, part by part, so that a pass over a large
 * catalogue is cheap and lets other requests through.
 */
import { setImmediate } from 'node:timers/promises'
import type { KeyQuery } from '../../ports/read-store.ts'
import type { Collection, ReadModels } from '../read-models/read-models.ts'
import type { PagePoint } from '../read-models/page.ts'
import type { MovieSort } from './movie-query.ts'
import {
  amongOf,
  blockQuery,
  INDEXED,
  othersFirst,
  playedQuery,
  shuffledPoint,
  toMoviePoint,
  type MovieOrder,
  type PlayedField,
} from './list-sources.ts'
import { shuffledBlocks } from './shuffle.ts'

/** Documents per query: about 10 ms in the embedded store, which serves no other request meanwhile. */
const PART = 4_000

type Places = AsyncIterable<readonly PagePoint[]>

/** Returned in parts. Each place has the id of its movie. */
export function listPlaces(readModels: ReadModels, sort: MovieSort, { seed, ...order }: MovieOrder & { readonly seed: number }): Places {
  const field = INDEXED[sort]
  if (field) return placesOf(readModels.movies, { where: order.where, sort: { field, direction: order.order }, ...amongOf(order) })
  return sort === 'random'
    ? shuffledPlaces(readModels, order, seed)
    : playedPlaces(readModels, order, sort === 'playCount' ? sort : 'lastPlayedAt')
}

/**
 * The point after which a page starts with the movie at the place, whichever item precedes it. No other id fits in between, because all ids
 * have the same length.
 */
export function pointBefore({ value, id }: PagePoint): PagePoint {
  const last = id.length - 1
  return { value, id: `${id.slice(0, last)}${String.fromCharCode(id.charCodeAt(last) - 1)}${BETWEEN}` }
}

/** Where a page after the point starts: at this movie (`pointBefore`), or after it (`isBefore`). */
export function startOf({ id }: PagePoint): { readonly id: string; readonly isBefore: boolean } {
  const last = id.length - 2
  if (!id.endsWith(BETWEEN)) return { id, isBefore: true }
  return { id: `${id.slice(0, last)}${String.fromCharCode(id.charCodeAt(last) + 1)}`, isBefore: false }
}

/** After all characters of ids. */
const BETWEEN = '~'

/** All keys of a query. */
export async function* placesOf(collection: Pick<Collection<unknown>, 'keys'>, query: Omit<KeyQuery, 'scan' | 'after'>): Places {
  let page = await collection.keys({ ...query, scan: PART })
  yield page.keys
  while (page.next) {
    await setImmediate()
    page = await collection.keys({ ...query, scan: PART, after: page.next })
    yield page.keys
  }
}

async function* shuffledPlaces({ movies }: ReadModels, order: MovieOrder, seed: number): Places {
  for (const [block, bounds] of shuffledBlocks(seed, order.order === 'asc').entries()) {
    for await (const places of placesOf(movies, blockQuery(order, bounds))) yield places.map((place) => shuffledPoint(seed, block, place))
  }
}

async function* playedPlaces({ movies, userMovies }: ReadModels, order: MovieOrder, field: PlayedField): Places {
  const { userId, where } = order
  const listed = await gathered(placesOf(movies, { where, ...amongOf(order) }))
  const known = new Set(listed.map(({ id }) => id))
  const own = await gathered(placesOf(userMovies, playedQuery(order, field)))
  const played = own.map((place) => toMoviePoint(userId, place))
  const isPlayed = new Set(played.map(({ id }) => id))
  const stretches = [played.filter(({ id }) => known.has(id)), listed.filter(({ id }) => !isPlayed.has(id))]
  yield* othersFirst(field, order.order) ? stretches.toReversed() : stretches
}

async function gathered(places: Places): Promise<readonly PagePoint[]> {
  const parts: (readonly PagePoint[])[] = []
  for await (const part of places) parts.push(part)
  return parts.flat()
}
