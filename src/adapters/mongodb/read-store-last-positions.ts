/** Where documents stood when this process last looked at them: what a write that expects them there can be guarded with unasked. */
import type { Position } from '../../events/position.ts'
import { createLruCache } from '../../concurrency/lru-cache.ts'

export interface LastPositions {
  /** Null: there was none; undefined: not known. */
  get(id: string): Position | null | undefined
  set(id: string, at: Position | null): void
  clear(): void
}

const SEEN_MAX = 5_000

export function createLastPositions(): LastPositions {
  const positions = createLruCache<Position | null>(SEEN_MAX)
  return {
    get: (id) => positions.get(id),
    set: (id, at) => positions.put(id, at),
    clear: () => positions.clear(),
  }
}
