/**
 * Implements a random order on an index. Every movie has a place between 0 and 2^32 (`shuffle`), the places are cut into blocks, and the
 * seed determines the order of the blocks and the direction within each. So pages continue where the last one ended, at the cost of any
 * other sort, without stored state.
 */

export interface ShuffleBlock {
  readonly from: number
  /** Exclusive. */
  readonly to: number
  readonly direction: 'asc' | 'desc'
}

const BLOCKS = 32
const PLACES = 2 ** 32
export const SEED_MAX = 2 ** 31 - 1

/** The blocks in the order of the seed; `reverse` reads the same order backwards. */
export function shuffledBlocks(seed: number, reverse: boolean): readonly ShuffleBlock[] {
  const random = mulberry32(seed)
  const blocks = Array.from({ length: BLOCKS }, (_, n): ShuffleBlock => {
    const from = (n * PLACES) / BLOCKS
    return { from, to: from + PLACES / BLOCKS, direction: random() < 0.5 === reverse ? 'asc' : 'desc' }
  })
  for (let left = blocks.length - 1; left > 0; left--) {
    const drawn = Math.floor(random() * (left + 1))
    const [last, other] = [blocks[left], blocks[drawn]]
    if (last && other) [blocks[left], blocks[drawn]] = [other, last]
  }
  return reverse ? blocks.toReversed() : blocks
}

/** Pseudo-random numbers from 0 to 1, determined by the seed. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / PLACES
  }
}
