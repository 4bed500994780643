/** Parses ISO base media boxes, independently of the code that writes ours (ISO 14496-12). */
export interface Box {
  readonly type: string
  readonly start: number
  readonly body: Buffer
}

export function boxes(bytes: Uint8Array, from = 0): readonly Box[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const found: Box[] = []
  for (let at = from; at < buffer.length;) {
    const size = buffer.readUInt32BE(at)
    if (size < 8 || at + size > buffer.length) throw new Error(`A box of ${size} bytes at ${at} of ${buffer.length}`)
    found.push({ type: buffer.toString('latin1', at + 4, at + 8), start: at, body: buffer.subarray(at + 8, at + size) })
    at += size
  }
  return found
}

export const typesIn = (bytes: Uint8Array): readonly string[] => boxes(bytes).map(({ type }) => type)

/** The first box at the end of a path. */
export function find(bytes: Uint8Array, ...path: readonly string[]): Buffer | undefined {
  let inside: Uint8Array | undefined = bytes
  for (const type of path) inside = inside && boxes(inside).find((box) => box.type === type)?.body
  return inside && Buffer.from(inside.buffer, inside.byteOffset, inside.byteLength)
}

export function need(bytes: Uint8Array, ...path: readonly string[]): Buffer {
  const found = find(bytes, ...path)
  if (!found) throw new Error(`No ${path.join('/')}`)
  return found
}
