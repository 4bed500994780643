/**
 * Keeps rows that were written a moment ago: most documents that change, such as those of a film that is playing, soon change again. And the
 * texts that lists send of each document, since reading them from wide rows takes longer than all else of a page. Both are valid as long as
 * only this connection writes, so all of them are forgotten when another one has, or when a step is undone.
 */
import { createLruCache } from '../../concurrency/lru-cache.ts'

export type Value = string | number | null

export interface KeptRow {
  readonly n: number
  /** In the order of the collection's columns. */
  readonly values: readonly Value[]
}

export interface KeptText {
  /** Whose JSON it is; null: the document has none. */
  readonly member: string
  readonly text: string | null
  readonly at: string
}

export interface KeptRows {
  get(collection: string, id: string): KeptRow | undefined
  put(collection: string, id: string, row: KeptRow): void
  getText(collection: string, id: string): KeptText | undefined
  putText(collection: string, id: string, text: KeptText): void
  /** Row and text. */
  remove(collection: string, id: string): void
  clear(): void
}

/** Characters of all values. */
const ROOM = 4 * 1024 * 1024
/** Characters of all texts: cards of some 11,000 films. */
const TEXT_ROOM = 8 * 1024 * 1024

export function createKeptRows(): KeptRows {
  const kept = createLruCache<KeptRow>(ROOM)
  const texts = createLruCache<KeptText>(TEXT_ROOM)
  // A name of a collection holds no space.
  const keyOf = (collection: string, id: string): string => `${collection} ${id}`
  return {
    get: (collection, id) => kept.get(keyOf(collection, id)),
    put(collection, id, row) {
      const key = keyOf(collection, id)
      kept.put(key, row, weightOf(row))
      texts.remove(key)
    },
    getText: (collection, id) => texts.get(keyOf(collection, id)),
    putText: (collection, id, text) => texts.put(keyOf(collection, id), text, text.text?.length ?? 1),
    remove(collection, id) {
      const key = keyOf(collection, id)
      kept.remove(key)
      texts.remove(key)
    },
    clear() {
      kept.clear()
      texts.clear()
    },
  }
}

const weightOf = ({ values }: KeptRow): number =>
  values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 1), values.length)
