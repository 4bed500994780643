import t from 'tap'
import { halfOfSeeds } from './half-of-seeds.ts'
import { simulate } from './simulate.ts'

t.test('the same seed has the same history', async (t) => {
  const [one, again, another] = [await simulate(1), await simulate(1), await simulate(3)]
  t.strictSame(again, one)
  t.not(another.digest, one.digest)
})

t.test('whatever goes wrong: nothing acknowledged is lost or doubled, and nobody outlives a session or a grant', async (t) => {
  for (const seed of halfOfSeeds(0)) t.strictSame((await simulate(seed)).failures, [], `seed ${seed}`)
})
