import t from 'tap'
import { seeds } from '../fixtures/random-below.ts'
import { SEEDS } from './seeds.ts'
import { simulate } from './simulate.ts'

/** `npm run simulate` runs other seeds. */
const USUAL = 6

t.test('the same seed has the same history', async (t) => {
  const [one, again, another] = [await simulate(1), await simulate(1), await simulate(3)]
  t.strictSame(again, one)
  t.not(another.digest, one.digest)
})

t.test('whatever goes wrong: nothing acknowledged is lost or doubled, and nobody outlives a session or a grant', async (t) => {
  for (const seed of seeds(USUAL)) t.strictSame((await simulate(seed)).failures, [], `seed ${seed}`)
})

for (const [seed, found] of Object.entries(SEEDS)) {
  t.test(`seed ${seed}, which found that ${found}`, async (t) => {
    t.strictSame((await simulate(Number(seed))).failures, [])
  })
}
