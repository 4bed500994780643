/** Reads a segment box by box, independently of the code that wrote it (ISO 14496-12, 8.8). */
import { boxes, find, need } from './validator/boxes.ts'

export interface TableSample {
  readonly dts: number
  readonly pts: number
  readonly duration: number
  /** A sync sample. */
  readonly key: boolean
  readonly bytes: Buffer
}

export interface SegmentTable {
  /** Boxes at the top, in order. */
  readonly types: readonly string[]
  readonly sequence: number
  readonly track: number
  /** `tfhd` says that offsets count from the `moof`. */
  readonly baseIsMoof: boolean
  /** Decode time of the first sample, and of the one after the last, in ticks. */
  readonly start: number
  readonly end: number
  readonly samples: readonly TableSample[]
}

const NOT_SYNC = 0x10000

export function segmentTable(bytes: Uint8Array): SegmentTable {
  const top = boxes(bytes)
  const types = top.map((box) => box.type)
  const moof = top.find((box) => box.type === 'moof')
  const mdat = top.find((box) => box.type === 'mdat')
  if (!moof || !mdat || types.filter((type) => type === 'moof').length > 1) throw new Error(`A segment of ${types.join()}`)
  const traf = need(moof.body, 'traf')
  const tfhd = need(traf, 'tfhd')
  const tfdt = need(traf, 'tfdt')
  const start = tfdt[0] === 1 ? Number(tfdt.readBigInt64BE(4)) : tfdt.readUInt32BE(4)
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const { samples, dataEnd } = samplesOf(need(traf, 'trun'), { buffer, moofStart: moof.start, start, defaults: defaultsOf(tfhd) })
  const spare = mdat.start + 8 + mdat.body.length - dataEnd
  if (spare !== 0) throw new Error(`${spare} bytes of no sample`)
  const last = samples.at(-1)
  return {
    types,
    sequence: need(moof.body, 'mfhd').readUInt32BE(4),
    track: tfhd.readUInt32BE(4),
    baseIsMoof: (tfhd.readUInt32BE(0) & 0x020000) !== 0 && (tfhd.readUInt32BE(0) & 1) === 0,
    start,
    end: last ? last.dts + last.duration : start,
    samples,
  }
}

interface Defaults {
  readonly duration: number
  readonly size: number
  readonly flags: number
}

function defaultsOf(tfhd: Buffer): Defaults {
  const flags = tfhd.readUInt32BE(0)
  let at = 8 + (flags & 1 ? 8 : 0) + (flags & 2 ? 4 : 0)
  const next = (mask: number): number => (flags & mask ? tfhd.readUInt32BE((at += 4) - 4) : 0)
  return { duration: next(8), size: next(16), flags: next(32) }
}

interface Run {
  readonly buffer: Buffer
  readonly moofStart: number
  readonly start: number
  readonly defaults: Defaults
}

function samplesOf(trun: Buffer, { buffer, moofStart, start, defaults }: Run) {
  const flags = trun.readUInt32BE(0) & 0xffffff
  const signed = trun[0] === 1
  let at = 8
  const next = (mask: number): number | undefined => (flags & mask ? trun.readUInt32BE((at += 4) - 4) : undefined)
  let data = moofStart + (next(1) ?? 0)
  const firstFlags = next(4)
  let dts = start
  const samples: TableSample[] = []
  for (let index = 0; index < trun.readUInt32BE(4); index++) {
    const duration = next(0x100) ?? defaults.duration
    const size = next(0x200) ?? defaults.size
    const own = next(0x400) ?? (index === 0 ? firstFlags : undefined) ?? defaults.flags
    const offset = next(0x800) ?? 0
    const pts = dts + (signed ? offset | 0 : offset)
    samples.push({ dts, pts, duration, key: (own & NOT_SYNC) === 0, bytes: buffer.subarray(data, data + size) })
    data += size
    dts += duration
  }
  return { samples, dataEnd: data }
}

export function timescaleOf(init: Uint8Array): number {
  const mdhd = find(init, 'moov', 'trak', 'mdia', 'mdhd')
  if (!mdhd) throw new Error('No mdhd')
  return mdhd.readUInt32BE(mdhd[0] === 1 ? 20 : 12)
}
