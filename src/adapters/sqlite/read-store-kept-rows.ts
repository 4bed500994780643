/**
 * Keeps rows that were written a moment ago: most documents that change, such as those of a film that is playing, soon change again. It
 * also keeps which ids have no row: a user has no state of most films, and each list asks for it. Rows, and the texts beside them
 * (read-store-kept-texts.ts), are valid as long as only this connection writes, so all of them are forgotten when another one has, or when
 * a step is undone.
 */
import { createLruCache } from '../../concurrency/lru-cache.ts'
import { createKeptTexts, type KeptTexts } from './read-store-kept-texts.ts'

export type Value = string | number | null

export interface KeptRow {
  readonly n: number
  /** In the order of the collection's columns. */
  readonly values: readonly Value[]
}

export interface KeptRows {
  /** Null: there is no such row. Undefined: it is not known. */
  get(collection: string, id: string): KeptRow | null | undefined
  put(collection: string, id: string, row: KeptRow | null): void
  textsOf(collection: string): KeptTexts
  /** Row and text. */
  remove(collection: string, id: string): void
  clear(): void
}

/** Characters of all values. */
const ROOM = 4 * 1024 * 1024
/** What an id without a row takes, beside the id about as much again. */
const ABSENT = 100

export function createKeptRows(): KeptRows {
  const kept = createLruCache<KeptRow | null>(ROOM)
  // A name of a collection holds no space.
  const keyOf = (collection: string, id: string): string => `${collection} ${id}`
  const texts = new Map<string, KeptTexts>()
  return {
    get: (collection, id) => kept.get(keyOf(collection, id)),
    put(collection, id, row) {
      kept.put(keyOf(collection, id), row, row ? weightOf(row) : ABSENT)
      texts.get(collection)?.remove(id)
    },
    textsOf(collection) {
      const own = texts.get(collection) ?? createKeptTexts()
      texts.set(collection, own)
      return own
    },
    remove(collection, id) {
      kept.remove(keyOf(collection, id))
      texts.get(collection)?.remove(id)
    },
    clear() {
      kept.clear()
      texts.clear()
    },
  }
}

const weightOf = ({ values }: KeptRow): number =>
  values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 1), values.length)
