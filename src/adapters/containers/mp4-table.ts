/** Tables of MP4 boxes: a version, a count and as many entries, read where they lie. */
import { viewOf } from './boxes.ts'
import { Unsupported } from './unsupported.ts'

export interface Table {
  readonly count: number
  /** A field of an entry, by its offset within. */
  u32(entry: number, offset?: number): number
  i32(entry: number, offset?: number): number
  u64(entry: number, offset?: number): number
}

/** Version, flags, count. */
const HEAD_BYTES = 8

/** An empty table where the box is missing. @throws Declined where it holds fewer entries than it says */
export function tableOf(box: Uint8Array | undefined, entryBytes: number, headBytes = HEAD_BYTES): Table {
  const view = viewOf(box ?? new Uint8Array(headBytes))
  if (view.byteLength < headBytes) throw new Unsupported('A table is cut off')
  const count = view.getUint32(headBytes - 4)
  if (headBytes + count * entryBytes > view.byteLength) throw new Unsupported('A table is shorter than it says')
  return {
    count,
    u32: (entry, offset = 0) => view.getUint32(headBytes + entry * entryBytes + offset),
    i32: (entry, offset = 0) => view.getInt32(headBytes + entry * entryBytes + offset),
    u64: (entry, offset = 0) => Number(view.getBigUint64(headBytes + entry * entryBytes + offset)),
  }
}
