/** Rewrites the edit lists of an MP4 film: which parts of its tracks are played, in which order, after which pauses. */

export interface ShownStretch {
  readonly lengthMs: number
  /** In the track's own time; null is a pause. */
  readonly fromMs: number | null
}

interface Box {
  readonly type: string
  readonly bytes: Buffer
}

const HEAD_BYTES = 8
const FULL_HEAD_BYTES = 12
const MVHD_TIMESCALE = 20
const NORMAL_RATE = 0x10000

export function boxesOf(bytes: Buffer, from = 0): readonly Box[] {
  const boxes: Box[] = []
  for (let at = from; at + HEAD_BYTES <= bytes.length;) {
    const size = bytes.readUInt32BE(at)
    if (size < HEAD_BYTES) throw new Error('A box of 64 bits or without an end')
    boxes.push({ type: bytes.toString('latin1', at + 4, at + HEAD_BYTES), bytes: bytes.subarray(at, at + size) })
    at += size
  }
  return boxes
}

export function boxOf(type: string, ...content: readonly Uint8Array[]): Buffer {
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt32BE(content.reduce((sum, { byteLength }) => sum + byteLength, HEAD_BYTES))
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, ...content])
}

function childOf(box: Buffer, ...path: readonly string[]): Buffer {
  const [type, ...rest] = path
  if (type === undefined) return box
  const found = boxesOf(box, HEAD_BYTES).find((one) => one.type === type)
  if (!found) throw new Error(`No ${type}`)
  return childOf(found.bytes, ...rest)
}

/** `film`: an MP4 file whose header comes last, with one edit per track. Video and audio get the same edits. */
export function withStretches(mediaFile: Buffer, stretches: readonly ShownStretch[]): Buffer {
  return Buffer.concat(boxesOf(mediaFile).map((box) => (box.type === 'moov' ? moovWith(box.bytes, stretches) : box.bytes)))
}

function moovWith(moov: Buffer, stretches: readonly ShownStretch[]): Buffer {
  const header = childOf(moov, 'mvhd')
  const timescale = header.readUInt32BE(MVHD_TIMESCALE)
  const ticks = Math.round((stretches.reduce((sum, { lengthMs }) => sum + lengthMs, 0) * timescale) / 1000)
  header.writeUInt32BE(ticks, MVHD_TIMESCALE + 4)
  const boxes = boxesOf(moov, HEAD_BYTES).map(({ type, bytes }) => (type === 'trak' ? trackWith(bytes, { stretches, timescale }) : bytes))
  return boxOf('moov', ...boxes)
}

interface Edits {
  readonly stretches: readonly ShownStretch[]
  /** Timescale of the film. */
  readonly timescale: number
}

function trackWith(track: Buffer, { stretches, timescale }: Edits): Buffer {
  const trackTimescale = childOf(track, 'mdia', 'mdhd').readUInt32BE(MVHD_TIMESCALE)
  // The track's first moment, after the encoder's priming samples.
  const first = childOf(track, 'edts', 'elst').readInt32BE(HEAD_BYTES + FULL_HEAD_BYTES)
  const list = Buffer.alloc(HEAD_BYTES + stretches.length * FULL_HEAD_BYTES)
  list.writeUInt32BE(stretches.length, 4)
  for (const [index, { lengthMs, fromMs }] of stretches.entries()) {
    const at = HEAD_BYTES + index * FULL_HEAD_BYTES
    list.writeUInt32BE(Math.round((lengthMs * timescale) / 1000), at)
    list.writeInt32BE(fromMs === null ? -1 : first + Math.round((fromMs * trackTimescale) / 1000), at + 4)
    list.writeUInt32BE(NORMAL_RATE, at + HEAD_BYTES)
  }
  const edits = boxOf('edts', boxOf('elst', list))
  return boxOf('trak', ...boxesOf(track, HEAD_BYTES).map(({ type, bytes }) => (type === 'edts' ? edits : bytes)))
}
