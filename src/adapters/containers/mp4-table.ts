/** Reads tables of MP4 boxes in place: a version, a count and that many entries. */
import { viewOf } from './boxes.ts'
import { Unsupported } from './unsupported.ts'

export interface Table {
  readonly count: number
  /** A field of an entry at an offset within it. */
  u32(entry: number, offset?: number): number
  i32(entry: number, offset?: number): number
  u64(entry: number, offset?: number): number
}

/** Version, flags, count. */
const HEAD_BYTES = 8

/** An empty table if the box is missing. @throws Unsupported if it holds fewer entries than it declares */
export function tableOf(box: Uint8Array | undefined, entryBytes: number, headBytes = HEAD_BYTES): Table {
  const view = viewOf(box ?? new Uint8Array(headBytes))
  if (view.byteLength < headBytes) throw new Unsupported('A table is cut off')
  const count = view.getUint32(headBytes - 4)
  if (headBytes + count * entryBytes > view.byteLength) throw new Unsupported('A table is shorter than its header states')
  return {
    count,
    u32: (entry, offset = 0) => view.getUint32(headBytes + entry * entryBytes + offset),
    i32: (entry, offset = 0) => view.getInt32(headBytes + entry * entryBytes + offset),
    u64: (entry, offset = 0) => Number(view.getBigUint64(headBytes + entry * entryBytes + offset)),
  }
}
