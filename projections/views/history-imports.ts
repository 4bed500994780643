/** View `history_imports`: one document per import of history, with its user, its source program and its result. */
import type { ImportId, UserId } from '../../src/vocabulary/id.ts'
import { operations, type View } from './view.ts'

export interface HistoryImportDocument {
  readonly id: ImportId
  readonly userId: UserId
  readonly source: string
  readonly startedAt: string
  /** Number of items in the history now. */
  readonly imported: number
  /** Number of items whose film is not in a library yet. */
  readonly waiting: number
  readonly undoneAt: string | null
}

const { put, change } = operations<HistoryImportDocument>()

export const historyImports: View<HistoryImportDocument> = {
  name: 'history_imports',
  version: 1,
  fields: { userId: 'text', startedAt: 'text' },
  indexes: [['userId', 'startedAt']],
  handles: {
    HistoryImportStarted: ({ data: { importId: id, userId, source }, at }) =>
      put(id, { id, userId, source, startedAt: at, imported: 0, waiting: 0, undoneAt: null }),
    WatchImported: ({ data: { importId, waited } }) =>
      change(importId, (one) => ({ ...one, imported: one.imported + 1, waiting: one.waiting - (waited ? 1 : 0) })),
    WatchImportUndone: ({ data }) => change(data.importId, (one) => ({ ...one, imported: one.imported - data.viewingIds.length })),
    ImportItemsKept: ({ data }) => change(data.importId, (one) => ({ ...one, waiting: one.waiting + data.items.length })),
    ImportItemsDropped: ({ data }) => change(data.importId, (one) => ({ ...one, waiting: one.waiting - data.viewingIds.length })),
    HistoryImportUndone: ({ data, at }) => change(data.importId, (one) => ({ ...one, undoneAt: at })),
  },
}
