/** Reads the sequence parameter sets of H.264 (ITU-T H.264, 7.3.2.1.1 and E.1.1). */
import { createBitReader, type BitReader } from './bit-reader.ts'

/** Profiles that state their chroma format. */
const HIGH_PROFILES: ReadonlySet<number> = new Set([44, 83, 86, 100, 110, 118, 122, 128, 134, 135, 138, 139, 244])
/** Frames are shown in the order in which they are decoded. */
const IN_ORDER = 2
const EXTENDED_ASPECT = 255
const SETS_AT = 5
const SET_COUNT = 0x1f
const CPB_MAX = 32
const CYCLE_MAX = 255

/** The most frames that are decoded before one and shown after it, in any sequence of an `avcC` configuration; undefined if one does not say. */
export function reorderedFrames(configuration: Uint8Array): number | undefined {
  let most: number | undefined
  const count = (configuration[SETS_AT] ?? 0) & SET_COUNT
  let at = SETS_AT + 1
  for (let left = count; left > 0; left--) {
    const length = (configuration[at] ?? 0) * 256 + (configuration[at + 1] ?? 0)
    const unit = configuration.subarray(at + 2, at + 2 + length)
    const frames = reorderedIn(createBitReader(unescaped(unit), 1))
    if (frames === undefined) return undefined
    most = Math.max(most ?? 0, frames)
    at += 2 + length
  }
  return most
}

/** Without the bytes that keep start codes out of a NAL unit. */
function unescaped(unit: Uint8Array): Uint8Array {
  return unit.filter((byte, at) => !(byte === 3 && unit[at - 1] === 0 && unit[at - 2] === 0))
}

function reorderedIn(set: BitReader): number | undefined {
  const profile = set.bits(8)
  // Constraints and level.
  set.bits(16)
  set.number()
  if (HIGH_PROFILES.has(profile)) skipChroma(set)
  set.number()
  const order = set.number()
  if (order === IN_ORDER) return set.isCutOff() ? undefined : 0
  if (order === 0) set.number()
  else skipOrderCycle(set)
  // Reference frames, width and height.
  set.number()
  set.bits(1)
  set.number()
  set.number()
  if (!set.isSet()) set.bits(1)
  set.bits(1)
  if (set.isSet()) skipNumbers(set, 4)
  if (!set.isSet()) return undefined
  skipUsability(set)
  if (!set.isSet()) return undefined
  // Limits of vectors and sizes.
  set.bits(1)
  skipNumbers(set, 4)
  const frames = set.number()
  return set.isCutOff() ? undefined : frames
}

function skipChroma(set: BitReader): void {
  const chroma = set.number()
  if (chroma === 3) set.bits(1)
  skipNumbers(set, 2)
  set.bits(1)
  if (!set.isSet()) return
  const lists = chroma === 3 ? 12 : 8
  for (let list = 0; list < lists; list++) if (set.isSet()) skipScalingList(set, list < 6 ? 16 : 64)
}

function skipScalingList(set: BitReader, size: number): void {
  for (let left = size, next = 8; left > 0 && next !== 0; left--) next = (next + set.signed() + 256) % 256
}

function skipOrderCycle(set: BitReader): void {
  set.bits(1)
  skipNumbers(set, 2)
  skipNumbers(set, Math.min(CYCLE_MAX, set.number()))
}

function skipNumbers(set: BitReader, count: number): void {
  for (let left = count; left > 0; left--) set.number()
}

/** The usability information, up to the flag of the restrictions. */
function skipUsability(set: BitReader): void {
  if (set.isSet() && set.bits(8) === EXTENDED_ASPECT) set.bits(32)
  if (set.isSet()) set.bits(1)
  if (set.isSet()) {
    set.bits(4)
    if (set.isSet()) set.bits(24)
  }
  if (set.isSet()) skipNumbers(set, 2)
  if (set.isSet()) {
    set.bits(32)
    set.bits(33)
  }
  const hasUnits = skipBuffering(set)
  const hasVideo = skipBuffering(set)
  if (hasUnits || hasVideo) set.bits(1)
  set.bits(1)
}

/** HRD parameters, if there are any. */
function skipBuffering(set: BitReader): boolean {
  if (!set.isSet()) return false
  const count = Math.min(CPB_MAX, set.number() + 1)
  set.bits(8)
  for (let left = count; left > 0; left--) {
    skipNumbers(set, 2)
    set.bits(1)
  }
  set.bits(20)
  return true
}
