/**
 * Caches recent responses by a key that changes with everything that the response shows, so a cached response equals the result of a query.
 * An LRU cache, bounded by characters.
 */
import { createLruCache } from '../../concurrency/lru-cache.ts'

export interface KeptAnswer {
  /** The entity tag that it was sent with. */
  readonly tag: string
  readonly text: string
  /** Whether it still equals the result of a query, if the key alone does not decide that. */
  readonly holds?: () => Promise<boolean>
}

export interface ResponseCache {
  get(key: string): KeptAnswer | undefined
  put(key: string, answer: KeptAnswer): void
}

/** Some 400 pages of 20 movies. */
const CHARACTERS_MAX = 8 * 1024 * 1024
/** Maximum share of one response. */
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
