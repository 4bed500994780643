/** Segment store that keeps everything while the process runs: for tests. */
import type { SegmentStore } from '../../ports/segment-store.ts'

export function createMemorySegmentStore(): SegmentStore {
  const renditions = new Map<string, Map<number, Uint8Array>>()
  return {
    ready: async () => undefined,
    open({ source, rendition, cost }) {
      const name = `${source}/${rendition}-${cost}`
      const kept = renditions.get(name) ?? new Map<number, Uint8Array>()
      renditions.set(name, kept)
      return {
        has: (segment) => kept.has(segment),
        get: async (segment) => kept.get(segment),
        put(segment, bytes) {
          if (!kept.has(segment)) kept.set(segment, bytes)
        },
        clear: () => kept.clear(),
        close: () => undefined,
      }
    },
    usedBytes: () => [...renditions.values()].flatMap((kept) => [...kept.values()]).reduce((sum, { byteLength }) => sum + byteLength, 0),
    close: async () => undefined,
  }
}
