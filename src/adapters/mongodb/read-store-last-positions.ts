/** Last known position of each document, so that a guarded write needs no read first. */
import type { Position } from '../../events/position.ts'
import { createLruCache } from '../../concurrency/lru-cache.ts'

export interface LastPositions {
  /** Null: the document did not exist; undefined: unknown. */
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
