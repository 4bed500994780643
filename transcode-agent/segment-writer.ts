/** Writes segments as bytes: `styp`, `moof` with one run of samples, `mdat`. The same samples always give the same bytes. */
import { view } from './box-stream.ts'
import { boxOf, words } from './box.ts'

export interface TimedSample {
  readonly dts: number
  readonly pts: number
  readonly sizeBytes: number
  readonly key: boolean
}

export interface SegmentContent {
  readonly segment: number
  /** In coding order; the first one's decode time is the segment's start. */
  readonly samples: readonly TimedSample[]
  /** Start of the next segment. */
  readonly end: number
  readonly data: readonly Uint8Array[]
}

const STYP = boxOf('styp', Buffer.from('msdh\0\0\0\0msdhmsix', 'latin1'))
const TRACK = 1
const DEFAULT_BASE_IS_MOOF = 0x020000
/** Sample flags: a sync sample that depends on no other, or a non-sync sample that does. */
const SYNC = 0x02000000
const NOT_SYNC = 0x01010000
const RUN_FLAGS = 0x000001 | 0x000100 | 0x000200 | 0x000400 | 0x000800
/** Signed composition offsets; only for sources whose timestamps cannot be written otherwise. */
const VERSION_1 = 0x01000000
/** Version and flags, number of samples, data offset. */
const RUN_HEAD_BYTES = 12
const DATA_OFFSET_AT = 8
/** Duration, size, flags, composition offset. */
const RUN_SAMPLE_BYTES = 16

export function writeSegment({ segment, samples, end, data }: SegmentContent): Uint8Array {
  const mediaBytes = data.reduce((sum, piece) => sum + piece.byteLength, 0)
  const head = writeHead(segment, samples, end)
  const bytes = Buffer.allocUnsafeSlow(head.byteLength + 8 + mediaBytes)
  bytes.set(head)
  bytes.writeUInt32BE(8 + mediaBytes, head.byteLength)
  bytes.write('mdat', head.byteLength + 4, 'latin1')
  let at = head.byteLength + 8
  for (const piece of data) {
    bytes.set(piece, at)
    at += piece.byteLength
  }
  return bytes
}

function writeHead(segment: number, samples: readonly TimedSample[], end: number): Uint8Array {
  const start = samples[0]?.dts ?? end
  const tfhd = boxOf('tfhd', words(DEFAULT_BASE_IS_MOOF, TRACK))
  const tfdt = boxOf('tfdt', words(VERSION_1, Math.floor(start / 2 ** 32), start % 2 ** 32))
  const run = writeRun(samples, end)
  const moofOf = (dataOffset: number) => {
    view(run).setInt32(DATA_OFFSET_AT, dataOffset)
    return boxOf('moof', boxOf('mfhd', words(0, segment + 1)), boxOf('traf', tfhd, tfdt, boxOf('trun', run)))
  }
  const moofBytes = moofOf(0).byteLength
  return Buffer.concat([STYP, moofOf(moofBytes + 8)])
}

/** Payload of `trun`, without the data offset. */
function writeRun(samples: readonly TimedSample[], end: number): Uint8Array {
  const bytes = new Uint8Array(RUN_HEAD_BYTES + samples.length * RUN_SAMPLE_BYTES)
  const data = view(bytes)
  let version = 0
  let at = RUN_HEAD_BYTES
  for (const [index, { dts, pts, sizeBytes, key }] of samples.entries()) {
    const next = samples[index + 1]?.dts ?? end
    if (pts < dts) version = VERSION_1
    data.setInt32(at, Math.max(1, next - dts))
    data.setInt32(at + 4, sizeBytes)
    data.setInt32(at + 8, key ? SYNC : NOT_SYNC)
    data.setInt32(at + 12, pts - dts)
    at += RUN_SAMPLE_BYTES
  }
  data.setInt32(0, version | RUN_FLAGS)
  data.setInt32(4, samples.length)
  return bytes
}
