/** What follows for items of imports that wait: a film came, is called otherwise now, or is seen by more users. */
import type { RecordedEvent } from '../../events/recorded.ts'
import type { MovieId, UserId } from '../../vocabulary/id.ts'
import type { WaitingItemDocument } from '../../../projections/views/waiting-items.ts'
import type { Filter } from '../../ports/read-store.ts'
import type { Access } from '../access/access.ts'
import type { Author } from '../commands/command-handler.ts'
import type { ReadYourWrites } from '../consistency/read-your-writes.ts'
import type { PagePoint } from '../read-models/page.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import type { HistoryImports } from './history-imports.ts'

export interface WaitingDependencies {
  readonly access: Pick<Access, 'users'>
  readonly documents: Pick<ReadModels, 'movies' | 'waitingItems'>
  readonly historyImports: Pick<HistoryImports, 'retry' | 'finishUndo'>
  readonly readYourWrites: Pick<ReadYourWrites, 'waitFor'>
}

const PAGE = 500
/** Keys of a movie that items wait under. */
const FILM_KEY = /^(?:tmdb|imdb|title):/

/** Of a film that is there, or is called so, from this event on. True when items waited for it. */
export async function retryWaiting(deps: WaitingDependencies, event: RecordedEvent, movieId: MovieId): Promise<boolean> {
  const { documents, readYourWrites } = deps
  // What waits is in the view: whoever reacts has waited for the view when it came.
  if ((await documents.waitingItems.find({ limit: 1 })).items.length === 0) return false
  await readYourWrites.waitFor(event.position)
  const movie = await documents.movies.get(movieId)
  const values = movie?.factKeys.filter((key) => FILM_KEY.test(key)) ?? []
  return values.length > 0 && retryAll(deps, event, { field: 'keys', op: 'has', values })
}

/** All that a user waits for. */
export async function retryWaitingOf(deps: WaitingDependencies, event: RecordedEvent, userId: UserId): Promise<boolean> {
  await deps.readYourWrites.waitFor(event.position)
  return retryAll(deps, event, { field: 'userId', op: 'eq', value: userId })
}

export async function finishImportUndo(
  { historyImports, readYourWrites }: WaitingDependencies,
  event: RecordedEvent<'HistoryImportUndone'>,
) {
  await readYourWrites.waitFor(event.position)
  await historyImports.finishUndo(event.data.userId, event.data.importId, authorOf(event, 'undoHistoryImport'))
}

async function retryAll({ access, documents, historyImports }: WaitingDependencies, event: RecordedEvent, where: Filter): Promise<boolean> {
  let found = false
  for (let after: PagePoint | null | undefined; after !== null;) {
    const page = await documents.waitingItems.find({ where: [where], limit: PAGE, ...(after ? { after } : {}) })
    for (const [userId, items] of byUser(page.items)) {
      const user = access.users.get(userId)
      found = true
      if (user?.enabled) await historyImports.retry({ ...user, userId: user.id }, items, authorOf(event, 'importWaitingItem'))
    }
    after = page.next
  }
  return found
}

const byUser = (items: readonly WaitingItemDocument[]): ReadonlyMap<UserId, readonly WaitingItemDocument[]> =>
  Map.groupBy(items, ({ userId }) => userId)

const authorOf = ({ id, metadata: { actor } }: RecordedEvent, command: string): Author => ({ actor, command, causation: id })
