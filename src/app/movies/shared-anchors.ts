/** Keeps the anchors of lists that are the same for all who see the same libraries, until a movie of these changes. */
import { createLruCache } from '../../concurrency/lru-cache.ts'
import type { Refusal } from '../../domain/refusal.ts'
import type { MovieAnchors } from './movie-anchors.ts'

type Found = Promise<MovieAnchors | Refusal>

export interface SharedAnchors {
  /** `tag`: the current tag of the libraries (`LastChanges` in movies.ts); `make` collects the anchors. Requests at the same time share one pass. */
  of(key: string, tag: string | undefined, make: () => Found): Found
}

/** Each has up to 1,060 anchors: some 100 KB. */
const LISTS_MAX = 16

export function createSharedAnchors(): SharedAnchors {
  const kept = createLruCache<{ readonly tag: string; readonly anchors: Found }>(LISTS_MAX)
  return {
    of(key, tag, make) {
      if (tag === undefined) return make()
      const known = kept.get(key)
      if (known?.tag === tag) return known.anchors
      const anchors = make()
      kept.put(key, { tag, anchors })
      anchors.catch(() => {
        if (kept.peek(key)?.anchors === anchors) kept.remove(key)
      })
      return anchors
    },
  }
}
