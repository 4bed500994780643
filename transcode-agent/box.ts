/** Finds and writes MP4 boxes in memory. */
import { fourLetters, MalformedMp4, view } from './box-stream.ts'

export interface PlacedBox {
  readonly type: string
  /** Offset of the header, and one past the last byte, within the searched bytes. */
  readonly start: number
  readonly end: number
  readonly payload: Uint8Array
}

/** The consecutive boxes in these bytes. */
export function boxesIn(bytes: Uint8Array, from = 0): readonly PlacedBox[] {
  const data = view(bytes)
  const found: PlacedBox[] = []
  let start = from
  while (start + 8 <= bytes.byteLength) {
    const sizeBytes = data.getUint32(start)
    if (sizeBytes < 8 || start + sizeBytes > bytes.byteLength) throw new MalformedMp4(`A box of ${sizeBytes} bytes inside another`)
    found.push({ type: fourLetters(data, start + 4), start, end: start + sizeBytes, payload: bytes.subarray(start + 8, start + sizeBytes) })
    start += sizeBytes
  }
  return found
}

/** The payload at the end of a path of types, taking the first box of each; undefined if there is none. */
function findBox(bytes: Uint8Array, ...path: readonly string[]): Uint8Array | undefined {
  let inside: Uint8Array | undefined = bytes
  for (const type of path) inside = inside && boxesIn(inside).find((box) => box.type === type)?.payload
  return inside
}

export function needBox(bytes: Uint8Array, ...path: readonly string[]): Uint8Array {
  const found = findBox(bytes, ...path)
  if (!found) throw new MalformedMp4(`No ${path.join('/')}`)
  return found
}

/** A box with this four-letter type and the parts as its payload. */
export function boxOf(type: string, ...parts: readonly Uint8Array[]): Uint8Array {
  const sizeBytes = parts.reduce((sum, part) => sum + part.byteLength, 8)
  return Buffer.concat([words(sizeBytes), Buffer.from(type, 'latin1'), ...parts], sizeBytes)
}

export function words(...values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(values.length * 4)
  const data = view(bytes)
  values.forEach((value, index) => data.setInt32(index * 4, value | 0))
  return bytes
}
