/** Items of an import, with their ids and their movies. */
import { setImmediate } from 'node:timers/promises'
import { derivedId } from '../../events/derived-id.ts'
import type { ImportItem, NoMatch, WaitingItem } from '../../events/history-events.ts'
import type { MovieId, UserId, ViewingId } from '../../vocabulary/id.ts'
import { foldText } from '../../vocabulary/text.ts'
import type { MovieDocument } from '../../../projections/views/movie-document.ts'
import { primaryOf } from '../../../projections/views/movie-query-fields.ts'
import type { Viewer } from '../../domain/access/visibility.ts'
import type { ImportableWatch } from '../../domain/movies/imported-watches.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import type { ImportOf } from './import-appends.ts'
import { moviesOf, type MatchingDependencies } from './import-matching.ts'

/** The user whose history it is, with the movies that they may see. */
export interface Watcher extends Viewer {
  readonly userId: UserId
}

export interface Placed {
  readonly index: number
  readonly item: ImportItem
  readonly viewingId: ViewingId
  readonly movie: MovieDocument | NoMatch
}

const READ_AT_ONCE = 500

/** Assigns an id and a movie to each item. */
export async function place(
  deps: MatchingDependencies,
  watcher: Watcher,
  items: readonly (ImportItem & Partial<WaitingItem>)[],
  source = '',
): Promise<readonly Placed[]> {
  const movies = await moviesOf(deps, watcher, items)
  return items.map((item, index) => {
    const viewingId = item.viewingId ?? viewingIdOf(watcher.userId, source, item)
    return { index, item, viewingId, movie: movies[index] ?? 'not_found' }
  })
}

function viewingIdOf(userId: UserId, source: string, { tmdb, imdb, title, year, watchedAt }: ImportItem): ViewingId {
  const movie = tmdb ?? imdb ?? `${foldText(title ?? '')} ${year ?? ''}`
  return derivedId('viewing', JSON.stringify([userId, source, movie, watchedAt]))
}

export const distinct = (placed: readonly Placed[]): readonly Placed[] => [...new Map(placed.map((one) => [one.viewingId, one])).values()]

/** Leaves out items that are already waiting. */
export async function withoutWaiting(
  { waitingItems }: Pick<ReadModels, 'waitingItems'>,
  placed: readonly Placed[],
): Promise<readonly Placed[]> {
  const ids = placed.flatMap(({ movie, viewingId }) => (typeof movie === 'string' ? [viewingId] : []))
  const waiting = new Set<string>()
  for (let n = 0; n < ids.length; n += READ_AT_ONCE) {
    await setImmediate()
    for (const { id } of await waitingItems.getMany(ids.slice(n, n + READ_AT_ONCE))) waiting.add(id)
  }
  return placed.filter(({ viewingId }) => !waiting.has(viewingId))
}

export function byMovie(placed: readonly Placed[]): ReadonlyMap<MovieDocument, readonly Placed[]> {
  const groups = new Map<MovieId, { readonly movie: MovieDocument; readonly those: Placed[] }>()
  for (const one of placed) {
    if (typeof one.movie === 'string') continue
    const group = groups.get(one.movie.id)
    if (group) group.those.push(one)
    else groups.set(one.movie.id, { movie: one.movie, those: [one] })
  }
  return new Map([...groups.values()].map(({ movie, those }) => [movie, those]))
}

export interface Origin extends ImportOf {
  readonly source: string
}

export function importedOf(
  { userId, source, importId }: Origin,
  { item, viewingId, movie }: Pick<Placed, 'item' | 'viewingId'> & { readonly movie: MovieDocument },
): ImportableWatch {
  const { watchedAt, plays, tally, watchedMs, positionMs } = item
  const { id: movieId, libraryId, details } = movie
  const file = primaryOf(movie.files)
  const durationMs = file?.durationMs ?? 0
  const left = positionMs === null || !file ? null : { fileId: file.id, positionMs: Math.min(positionMs, durationMs), durationMs }
  const named = { userId, movieId, libraryId, title: details.title, year: details.year }
  return { watch: { ...named, importId, source, viewingId, watchedAt, plays, watchedMs, left }, isTally: tally === true }
}
