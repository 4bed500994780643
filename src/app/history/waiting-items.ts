/**
 * Retries waiting items of imports when a film arrives, is renamed, or becomes visible to more users, when their user is enabled, and once
 * when they were kept. Each event makes only those items be matched again that it may have given a film.
 */
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { RecordedEvent } from '../../events/recorded.ts'
import type { LibraryId, MovieId, UserId } from '../../vocabulary/id.ts'
import type { WaitingItemDocument } from '../../../projections/views/waiting-items.ts'
import { sees } from '../../domain/access/visibility.ts'
import type { Filter } from '../../ports/read-store.ts'
import type { Access } from '../access/access.ts'
import type { Author } from '../commands/command-handler.ts'
import type { ReadYourWrites } from '../consistency/read-your-writes.ts'
import type { PagePoint } from '../read-models/page.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import type { HistoryImports } from './history-imports.ts'

export interface WaitingDependencies {
  readonly access: Pick<Access, 'users'>
  readonly readModels: Pick<ReadModels, 'movies' | 'waitingItems'>
  readonly historyImports: Pick<HistoryImports, 'retry' | 'finishUndo'>
  readonly readYourWrites: Pick<ReadYourWrites, 'waitFor'>
}

const PAGE = 500
/** Keys of a movie that items can wait for. */
const FILM_KEY = /^(?:tmdb|imdb|title):/

/** For a film that this event has added or renamed. True if items waited for it. */
export async function retryWaiting(deps: WaitingDependencies, event: RecordedEvent, movieId: MovieId): Promise<boolean> {
  const { readModels, readYourWrites } = deps
  // The reactors have waited for the view when an item was kept, so every waiting item is in it.
  if ((await readModels.waitingItems.find({ limit: 1 })).items.length === 0) return false
  await readYourWrites.waitFor(event.position)
  const movie = await readModels.movies.get(movieId)
  const values = movie?.factKeys.filter((key) => FILM_KEY.test(key)) ?? []
  return values.length > 0 && retryAll(deps, event, { field: 'keys', op: 'has', values })
}

/** For items that were just kept: their film may have arrived while the import searched for it. */
export async function retryKept(deps: WaitingDependencies, event: RecordedEvent<'ImportItemsKept'>): Promise<boolean> {
  await deps.readYourWrites.waitFor(event.position)
  const waiting = await deps.readModels.waitingItems.getMany(event.data.items.map(({ viewingId }) => viewingId))
  return retryItems(deps, event, waiting)
}

/** For a user who may see other films now, or is enabled again: retries everything that they wait for. */
export async function retryWaitingOf(deps: WaitingDependencies, event: RecordedEvent, userId: UserId): Promise<boolean> {
  await deps.readYourWrites.waitFor(event.position)
  return retryAll(deps, event, { field: 'userId', op: 'eq', value: userId })
}

/** For a library whose films are there again: retries everything that its users wait for. */
export async function retryWaitingIn(deps: WaitingDependencies, event: RecordedEvent, libraryId: LibraryId): Promise<boolean> {
  let found = false
  for (const user of deps.access.users.values()) {
    if (sees(user, libraryId)) found = (await retryWaitingOf(deps, event, user.id)) || found
  }
  return found
}

export async function finishImportUndo(
  { historyImports, readYourWrites }: WaitingDependencies,
  event: RecordedEvent<'HistoryImportUndone'>,
) {
  await readYourWrites.waitFor(event.position)
  await historyImports.finishUndo(event.data.userId, event.data.importId, authorOf(event, 'undoHistoryImport'))
}

async function retryAll(deps: WaitingDependencies, event: RecordedEvent, where: Filter): Promise<boolean> {
  let found = false
  for (let after: PagePoint | null | undefined; after !== null;) {
    const page = await deps.readModels.waitingItems.find({ where: [where], limit: PAGE, ...omitUndefined({ after }) })
    found = (await retryItems(deps, event, page.items)) || found
    after = page.next
  }
  return found
}

/** False if there are none. */
async function retryItems(
  { access, historyImports }: WaitingDependencies,
  event: RecordedEvent,
  waiting: readonly WaitingItemDocument[],
): Promise<boolean> {
  for (const [userId, items] of byUser(waiting)) {
    const user = access.users.get(userId)
    if (user?.enabled) await historyImports.retry({ ...user, userId: user.id }, items, authorOf(event, 'importWaitingItem'))
  }
  return waiting.length > 0
}

const byUser = (items: readonly WaitingItemDocument[]): ReadonlyMap<UserId, readonly WaitingItemDocument[]> =>
  Map.groupBy(items, ({ userId }) => userId)

const authorOf = ({ id, metadata: { actor } }: RecordedEvent, command: string): Author => ({ actor, command, causation: id })
