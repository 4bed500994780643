/**
 * Keeps bytes that are larger than one message for another node, until it has pulled all of them or stops pulling. A transfer never evicts
 * one that is in progress: two that evicted each other in turn would both never complete.
 */
import { MAX_BODY_BYTES } from '../../../ports/bus.ts'
import type { Clock } from '../../../ports/clock.ts'

export interface ChunkedTransfers {
  /** A name for pulling the parts; undefined while there is no room. */
  open(bytes: Uint8Array): string | undefined
  /** The bytes from `part * MAX_BODY_BYTES` on; undefined if they are no longer kept. */
  pull(transfer: string, part: number): Uint8Array | undefined
  clear(): void
}

interface Transfer {
  readonly bytes: Uint8Array
  /** Parts that were not pulled yet. */
  readonly left: Set<number>
  pulledAt: number
  disarm: () => void
}

/** In addition to the cache's memory. A larger transfer is kept if it is the only one. */
const OPEN_BYTES = 64 * 1024 * 1024
const OPEN_MS = 5_000
/** An active transfer pulls some part within this time, even over the slowest connection on which a film can be watched. */
const PULLING_MS = 500

export function createChunkedTransfers(clock: Clock): ChunkedTransfers {
  /** Least recently pulled first. */
  const transfers = new Map<string, Transfer>()
  let [names, usedBytes] = [0, 0]

  function end(transfer: string): void {
    const kept = transfers.get(transfer)
    transfers.delete(transfer)
    kept?.disarm()
    usedBytes -= kept?.bytes.byteLength ?? 0
  }

  function keep(transfer: string, kept: Transfer): void {
    kept.disarm()
    kept.disarm = clock.after(OPEN_MS, () => end(transfer))
    kept.pulledAt = clock.monotonic()
    transfers.delete(transfer)
    transfers.set(transfer, kept)
  }

  function hasRoom(sizeBytes: number): boolean {
    for (const [transfer, { pulledAt }] of transfers) {
      if (usedBytes + sizeBytes <= OPEN_BYTES) return true
      if (clock.monotonic() - pulledAt < PULLING_MS) return false
      end(transfer)
    }
    return true
  }

  return {
    open(bytes) {
      if (!hasRoom(bytes.byteLength)) return undefined
      const parts = Math.ceil(bytes.byteLength / MAX_BODY_BYTES) - 1
      const left = new Set(Array.from({ length: parts }, (_, index) => index + 1))
      const transfer = `${names++}`
      usedBytes += bytes.byteLength
      keep(transfer, { bytes, left, pulledAt: 0, disarm: () => undefined })
      return transfer
    },
    pull(transfer, part) {
      const kept = transfers.get(transfer)
      if (!kept) return undefined
      keep(transfer, kept)
      kept.left.delete(part)
      if (kept.left.size === 0) end(transfer)
      return kept.bytes.subarray(part * MAX_BODY_BYTES, (part + 1) * MAX_BODY_BYTES)
    },
    clear() {
      for (const transfer of transfers.keys()) end(transfer)
    },
  }
}
