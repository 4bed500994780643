/** Writes segments as bytes: `styp`, `moof` with one run of samples, `mdat`. The same samples always give the same bytes. */
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
  const moofOf = (dataOffset: number) =>
    boxOf('moof', boxOf('mfhd', words(0, segment + 1)), boxOf('traf', tfhd, tfdt, writeRun(samples, end, dataOffset)))
  const moofBytes = moofOf(0).byteLength
  return Buffer.concat([STYP, moofOf(moofBytes + 8)])
}

function writeRun(samples: readonly TimedSample[], end: number, dataOffset: number): Uint8Array {
  const fields = samples.flatMap(({ dts, pts, sizeBytes, key }, index) => {
    const next = samples[index + 1]?.dts ?? end
    return [Math.max(1, next - dts), sizeBytes, key ? SYNC : NOT_SYNC, pts - dts]
  })
  const version = samples.some(({ dts, pts }) => pts < dts) ? VERSION_1 : 0
  return boxOf('trun', words(version | RUN_FLAGS, samples.length, dataOffset, ...fields))
}
