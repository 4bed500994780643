/**
 * Reads the boxes of an MP4 stream from a pipe. It never reads ahead, so a slow reader applies back-pressure to the writer. The bytes of
 * `mdat` stay in the chunks that the pipe delivered, so media data is copied only once.
 */

export interface Box {
  readonly type: string
  /** Without the header. */
  readonly payload: readonly Uint8Array[]
  readonly sizeBytes: number
}

/** The stream is not MP4, or holds a box above the size limit. */
export class MalformedMp4 extends Error {
  readonly code = 'malformed-mp4'
  constructor(message: string) {
    super(message)
    this.name = 'MalformedMp4'
  }
}

/** At most one segment; a 30 s group of pictures at 100 Mbit/s has 375 MB. */
export const MAX_BOX_BYTES = 512 * 1024 * 1024
const HEADER_BYTES = 8
const LARGE_HEADER_BYTES = 16

/** Ends with the stream; a box that is cut off at the end is left out. */
export async function* readBoxes(source: AsyncIterable<Uint8Array>): AsyncGenerator<Box> {
  const queue = createQueue(source)
  for (;;) {
    if (!(await queue.fill(HEADER_BYTES))) return
    const header = view(queue.peek(HEADER_BYTES))
    const large = header.getUint32(0) === 1
    const headerBytes = large ? LARGE_HEADER_BYTES : HEADER_BYTES
    if (!(await queue.fill(headerBytes))) return
    const sizeBytes = large ? Number(view(queue.peek(headerBytes)).getBigUint64(8)) : header.getUint32(0)
    if (sizeBytes < headerBytes || sizeBytes > MAX_BOX_BYTES) throw new MalformedMp4(`A box of ${sizeBytes} bytes`)
    if (!(await queue.fill(sizeBytes))) return
    queue.take(headerBytes)
    yield { type: fourLetters(header, 4), payload: queue.take(sizeBytes - headerBytes), sizeBytes: sizeBytes - headerBytes }
  }
}

export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces)
}

export function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

export function fourLetters(data: DataView, at: number): string {
  return String.fromCharCode(data.getUint8(at), data.getUint8(at + 1), data.getUint8(at + 2), data.getUint8(at + 3))
}

interface Queue {
  /** Waits until so many bytes are buffered; false if the source ends first. */
  fill(bytes: number): Promise<boolean>
  /** The first bytes in one piece, without consuming them. */
  peek(bytes: number): Uint8Array
  take(bytes: number): Uint8Array[]
}

function createQueue(source: AsyncIterable<Uint8Array>): Queue {
  const iterator = source[Symbol.asyncIterator]()
  let pieces: Uint8Array[] = []
  let total = 0

  async function fill(bytes: number): Promise<boolean> {
    while (total < bytes) {
      const next = await iterator.next()
      if (next.done) return false
      pieces.push(next.value)
      total += next.value.byteLength
    }
    return true
  }

  function take(bytes: number): Uint8Array[] {
    const taken: Uint8Array[] = []
    let left = bytes
    let used = 0
    while (left > 0) {
      const piece = pieces[used]
      if (!piece) throw new MalformedMp4('Fewer bytes than promised')
      if (piece.byteLength <= left) used++
      else pieces[used] = piece.subarray(left)
      taken.push(piece.subarray(0, left))
      left -= Math.min(left, piece.byteLength)
    }
    pieces = pieces.slice(used)
    total -= bytes
    return taken
  }

  function peek(bytes: number): Uint8Array {
    const first = pieces[0]
    if (first && first.byteLength >= bytes) return first
    return Buffer.concat(pieces)
  }
  return { fill, peek, take }
}
