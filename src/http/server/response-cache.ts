/**
 * Caches recent responses by a key that changes with everything that the response shows, so a cached response equals the result of a query.
 * An LRU cache, bounded by characters. Most pages are asked for once, and a page that stays in memory costs the garbage collector as much as
 * a quarter of the query: so a response is kept for long only when it is asked for again.
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
/** Responses that were asked for once: so many are still served, and of so many the keys are known. */
const FRESH_MAX = 16
const SEEN_MAX = 1000

export function createResponseCache(charactersMax = CHARACTERS_MAX): ResponseCache {
  const repeated = createLruCache<KeptAnswer>(charactersMax)
  const fresh = createLruCache<KeptAnswer>(FRESH_MAX)
  const seen = createLruCache<true>(SEEN_MAX)

  function keep(key: string, answer: KeptAnswer): KeptAnswer {
    fresh.remove(key)
    repeated.put(key, answer, answer.text.length)
    return answer
  }

  function repeatedNow(key: string): KeptAnswer | undefined {
    const answer = fresh.peek(key)
    return answer && keep(key, answer)
  }

  return {
    get: (key) => repeated.get(key) ?? repeatedNow(key),
    put(key, answer) {
      if (answer.text.length > charactersMax * SHARE) {
        fresh.remove(key)
        repeated.remove(key)
      } else if (seen.get(key)) keep(key, answer)
      else {
        seen.put(key, true)
        fresh.put(key, answer)
      }
    },
  }
}
