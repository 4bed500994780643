/** Reassembles segments from the parts that arrive over the bus. If the bus loses a part, the rest does not fit together. */

export interface Part {
  readonly segment: number
  readonly part: number
  readonly parts: number
  readonly body: Uint8Array | undefined
}

/** The whole segment after its last part; undefined before that; or a description of the fault. */
export type Joined = { readonly bytes: Uint8Array } | { readonly problem: string } | undefined

/** Larger than any segment: bounds the memory that an agent can make its owner use. */
const MAX_SEGMENT_BYTES = 512 * 1024 * 1024

export function createSegmentParts(): (part: Part) => Joined {
  const kept: Uint8Array[] = []
  let [sizeBytes, current] = [0, 0]
  return ({ segment, part, parts, body }) => {
    if (part === 0) current = segment
    if (!body || part !== kept.length || segment !== current) return { problem: 'A part of a segment was lost' }
    kept.push(body)
    sizeBytes += body.byteLength
    if (sizeBytes > MAX_SEGMENT_BYTES) return { problem: 'A segment is too large' }
    if (kept.length < parts) return undefined
    const bytes = inOnePiece(kept, sizeBytes)
    kept.length = 0
    sizeBytes = 0
    return { bytes }
  }
}

/** Within one process the parts are adjacent views of one buffer: then nothing is copied. */
function inOnePiece(parts: readonly Uint8Array[], sizeBytes: number): Uint8Array {
  const [first] = parts
  let at = first?.byteOffset ?? 0
  const adjoining = parts.every((part) => {
    const adjoins = part.buffer === first?.buffer && part.byteOffset === at
    at += part.byteLength
    return adjoins
  })
  if (first && adjoining) return new Uint8Array(first.buffer, first.byteOffset, sizeBytes)
  const bytes = new Uint8Array(sizeBytes)
  parts.reduce((offset, part) => {
    bytes.set(part, offset)
    return offset + part.byteLength
  }, 0)
  return bytes
}
