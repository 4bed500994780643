/**
 * Kept answers: what was sent a moment ago, by a key that changes with whatever the answer would show, so what is kept under it is what a
 * query would give. Bounded by characters; the longest unused goes first.
 */
import { createLruCache } from '../../concurrency/lru-cache.ts'

export interface KeptAnswer {
  /** The entity tag that it was sent with. */
  readonly tag: string
  readonly text: string
  /** Whether it still is what a query would give, where the key alone does not tell. */
  readonly holds?: () => Promise<boolean>
}

export interface ResponseCache {
  get(key: string): KeptAnswer | undefined
  put(key: string, answer: KeptAnswer): void
}

/** Some 400 pages of 20 movies. */
const CHARACTERS_MAX = 8 * 1024 * 1024
/** One answer takes at most so much of it. */
const SHARE = 1 / 16

export function createResponseCache(charactersMax = CHARACTERS_MAX): ResponseCache {
  const answers = createLruCache<KeptAnswer>(charactersMax)
  return {
    get: (key) => answers.get(key),
    put(key, answer) {
      const { length } = answer.text
      if (length > charactersMax * SHARE) answers.remove(key)
      else answers.put(key, answer, length)
    },
  }
}
