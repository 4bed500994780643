/** Reads the bits of NAL units, the most significant first, and their Exp-Golomb numbers (ITU-T H.264, 9.1). */
export interface BitReader {
  /** Up to 32 bits as a number. */
  bits(count: number): number
  isSet(): boolean
  /** An Exp-Golomb number. */
  number(): number
  signed(): number
  /** Whether more was read than there is. What is beyond the end reads as zeros. */
  isCutOff(): boolean
}

const BITS = 8
const MOST_ZEROS = 32

export function createBitReader(bytes: Uint8Array, from = 0): BitReader {
  let at = from * BITS

  function bits(count: number): number {
    let value = 0
    for (let left = count; left > 0; left--, at++) value = value * 2 + (((bytes[at >> 3] ?? 0) >> (BITS - 1 - (at % BITS))) & 1)
    return value
  }

  function number(): number {
    let zeros = 0
    while (zeros < MOST_ZEROS && bits(1) === 0) zeros++
    return 2 ** zeros + bits(zeros) - 1
  }

  return {
    bits,
    isSet: () => bits(1) === 1,
    number,
    signed() {
      const value = number()
      return value % 2 === 1 ? (value + 1) / 2 : -value / 2
    },
    isCutOff: () => at > bytes.length * BITS,
  }
}
