/**
 * Kept answers: lists that were sent a moment ago, by their entity tag. The tag changes with whatever the list would show, so what
 * is kept under it is what a query would give. Bounded by characters; the longest unused goes first.
 */
import { createLruCache } from '../../concurrency/lru-cache.ts'

export interface ResponseCache {
  get(tag: string): string | undefined
  put(tag: string, answer: string): void
}

/** Some 400 pages of 20 movies. */
const CHARACTERS_MAX = 8 * 1024 * 1024
/** One answer takes at most so much of it. */
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
