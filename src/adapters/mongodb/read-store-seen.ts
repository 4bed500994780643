/** Where documents stood when this process last looked at them: what a write that expects them there can be guarded with unasked. */
import type { Position } from '../../events/position.ts'

export interface SeenPositions {
  /** Null: there was none; undefined: not known. */
  get(id: string): Position | null | undefined
  set(id: string, at: Position | null): void
  clear(): void
}

const SEEN_MAX = 5_000

export function createSeenPositions(): SeenPositions {
  const positions = new Map<string, Position | null>()
  return {
    get: (id) => positions.get(id),
    set(id, at) {
      positions.delete(id)
      positions.set(id, at)
      const [oldest] = positions.keys()
      if (positions.size > SEEN_MAX && oldest !== undefined) positions.delete(oldest)
    },
    clear: () => positions.clear(),
  }
}
