/**
 * Reads small pieces at offsets of an untrusted file: never beyond its end, and within a budget of reads and bytes, whatever its tables ask
 * for.
 */
import type { MediaHandle } from '../../drives/media-files.ts'
import { Unsupported } from './unsupported.ts'

export interface BoundedFile {
  readonly sizeBytes: number
  /** @throws Unsupported beyond the end of the file or of the budget */
  read(offset: number, length: number): Promise<Uint8Array>
}

export interface ReadBudget {
  readonly reads: number
  readonly bytes: number
}

/** Two hours of keyframes, each examined in place with the data after it, and the tables of the largest films. */
export const INDEX_BUDGET: ReadBudget = { reads: 32_768, bytes: 256 * 1024 * 1024 }

/** One read covers the headers of neighbouring audio packets. */
const WINDOW_BYTES = 8192

export interface BoundedFileOptions {
  readonly file: Pick<MediaHandle, 'read'>
  readonly sizeBytes: number
  readonly signal: AbortSignal
  readonly budget?: ReadBudget
}

export function createBoundedFile({ file, sizeBytes, signal, budget = INDEX_BUDGET }: BoundedFileOptions): BoundedFile {
  let readsLeft = budget.reads
  let bytesLeft = budget.bytes
  let window: { readonly offset: number; readonly bytes: Uint8Array } = { offset: 0, bytes: new Uint8Array(0) }

  async function fill(offset: number, length: number): Promise<Uint8Array> {
    signal.throwIfAborted()
    readsLeft -= 1
    bytesLeft -= length
    if (readsLeft < 0 || bytesLeft < 0) throw new Unsupported('It takes too many reads')
    const bytes = new Uint8Array(length)
    for (let filled = 0; filled < length;) {
      const { bytesRead } = await file.read(bytes, filled, length - filled, offset + filled)
      if (bytesRead === 0) throw new Unsupported('The file has become shorter')
      filled += bytesRead
    }
    return bytes
  }

  return {
    sizeBytes,
    async read(offset, length) {
      const isInside = Number.isSafeInteger(offset) && Number.isSafeInteger(length) && offset >= 0 && length >= 0
      if (!isInside || offset + length > sizeBytes) throw new Unsupported('Its tables point beyond its end')
      if (length > WINDOW_BYTES) return fill(offset, length)
      if (offset < window.offset || offset + length > window.offset + window.bytes.length) {
        window = { offset, bytes: await fill(offset, Math.min(WINDOW_BYTES, sizeBytes - offset)) }
      }
      return window.bytes.subarray(offset - window.offset, offset - window.offset + length)
    },
  }
}
