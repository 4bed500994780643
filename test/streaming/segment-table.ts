/** Reads a segment of ours box by box, independently of the code that wrote it. */
export interface SegmentTable {
  /** Decode time of the first sample, and of the one after the last, in ticks. */
  readonly start: number
  readonly end: number
  readonly samples: readonly {
    readonly dts: number
    readonly pts: number
    readonly duration: number
    readonly key: boolean
    readonly bytes: Buffer
  }[]
}

export function segmentTable(bytes: Uint8Array): SegmentTable {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const top = boxes(buffer)
  const types = top.map((box) => box.type).join()
  if (types !== 'styp,moof,mdat') throw new Error(`A segment of ${types}`)
  const moof = top[1]!
  const traf = boxes(moof.body).find((box) => box.type === 'traf')!.body
  const tfdt = boxes(traf).find((box) => box.type === 'tfdt')!.body
  const trun = boxes(traf).find((box) => box.type === 'trun')!.body
  const start = Number(tfdt.readBigUInt64BE(4))
  const count = trun.readUInt32BE(4)
  let at = moof.at + trun.readUInt32BE(8)
  let dts = start
  const samples = Array.from({ length: count }, (_, index) => {
    const [duration, size, flags, offset] = [0, 4, 8, 12].map((field) => trun.readUInt32BE(12 + index * 16 + field))
    const sample = { dts, pts: dts + (offset! | 0), duration: duration!, key: flags === 0x02000000, bytes: buffer.subarray(at, at + size!) }
    at += size!
    dts += duration!
    return sample
  })
  if (at !== buffer.length) throw new Error(`${buffer.length - at} bytes of no sample`)
  return { start, end: dts, samples }
}

export function timescaleOf(init: Uint8Array): number {
  let inside: Buffer = Buffer.from(init)
  for (const type of ['moov', 'trak', 'mdia', 'mdhd']) inside = boxes(inside).find((box) => box.type === type)!.body
  return inside.readUInt32BE(inside[0] === 1 ? 20 : 12)
}

function boxes(buffer: Buffer) {
  const found: { readonly type: string; readonly at: number; readonly body: Buffer }[] = []
  for (let at = 0; at < buffer.length; at += buffer.readUInt32BE(at)) {
    found.push({ type: buffer.toString('latin1', at + 4, at + 8), at, body: buffer.subarray(at + 8, at + buffer.readUInt32BE(at)) })
  }
  return found
}
