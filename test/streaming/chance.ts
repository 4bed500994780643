/** Chance that can be had again: a seed makes the same choices each time. */
export type Chance = (below: number) => number

/** mulberry32. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/**
 * `MARQUEE_TEST_SEED=n` has one seed again; `MARQUEE_TEST_SEEDS=n` tries so many. Without them a few, the same each time, so that
 * a change is what makes a test fail.
 */
export function seeds(usual: number): readonly number[] {
  const { MARQUEE_TEST_SEED: one, MARQUEE_TEST_SEEDS: many } = process.env
  if (one) return [Number(one)]
  return Array.from({ length: Number(many ?? usual) }, (_, index) => index + 1)
}

/** All segments, from random starts: a stretch forward, then somewhere else, as viewers who seek ask for them. */
export function wandering(count: number, chance: Chance): readonly number[] {
  const left = new Set(Array.from({ length: count }, (_, index) => index))
  const order: number[] = []
  while (left.size > 0) {
    const start = [...left][chance(left.size)] ?? 0
    const end = Math.min(count, start + 1 + chance(4))
    for (let segment = start; segment < end; segment++) {
      order.push(segment)
      left.delete(segment)
    }
  }
  return order
}
