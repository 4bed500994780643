/** Maps events of imported history to audit paths. Times are in seconds. */
import type { JsonObject } from '../../src/events/envelope.ts'
import type { HistoryEvents } from '../../src/events/history-events.ts'
import { numberIn, seconds, type PathsOf } from './audit-paths.ts'

export const HISTORY_PATHS: { readonly [T in keyof HistoryEvents]: PathsOf<T> } = {
  WatchImported: ({ outcome, left, source }) => ({
    ...outcomePaths(outcome),
    importedFrom: source,
    ...(left ? { importedPosition: seconds(left.positionMs) } : {}),
  }),
  WatchImportUndone: ({ outcome }) => outcomePaths(outcome),
  HistoryImportStarted: ({ source }) => ({ source, undone: false }),
  ImportItemsKept: ({ items }, before) => ({ waiting: waitingIn(before) + items.length }),
  ImportItemsDropped: ({ viewingIds }, before) => ({ waiting: waitingIn(before) - viewingIds.length }),
  HistoryImportUndone: () => ({ undone: true }),
}

const outcomePaths = ({ watchedAt, playCount }: HistoryEvents['WatchImported']['outcome']): JsonObject => ({
  watched: watchedAt !== null,
  watchedAt,
  playCount,
})

const waitingIn = (before: JsonObject): number => numberIn(before, 'waiting')
