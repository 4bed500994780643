/**
 * Pool of buffers for reading segments: fresh memory must be cleared and mapped by the system page by page, and collected afterwards, which
 * takes longer than reading a segment.
 */

export interface ReadBuffers {
  /** A buffer of this size; its contents are arbitrary. */
  take(sizeBytes: number): Buffer
  /** Returns a buffer that is no longer used. A buffer that is never returned is garbage-collected as usual. */
  giveBack(buffer: Buffer): void
}

/** Total size of the pooled buffers. */
const KEPT_BYTES = 32 * 1024 * 1024
/** Smaller buffers are not worth it; larger than half the pool is not kept. */
const SMALLEST_BYTES = 64 * 1024
const LARGEST_BYTES = KEPT_BYTES / 2

export function createReadBuffers(): ReadBuffers {
  /** By size, which is a power of two, so that segments of similar size share them. */
  const kept = new Map<number, ArrayBufferLike[]>()
  let keptBytes = 0

  return {
    take(sizeBytes) {
      if (sizeBytes < SMALLEST_BYTES || sizeBytes > LARGEST_BYTES) return Buffer.allocUnsafeSlow(sizeBytes)
      const capacity = 2 ** Math.ceil(Math.log2(sizeBytes))
      const memory = kept.get(capacity)?.pop()
      if (memory) keptBytes -= capacity
      return Buffer.from(memory ?? Buffer.allocUnsafeSlow(capacity).buffer, 0, sizeBytes)
    },
    giveBack({ buffer, byteLength }) {
      const capacity = buffer.byteLength
      if (byteLength < SMALLEST_BYTES || byteLength > LARGEST_BYTES || keptBytes + capacity > KEPT_BYTES) return
      keptBytes += capacity
      const alike = kept.get(capacity)
      if (alike) alike.push(buffer)
      else kept.set(capacity, [buffer])
    },
  }
}
