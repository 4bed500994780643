/**
 * Lends bytes that are larger than one message to another node, until it has pulled all of them or stops pulling. A transfer never evicts
 * one that is in progress: two that evicted each other in turn would both never complete.
 */
import { MAX_BODY_BYTES } from '../../../ports/bus.ts'
import type { Clock } from '../../../ports/clock.ts'

export interface ChunkedTransfers {
  /** A name for pulling the parts; undefined while there is no room. */
  lend(bytes: Uint8Array): string | undefined
  /** The bytes from `part * MAX_BODY_BYTES` on; undefined if they are no longer lent. */
  pull(transfer: string, part: number): Uint8Array | undefined
  clear(): void
}

interface Loan {
  readonly bytes: Uint8Array
  /** Parts that were not pulled yet. */
  readonly left: Set<number>
  pulledAt: number
  disarm: () => void
}

/** In addition to the cache's memory. A larger transfer is lent if it is the only one. */
const LENT_BYTES = 64 * 1024 * 1024
const LENT_MS = 5_000
/** An active transfer pulls some part within this time, even over the slowest connection on which a film can be watched. */
const PULLING_MS = 500

export function createChunkedTransfers(clock: Clock): ChunkedTransfers {
  /** Least recently pulled first. */
  const loans = new Map<string, Loan>()
  let [names, usedBytes] = [0, 0]

  function end(transfer: string): void {
    const loan = loans.get(transfer)
    loans.delete(transfer)
    loan?.disarm()
    usedBytes -= loan?.bytes.byteLength ?? 0
  }

  function keep(transfer: string, loan: Loan): void {
    loan.disarm()
    loan.disarm = clock.after(LENT_MS, () => end(transfer))
    loan.pulledAt = clock.monotonic()
    loans.delete(transfer)
    loans.set(transfer, loan)
  }

  function hasRoom(sizeBytes: number): boolean {
    for (const [transfer, { pulledAt }] of loans) {
      if (usedBytes + sizeBytes <= LENT_BYTES) return true
      if (clock.monotonic() - pulledAt < PULLING_MS) return false
      end(transfer)
    }
    return true
  }

  return {
    lend(bytes) {
      if (!hasRoom(bytes.byteLength)) return undefined
      const parts = Math.ceil(bytes.byteLength / MAX_BODY_BYTES) - 1
      const left = new Set(Array.from({ length: parts }, (_, index) => index + 1))
      const transfer = `${names++}`
      usedBytes += bytes.byteLength
      keep(transfer, { bytes, left, pulledAt: 0, disarm: () => undefined })
      return transfer
    },
    pull(transfer, part) {
      const loan = loans.get(transfer)
      if (!loan) return undefined
      keep(transfer, loan)
      loan.left.delete(part)
      if (loan.left.size === 0) end(transfer)
      return loan.bytes.subarray(part * MAX_BODY_BYTES, (part + 1) * MAX_BODY_BYTES)
    },
    clear() {
      for (const transfer of loans.keys()) end(transfer)
    },
  }
}
