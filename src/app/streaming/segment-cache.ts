/**
 * Segments that were made, for all viewers: in memory, where the least recently used go first, and behind it in a store that
 * outlives this process. What the store gives is in memory from then on.
 */
import type { SegmentStore, Shelf, ShelfPlace, WatchedRange } from '../../ports/segment-store.ts'

export interface SegmentCache {
  /** Settles when what an earlier process left is known. */
  ready(): Promise<void>
  /** The segments of one rendition; `watched` tells what its viewers are near to. */
  open(place: ShelfPlace, watched: () => readonly WatchedRange[]): Shelf
}

export interface SegmentCacheOptions {
  readonly memoryBytes: number
  /** Without it segments are kept in memory only. */
  readonly store?: SegmentStore | undefined
}

export function createSegmentCache({ memoryBytes, store }: SegmentCacheOptions): SegmentCache {
  const memory = createMemory(memoryBytes)
  return {
    ready: () => store?.ready() ?? Promise.resolve(),
    open(place, watched) {
      const prefix = `${place.source}/${place.rendition}/`
      const kept = store?.open(place, watched)
      return {
        has: (segment) => memory.has(prefix + segment) || (kept?.has(segment) ?? false),
        async get(segment) {
          const known = memory.get(prefix + segment)
          if (known || !kept?.has(segment)) return known
          const bytes = await kept.get(segment)
          if (bytes) memory.put(prefix + segment, bytes)
          return bytes
        },
        put(segment, bytes) {
          memory.put(prefix + segment, bytes)
          kept?.put(segment, bytes)
        },
        clear() {
          memory.clear(prefix)
          kept?.clear()
        },
        close: () => kept?.close(),
      }
    },
  }
}

interface Memory {
  has(key: string): boolean
  get(key: string): Uint8Array | undefined
  put(key: string, bytes: Uint8Array): void
  /** Forgets what begins so. */
  clear(prefix: string): void
}

function createMemory(budgetBytes: number): Memory {
  /** The order of a map is the order of use here. */
  const kept = new Map<string, Uint8Array>()
  let usedBytes = 0

  function remove(key: string): void {
    usedBytes -= kept.get(key)?.byteLength ?? 0
    kept.delete(key)
  }

  return {
    has: (key) => kept.has(key),
    get(key) {
      const bytes = kept.get(key)
      if (bytes) {
        kept.delete(key)
        kept.set(key, bytes)
      }
      return bytes
    },
    put(key, bytes) {
      remove(key)
      if (bytes.byteLength > budgetBytes) return
      kept.set(key, bytes)
      usedBytes += bytes.byteLength
      for (const oldest of kept.keys()) {
        if (usedBytes <= budgetBytes) break
        remove(oldest)
      }
    },
    clear(prefix) {
      for (const key of kept.keys()) if (key.startsWith(prefix)) remove(key)
    },
  }
}
