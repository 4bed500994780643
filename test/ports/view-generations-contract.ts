/** Generations of views are stored alike in every read store: nodes that change them at once lose nothing. */
import type { Test } from 'tap'
import { createTestClock } from '../../src/adapters/memory/clock.ts'
import { createLiveStore } from '../../src/app/consistency/live-store.ts'
import { createViewGenerations } from '../../src/app/consistency/view-generations.ts'
import { START, toPosition } from '../../src/events/position.ts'
import { MOVIES, randomMovies } from '../fixtures/sample-documents.ts'
import type { StoreUnderTest } from './read-store-contract.ts'

const REBUILT = `${MOVIES.name}_r1`

export function viewGenerationsContract(t: Test, make: () => Promise<StoreUnderTest>): void {
  t.test('of nodes that change generations at once each decides on what the one before has stored', async (t) => {
    const { store, close } = await make()
    t.teardown(close)
    const clock = createTestClock()
    const nodes = [createViewGenerations({ store, clock }), createViewGenerations({ store, clock })] as const
    await Promise.all(nodes.map((node) => node.change(MOVIES.name, (now) => (now.building === null ? { ...now, building: 1 } : undefined))))
    await Promise.all(nodes.map((node) => node.change('users_g1', (now) => ({ ...now, live: now.live + 1 }))))
    const next = createViewGenerations({ store, clock })
    await next.load()
    t.strictSame(next.of(MOVIES.name), { live: 0, building: 1, retiring: null })
    t.equal(next.of('users_g1').live, 2)
  })

  t.test('a node goes on reading when the generation that it reads has been replaced and dropped', async (t) => {
    const { store, close } = await make()
    t.teardown(close)
    const clock = createTestClock()
    const [here, there] = [createViewGenerations({ store, clock }), createViewGenerations({ store, clock })]
    const live = createLiveStore(store, there)
    await live.open([MOVIES])
    const films = randomMovies(3, 20)
    for (const [collection, puts] of [
      [MOVIES.name, films.slice(0, 5)],
      [REBUILT, films],
    ] as const) {
      await store.open([{ ...MOVIES, name: collection }])
      await store.commit({ collection, epoch: 1, from: START, to: toPosition(1), puts, removes: [] })
    }
    t.equal(await live.count(MOVIES.name, []), 5)
    await here.change(MOVIES.name, () => ({ live: 1, building: null, retiring: null }))
    await store.drop(MOVIES.name)
    t.equal((await live.find(MOVIES.name, { limit: 100 })).documents.length, 20)
    t.equal(await live.count(MOVIES.name, []), 20)
    t.equal(await live.checkpoint(MOVIES.name), toPosition(1))
  })
}
