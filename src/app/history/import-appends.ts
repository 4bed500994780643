/** Stores what imports bring, keep and drop. A page may be more than the log takes in one append, so it is stored in parts. */
import type { WaitingItem } from '../../events/history-events.ts'
import { START, type Position } from '../../events/position.ts'
import { importStream, watchedStream } from '../../events/streams.ts'
import type { ImportId, MovieId, UserId, ViewingId } from '../../vocabulary/id.ts'
import { dropItems, historyImport, ITEMS_AN_EVENT, keepItems, type ImportState } from '../../domain/history/history-import.ts'
import { importWatches, type ImportableWatch } from '../../domain/movies/imported-watches.ts'
import { watched } from '../../domain/movies/user-movie.ts'
import { isRefusal, type Refusal } from '../../domain/refusal.ts'
import { executeInParts, type PartwiseCommand, type PartwiseDependencies } from '../commands/append-parts.ts'
import type { Author } from '../commands/command-handler.ts'

export interface ImportOf {
  readonly userId: UserId
  readonly importId: ImportId
}

/** Most viewings of one movie in one append. Deciding on them takes time in proportion to all imported ones: others get their turn after it. */
const WATCHES_AN_APPEND = 50

export const importTarget = (importId: ImportId) => ({ stream: importStream(importId), decider: historyImport })

/** Imports viewings of one movie by one user. `viewingIds` are those that were not imported before. */
export async function storeWatches(
  deps: PartwiseDependencies,
  movieId: MovieId,
  watches: readonly ImportableWatch[],
  author: Author,
): Promise<{ readonly position: Position; readonly viewingIds: ReadonlySet<ViewingId> }> {
  const userId = watches[0]?.watch.userId
  if (!userId) return { position: START, viewingIds: new Set() }
  const target = { stream: watchedStream(userId, movieId), decider: watched }
  const command = { target, items: watches, itemsMax: WATCHES_AN_APPEND, decide: importWatches, author }
  const done = await executeInParts(deps, command)
  if (isRefusal(done)) throw new Error(`An import was refused: ${done.message}`)
  const brought = done.events.flatMap((event) => (event.type === 'WatchImported' ? [event.data.viewingId] : []))
  return { position: done.position, viewingIds: new Set(brought) }
}

/** Lets the items wait for their movies. Returns the position of the last event. */
export const storeKept = (deps: PartwiseDependencies, of: ImportOf, items: readonly WaitingItem[], author: Author) =>
  store(deps, of, { items, decide: (part: readonly WaitingItem[]) => keepItems(of, part), author })

/** The items wait no longer. Returns the position of the last event. */
export const storeDropped = (deps: PartwiseDependencies, of: ImportOf, items: readonly ViewingId[], author: Author) =>
  store(deps, of, { items, decide: (part: readonly ViewingId[]) => dropItems(of, part), author })

async function store<Item>(
  deps: PartwiseDependencies,
  { importId }: ImportOf,
  command: Pick<PartwiseCommand<ImportState, Item>, 'items' | 'decide' | 'author'>,
): Promise<Position | Refusal> {
  const done = await executeInParts(deps, { target: importTarget(importId), itemsMax: ITEMS_AN_EVENT, ...command })
  return isRefusal(done) ? done : done.position
}
