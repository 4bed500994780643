/** One import of history: items without a film wait for it, until the import is undone. */
import type { ImportId, UserId, ViewingId } from '../../vocabulary/id.ts'
import type { WaitingItem } from '../../events/history-events.ts'
import type { Decider, Decision } from '../decider.ts'
import { refuse } from '../refusal.ts'

export interface ImportState {
  readonly userId: UserId | null
  readonly source: string | null
  readonly undone: boolean
  /** Items that were kept and not dropped; some of them may have been imported since. */
  readonly kept: ReadonlySet<ViewingId>
}

interface Import {
  readonly userId: UserId
  readonly importId: ImportId
}

export const NO_SUCH_IMPORT = refuse('not-found', 'There is no such import')

export const historyImport: Decider<ImportState> = {
  initial: { userId: null, source: null, undone: false, kept: new Set() },
  evolve: (state, event) => {
    switch (event.type) {
      case 'HistoryImportStarted':
        return { ...state, userId: event.data.userId, source: event.data.source }
      case 'ImportItemsKept':
        return { ...state, kept: new Set([...state.kept, ...event.data.items.map(({ viewingId }) => viewingId)]) }
      case 'ImportItemsDropped':
        return { ...state, kept: without(state.kept, event.data.viewingIds) }
      case 'HistoryImportUndone':
        return { ...state, undone: true }
      default:
        return state
    }
  },
}

/** A further page of a started import continues it. */
export const startImport =
  (data: Import & { readonly source: string }) =>
  ({ userId, source, undone }: ImportState): Decision => {
    if (userId === null) return [{ type: 'HistoryImportStarted', data }]
    if (userId !== data.userId) return NO_SUCH_IMPORT
    if (undone) return refuse('conflict', 'This import was undone: start another one, without `importId`')
    return source === data.source ? [] : refuse('invalid', `This import is from ${source}`, { path: 'source' })
  }

/** Most items in one event. */
export const ITEMS_AN_EVENT = 500

/** At most `ITEMS_AN_EVENT` items; those that the import has kept before are left out. */
export const keepItems =
  (data: Import, items: readonly WaitingItem[]) =>
  ({ undone, kept }: ImportState): Decision => {
    const fresh = items.filter(({ viewingId }) => !kept.has(viewingId))
    return undone || fresh.length === 0 ? [] : [{ type: 'ImportItemsKept', data: { ...data, items: fresh } }]
  }

/** At most `ITEMS_AN_EVENT` items; those that do not wait are left out. */
export const dropItems =
  (data: Import, viewingIds: readonly ViewingId[]) =>
  ({ kept }: ImportState): Decision => {
    const waiting = viewingIds.filter((id) => kept.has(id))
    return waiting.length === 0 ? [] : [{ type: 'ImportItemsDropped', data: { ...data, viewingIds: waiting } }]
  }

export const undoHistoryImport =
  (data: Import) =>
  ({ userId, undone }: ImportState): Decision => {
    if (userId !== data.userId) return NO_SUCH_IMPORT
    return undone ? [] : [{ type: 'HistoryImportUndone', data }]
  }

function without(kept: ReadonlySet<ViewingId>, dropped: readonly ViewingId[]): ReadonlySet<ViewingId> {
  const gone = new Set(dropped)
  return new Set([...kept].filter((id) => !gone.has(id)))
}
