/**
 * Keeps the texts that lists send of each document of a collection, by its id. If most of them fit, a page needs only its keys. If they do
 * not, walks through all of them would replace every text again and again: then one of eight is taken in.
 */
import { createLruCache } from '../../concurrency/lru-cache.ts'

export interface KeptText {
  /** Whose JSON it is. */
  readonly member: string
  /** Null: the document has none. */
  readonly text: string | null
  readonly at: string
}

export interface KeptTexts {
  get(id: string): KeptText | undefined
  /** Not always kept if there is no room for all. */
  put(id: string, text: KeptText): void
  remove(id: string): void
  /** Whether most texts of the last pages were there. */
  isHelpful(): boolean
  /** How many of a page were there. */
  noted(there: number, of: number): void
}

/** Characters of all texts: cards of some 20,000 films. */
const ROOM = 16 * 1024 * 1024
/** Share of the room from which on there is none for all. */
const FULL = 0.95
/** One of so many is then taken in. */
const TAKEN_IN = 8
/** Weight of the last page in the share of texts that are there. */
const LAST = 0.2

export function createKeptTexts(room = ROOM): KeptTexts {
  const kept = createLruCache<KeptText>(room)
  let [share, offered] = [0, 0]
  return {
    get: (id) => kept.get(id),
    put(id, text) {
      if (kept.weight() > room * FULL && ++offered % TAKEN_IN !== 0) return
      kept.put(id, text, text.text?.length ?? 1)
    },
    remove: (id) => kept.remove(id),
    isHelpful: () => share > 1 / 2,
    noted(there, of) {
      if (of > 0) share += (there / of - share) * LAST
    },
  }
}
