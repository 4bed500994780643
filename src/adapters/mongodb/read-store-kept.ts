/**
 * Keeps counts until the collection's checkpoint moves: a list that shows its total, or facets, would otherwise count all matches for each
 * page. The checkpoint is read before the count begins, so that no commit that was complete before is missing from a kept count.
 */
import { createLruCache } from '../../concurrency/lru-cache.ts'
import type { Position } from '../../events/position.ts'

export interface KeptCounts {
  /** Callers at the same checkpoint share one count, also while it is made. */
  of<Counted>(checkpoint: Position, key: string, count: () => Promise<Counted>): Promise<Counted>
}

/** In each collection. */
const KEPT_MAX = 200

export function createKeptCounts(): KeptCounts {
  const kept = createLruCache<Promise<unknown>>(KEPT_MAX)
  let keptAt: Position | undefined
  return {
    of<Counted>(checkpoint: Position, key: string, count: () => Promise<Counted>) {
      if (checkpoint !== keptAt) kept.clear()
      keptAt = checkpoint
      const found = kept.get(key)
      if (found) return found as Promise<Counted>
      const counted = count()
      kept.put(key, counted)
      counted.catch(() => {
        if (kept.peek(key) === counted) kept.remove(key)
      })
      return counted
    },
  }
}
