/** View `waiting_items`: items of imports whose film is not here, found again by what the film may be called when it comes. */
import type { WaitingItem } from '../../src/events/history-events.ts'
import type { ImportId, UserId, ViewingId } from '../../src/vocabulary/id.ts'
import { externalKeysOf, titleKeysOf } from './movie-query-fields.ts'
import { operations, type View } from './view.ts'

export interface WaitingItemDocument extends WaitingItem {
  readonly id: ViewingId
  readonly userId: UserId
  readonly importId: ImportId
  /** Those of `factKeys` of a movie that it may fit. */
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

/** The film by its ids, and by its title. */
export const itemKeysOf = ({ tmdb, imdb, title }: Pick<WaitingItem, 'tmdb' | 'imdb' | 'title'>): readonly string[] => [
  ...externalKeysOf({ tmdb, imdb }),
  ...titleKeysOf([title]),
]
