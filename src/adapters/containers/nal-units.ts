/**
 * Classifies keyframes by their first NAL units, for H.264 (ITU-T H.264, 7.4.1) and HEVC (ITU-T H.265, 7.4.2.2). A decoder that starts at
 * an IDR picture, or at another one without leading pictures, needs no earlier frame.
 */
import type { KeyframeKind } from '../../ports/media.ts'
import { createBitReader } from './bit-reader.ts'

export type NalCodec = 'h264' | 'hevc'

export interface Keyframe {
  readonly codec: NalCodec
  /** Whether frames that follow it in the file are shown before it. */
  readonly isLed: boolean
}

const H264 = { slice: 1, partitions: [2, 3, 4], idr: 5, delimiter: 9 } as const
/** H.264 slice types with intra macroblocks only: for this slice, and for all slices of the frame. */
const INTRA_SLICES: ReadonlySet<number> = new Set([2, 7])
const HEVC_LAST_SLICE = 31
const HEVC_CLOSED: ReadonlySet<number> = new Set([17, 18, 19, 20])
/** BLA_W_LP and CRA: their leading pictures may not be decodable. */
const HEVC_LED: ReadonlySet<number> = new Set([16, 21])

/** Undefined if none of the units is a slice. */
export function kindOfKeyframe({ codec, isLed }: Keyframe, units: Iterable<Uint8Array>): KeyframeKind | undefined {
  return codec === 'h264' ? h264Kind(units) : hevcKind(units, isLed)
}

function h264Kind(units: Iterable<Uint8Array>): KeyframeKind | undefined {
  let isIntra = false
  for (const unit of units) {
    const type = (unit[0] ?? 0) & 0x1f
    if (type === H264.idr) return 'closed'
    // primary_pic_type 0: all slices are I slices.
    if (type === H264.delimiter) isIntra = (unit[1] ?? 0xff) >> 5 === 0
    if (type === H264.slice) return isIntra || INTRA_SLICES.has(sliceType(unit)) ? 'open' : 'unclear'
    if (H264.partitions.some((partition) => partition === type)) return 'unclear'
  }
  return undefined
}

function hevcKind(units: Iterable<Uint8Array>, isLed: boolean): KeyframeKind | undefined {
  for (const unit of units) {
    const type = ((unit[0] ?? 0) >> 1) & 0x3f
    if (type > HEVC_LAST_SLICE) continue
    if (HEVC_CLOSED.has(type)) return 'closed'
    if (!HEVC_LED.has(type)) return 'unclear'
    return isLed ? 'open' : 'closed'
  }
  return undefined
}

/** `slice_type`, after `first_mb_in_slice`. -1 if the unit is cut off. */
function sliceType(unit: Uint8Array): number {
  const header = createBitReader(unit, 1)
  header.number()
  const type = header.number()
  return header.isCutOff() ? -1 : type
}

/** Length-prefixed units, as in MP4 and Matroska; the last one may be cut off. */
export function* lengthPrefixedUnits(bytes: Uint8Array, lengthBytes: number): Generator<Uint8Array> {
  for (let at = 0; at + lengthBytes < bytes.length;) {
    let length = 0
    for (let index = 0; index < lengthBytes; index++) length = length * 256 + (bytes[at + index] ?? 0)
    at += lengthBytes
    if (length > 0) yield bytes.subarray(at, at + length)
    at += length
  }
}

/** Units after start codes, as in transport streams; each one extends over the following ones. */
export function* startCodeUnits(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at + 3 < bytes.length; at++) {
    if (bytes[at] === 0 && bytes[at + 1] === 0 && bytes[at + 2] === 1) yield bytes.subarray(at + 3)
  }
}
