/**
 * Random order on an index: every movie has a place between 0 and 2^32 (`shuffle`), the places are cut into blocks, and the seed
 * says in which order the blocks come and which way each is walked. So pages go on where the last one ended, at the cost of any
 * other sort, and nothing has to be kept.
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

/** The blocks in the seed's order; `reverse` walks the same order from its end. */
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

/** Numbers from 0 to 1 that follow from the seed. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / PLACES
  }
}
