/**
 * Segments that were made, by rendition and number, for all viewers. In memory, the least recently used go first. What is on disk
 * one day is looked up behind the same three functions: `has` answers from an index in memory, `get` may have to read.
 */

export interface SegmentCache {
  has(key: string): boolean
  /** Undefined when it is not there (any more). */
  get(key: string): Promise<Uint8Array | undefined>
  put(key: string, bytes: Uint8Array): void
}

export function createMemoryCache(budgetBytes: number): SegmentCache {
  const kept = new Map<string, Uint8Array>()
  let usedBytes = 0

  function remove(key: string): void {
    usedBytes -= kept.get(key)?.byteLength ?? 0
    kept.delete(key)
  }

  return {
    has: (key) => kept.has(key),
    async get(key) {
      const bytes = kept.get(key)
      if (bytes) {
        // The order of a map is the order of use here.
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
  }
}
