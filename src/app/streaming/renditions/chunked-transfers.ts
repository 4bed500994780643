/**
 * Lent bytes: what is larger than a message, kept for another node until that has pulled all of it or does not go on. One transfer never
 * ends another that is under way: two that end each other in turn would both never arrive.
 */
import { MAX_BODY_BYTES } from '../../../ports/bus.ts'
import type { Clock } from '../../../ports/clock.ts'

export interface ChunkedTransfers {
  /** A name to pull the parts by; undefined while there is no room. */
  lend(bytes: Uint8Array): string | undefined
  /** The bytes from `part * MAX_BODY_BYTES` on; undefined where they are not lent any more. */
  pull(transfer: string, part: number): Uint8Array | undefined
  clear(): void
}

interface Loan {
  readonly bytes: Uint8Array
  /** Parts that nobody has pulled yet. */
  readonly left: Set<number>
  pulledAt: number
  disarm: () => void
}

/** Beside what the cache holds of them. One that is larger is lent when it is the only one. */
const LENT_BYTES = 64 * 1024 * 1024
const LENT_MS = 5_000
/** Of what is pulled, over the slowest way by which a film can be watched, some part is pulled within that. */
const PULLING_MS = 500

export function createChunkedTransfers(clock: Clock): ChunkedTransfers {
  /** The one that was pulled the longest ago first. */
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
