/** View `waiting_items`: imported items whose film is not in a library yet, indexed by the keys that the film may have when it arrives. */
import type { WaitingItem } from '../../src/events/history-events.ts'
import type { ImportId, UserId, ViewingId } from '../../src/vocabulary/id.ts'
import { externalKeysOf, titleKeysOf } from './movie-query-fields.ts'
import { operations, type View } from './view.ts'

export interface WaitingItemDocument extends WaitingItem {
  readonly id: ViewingId
  readonly userId: UserId
  readonly importId: ImportId
  /** The `factKeys` of a matching movie. */
  readonly keys: readonly string[]
}

const { put, change } = operations<WaitingItemDocument>()

export const waitingItems: View<WaitingItemDocument> = {
  name: 'waiting_items',
  version: 1,
  fields: { userId: 'text', importId: 'text', watchedAt: 'text', keys: 'list' },
  indexes: [['importId', 'watchedAt'], ['userId']],
  handles: {
    ImportItemsKept: ({ data: { userId, importId, items } }) =>
      items.flatMap((item) => put(item.viewingId, { ...item, id: item.viewingId, userId, importId, keys: itemKeysOf(item) })),
    ImportItemsDropped: ({ data }) => data.viewingIds.flatMap((id) => change(id, () => null)),
    WatchImported: ({ data }) => change(data.viewingId, () => null),
  },
}

/** Keys from the film's ids and its title. */
export const itemKeysOf = ({ tmdb, imdb, title }: Pick<WaitingItem, 'tmdb' | 'imdb' | 'title'>): readonly string[] => [
  ...externalKeysOf({ tmdb, imdb }),
  ...titleKeysOf([title]),
]
