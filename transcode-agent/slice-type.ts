/** Parses slice types of H.264 (ITU-T H.264, 7.3.3) to find frames that depend on later ones. */
import { view } from './box-stream.ts'

const LENGTH_BYTES = 4
/** Coded slices: of a frame that depends on others, and of one that does not. */
const SLICES: ReadonlySet<number> = new Set([1, 5])
const IDR_SLICE = 5
const NAL_TYPE = 0x1f
const B_SLICE = 1
const SLICE_TYPES = 5

/** Decides by the first slice of an MP4 sample whose NAL units have 4-byte lengths. Undefined if it holds no slice. */
export function isBidirectional(sample: Uint8Array): boolean | undefined {
  for (let start = 0; start + LENGTH_BYTES < sample.byteLength;) {
    const from = start + LENGTH_BYTES
    const next = from + view(sample).getUint32(start)
    if (SLICES.has((sample[from] ?? 0) & NAL_TYPE)) return sliceType(sample.subarray(from + 1, next)) === B_SLICE
    start = next
  }
  return undefined
}

/**
 * Whether a decoder can start at this sample of H.264 in MP4, that is, whether it is an IDR picture. Containers also call a recovery point
 * a keyframe, but frames that follow it depend on earlier ones. Undefined if it holds no slice, or not the beginning of one.
 */
export function isIdr(sample: Uint8Array): boolean | undefined {
  for (let start = 0; start + LENGTH_BYTES < sample.byteLength;) {
    const type = (sample[start + LENGTH_BYTES] ?? 0) & NAL_TYPE
    if (SLICES.has(type)) return type === IDR_SLICE
    start += LENGTH_BYTES + view(sample).getUint32(start)
  }
  return undefined
}

/** The second of two Exp-Golomb numbers; the first is the number of the slice's first macroblock. */
function sliceType(header: Uint8Array): number {
  const [, afterFirst] = exponentialGolomb(header, 0)
  return exponentialGolomb(header, afterFirst)[0] % SLICE_TYPES
}

const MOST_ZEROS = 31

function exponentialGolomb(bytes: Uint8Array, from: number): readonly [value: number, next: number] {
  const bit = (at: number): number => ((bytes[at >> 3] ?? 0) >> (7 - (at & 7))) & 1
  let zeros = 0
  while (zeros < MOST_ZEROS && bit(from + zeros) === 0) zeros++
  let value = 0
  for (let at = from + zeros; at <= from + 2 * zeros; at++) value = value * 2 + bit(at)
  return [value - 1, from + 2 * zeros + 1]
}
