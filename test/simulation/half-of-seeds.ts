import { seeds } from '../fixtures/random-below.ts'

/** `npm run simulate` runs other seeds. */
const USUAL = 6

/** Two test files share the seeds: a simulation keeps one core busy, and small machines have two. */
export const halfOfSeeds = (half: 0 | 1): readonly number[] => seeds(USUAL).filter((_, index) => index % 2 === half)
