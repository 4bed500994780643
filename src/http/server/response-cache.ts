/**
 * Caches recently sent lists by their entity tag. The tag changes with every visible change of the list, so a cached response equals the
 * result of a query. An LRU cache, bounded by characters.
 */
import { createLruCache } from '../../concurrency/lru-cache.ts'

export interface ResponseCache {
  get(tag: string): string | undefined
  put(tag: string, answer: string): void
}

/** Some 400 pages of 20 movies. */
const CHARACTERS_MAX = 8 * 1024 * 1024
/** Maximum share of one response. */
const SHARE = 1 / 16

export function createResponseCache(charactersMax = CHARACTERS_MAX): ResponseCache {
  const answers = createLruCache<string>(charactersMax)
  return {
    get: (tag) => answers.get(tag),
    put(tag, answer) {
      if (answer.length > charactersMax * SHARE) answers.remove(tag)
      else answers.put(tag, answer, answer.length)
    },
  }
}
