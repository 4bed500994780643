/**
 * Buffers that segments are read into, used again: memory that is fresh from the system has to be cleared and mapped page by page,
 * and collected afterwards, which takes longer than to read a segment.
 */

export interface ReadBuffers {
  /** A buffer of this size; what is in it is of no account. */
  take(sizeBytes: number): Buffer
  /** What was taken, once nobody looks at it any more. What is never given back is collected like anything else. */
  giveBack(buffer: Buffer): void
}

/** What waits to be used again, in all. */
const KEPT_BYTES = 32 * 1024 * 1024
/** Nothing smaller is worth it; nothing larger than half of all is kept. */
const SMALLEST_BYTES = 64 * 1024
const LARGEST_BYTES = KEPT_BYTES / 2

export function createReadBuffers(): ReadBuffers {
  /** By size, which is a power of two, so that segments of about one size share them. */
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
