/** Reads boxes of ISO/IEC 14496-12 and QuickTime: from bytes in memory, and the outermost ones of a file. */
import type { BoundedFile } from './bounded-file.ts'
import { Unsupported } from './unsupported.ts'

export interface Box {
  readonly type: string
  readonly bytes: Uint8Array
}

export interface FileBox {
  readonly type: string
  readonly start: number
  readonly dataStart: number
  readonly end: number
}

const HEAD_BYTES = 8
const LONG_HEAD_BYTES = 16
const MOST_BOXES = 10_000
const MOST_OUTER_BOXES = 256

/** Consecutive boxes; a size of 0 means to the end. @throws Unsupported a box is longer than its container */
export function* boxesOf(bytes: Uint8Array): Generator<Box> {
  const view = viewOf(bytes)
  let seen = 0
  for (let at = 0; at + HEAD_BYTES <= bytes.length;) {
    const { size, headBytes } = sizeAt(view, at)
    const end = size === 0 ? bytes.length : at + size
    // QuickTime ends some lists with a zero and nothing after it.
    if (size === 0 && bytes.length - at < HEAD_BYTES + 1) return
    if (end > bytes.length || end < at + headBytes || ++seen > MOST_BOXES) throw new Unsupported('A box is longer than what holds it')
    yield { type: typeAt(bytes, at), bytes: bytes.subarray(at + headBytes, end) }
    at = end
  }
}

/** The first box at the end of a path of types. */
export function boxIn(bytes: Uint8Array | undefined, ...[type, ...rest]: readonly string[]): Uint8Array | undefined {
  if (!bytes || type === undefined) return bytes
  for (const box of boxesOf(bytes)) if (box.type === type) return boxIn(box.bytes, ...rest)
  return undefined
}

/** The outermost boxes, the last of which may be cut off. @throws Unsupported there are too many */
export async function* boxesOfFile(file: BoundedFile): AsyncGenerator<FileBox> {
  let seen = 0
  for (let start = 0; start + HEAD_BYTES <= file.sizeBytes;) {
    const head = await file.read(start, Math.min(LONG_HEAD_BYTES, file.sizeBytes - start))
    const { size, headBytes } = sizeAt(viewOf(head), 0)
    const end = size === 0 ? file.sizeBytes : start + size
    if (end < start + headBytes || ++seen > MOST_OUTER_BOXES) throw new Unsupported('Its boxes make no sense')
    yield { type: typeAt(head, 0), start, dataStart: start + headBytes, end }
    start = end
  }
}

function sizeAt(view: DataView, at: number): { readonly size: number; readonly headBytes: number } {
  const size = view.getUint32(at)
  if (size !== 1) return { size, headBytes: HEAD_BYTES }
  if (at + LONG_HEAD_BYTES > view.byteLength) throw new Unsupported('A box is cut off')
  return { size: Number(view.getBigUint64(at + HEAD_BYTES)), headBytes: LONG_HEAD_BYTES }
}

const typeAt = (bytes: Uint8Array, at: number): string => String.fromCharCode(...bytes.subarray(at + 4, at + HEAD_BYTES))

export const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView => new DataView(buffer, byteOffset, byteLength)
