/** Packs several contents into one: the length of each in four bytes, then its bytes. */

const LENGTH_BYTES = 4

export const packedSize = (contents: readonly Uint8Array[]): number =>
  contents.reduce((sum, content) => sum + LENGTH_BYTES + content.byteLength, 0)

export function pack(contents: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(packedSize(contents))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const content of contents) {
    view.setUint32(at, content.byteLength)
    bytes.set(content, at + LENGTH_BYTES)
    at += LENGTH_BYTES + content.byteLength
  }
  return bytes
}

/** Views into those bytes; undefined if they are not in this format, or hold more contents than `most`. */
export function unpack(bytes: Uint8Array, most: number): readonly Uint8Array[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const contents: Uint8Array[] = []
  for (let at = 0; at < bytes.byteLength;) {
    const from = at + LENGTH_BYTES
    if (from > bytes.byteLength || contents.length === most) return undefined
    const to = from + view.getUint32(at)
    if (to > bytes.byteLength) return undefined
    contents.push(bytes.subarray(from, to))
    at = to
  }
  return contents
}
