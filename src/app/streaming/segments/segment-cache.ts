/**
 * Caches segments for all viewers: in memory with LRU eviction, and behind that in a store that outlives this process. A segment that the
 * store returns is then kept in memory; a segment that it only lends, from the second read on.
 */
import { createLruCache } from '../../../concurrency/lru-cache.ts'
import type { SegmentStore, RenditionCache, RenditionCacheKey, Until, WatchedRange } from '../../../ports/segment-store.ts'

export interface SegmentCache {
  /** Settles when the segments left by an earlier process are known. */
  ready(): Promise<void>
  /** The segments of one rendition; `watched` returns the ranges near its viewers. */
  open(place: RenditionCacheKey, watched: () => readonly WatchedRange[]): RenditionCache
}

export interface SegmentCacheOptions {
  readonly memoryBytes: number
  /** Without it, segments are kept in memory only. */
  readonly store?: SegmentStore | undefined
  /** Hears of each segment that is looked for. */
  readonly looked?: (from: 'memory' | 'disk' | 'missed', bytes: number) => void
}

export function createSegmentCache({ memoryBytes, store, looked }: SegmentCacheOptions): SegmentCache {
  const memory = createLruCache<Uint8Array>(memoryBytes)
  /** Recent reads from the store, as far back as memory would reach: a second read within that makes a segment worth a place in memory. */
  const readOnce = createLruCache<true>(memoryBytes)

  function keepRead(key: string, bytes: Uint8Array, isLent: boolean): void {
    const sizeBytes = bytes.byteLength
    if (isLent && !readOnce.peek(key)) return readOnce.put(key, true, sizeBytes)
    readOnce.remove(key)
    if (sizeBytes <= memoryBytes) memory.put(key, isLent ? new Uint8Array(bytes) : bytes, sizeBytes)
  }

  return {
    ready: () => store?.ready() ?? Promise.resolve(),
    open(place, watched) {
      const prefix = `${place.source}/${place.rendition}/`
      const kept = store?.open(place, watched)
      return {
        has: (segment) => memory.peek(prefix + segment) !== undefined || (kept?.has(segment) ?? false),
        async get(segment, until?: Until) {
          const key = prefix + segment
          const known = memory.get(key)
          if (known || !kept?.has(segment)) {
            looked?.(known ? 'memory' : 'missed', known?.byteLength ?? 0)
            return known
          }
          const bytes = await kept.get(segment, until)
          looked?.(bytes ? 'disk' : 'missed', bytes?.byteLength ?? 0)
          if (bytes) keepRead(key, bytes, until !== undefined)
          return bytes
        },
        file(segment) {
          const file = kept?.file?.(segment)
          if (file) looked?.('disk', file.sizeBytes)
          return file
        },
        put(segment, bytes) {
          memory.put(prefix + segment, bytes, bytes.byteLength)
          kept?.put(segment, bytes)
        },
        clear() {
          for (const [key] of memory.entries()) if (key.startsWith(prefix)) memory.remove(key)
          kept?.clear()
        },
        close: () => kept?.close(),
      }
    },
  }
}
