import t from 'tap'
import { halfOfSeeds } from './half-of-seeds.ts'
import { SEEDS } from './seeds.ts'
import { simulate } from './simulate.ts'

t.test('whatever goes wrong, also with the other half of the seeds, nothing is lost, doubled or outlived', async (t) => {
  for (const seed of halfOfSeeds(1)) t.strictSame((await simulate(seed)).failures, [], `seed ${seed}`)
})

for (const [seed, found] of Object.entries(SEEDS)) {
  t.test(`seed ${seed}, which found that ${found}`, async (t) => {
    t.strictSame((await simulate(Number(seed))).failures, [])
  })
}
