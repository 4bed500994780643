import t from 'tap'
import { createTestClock } from '../../src/adapters/memory/clock.ts'
import { createMemoryCounters } from '../../src/adapters/memory/counters.ts'
import { countersContract } from './counters-contract.ts'

t.test('inside one process', async (t) => {
  countersContract(t, async () => {
    const clock = createTestClock()
    const counters = createMemoryCounters({ clock })
    return { counters, other: counters, elapse: (ms) => clock.advance(ms), close: async () => {} }
  })

  t.test('keys whose window has passed are dropped', async (t) => {
    const clock = createTestClock()
    const counters = createMemoryCounters({ clock })
    const budget = { max: 5, windowMs: 1000 }
    for (let key = 0; key < 1000; key++) await counters.spend(`old-${key}`, budget)
    t.equal(counters.size(), 1000)
    await clock.advance(1000)
    for (let spent = 0; spent < 1100; spent++) await counters.spend('new', { max: 5000, windowMs: 1000 })
    t.equal(counters.size(), 1)
  })

  t.test('there are never more than so many keys: the one spent from longest ago goes first', async (t) => {
    const clock = createTestClock()
    const counters = createMemoryCounters({ clock, maxKeys: 3 })
    const budget = { max: 1, windowMs: 60_000 }
    for (const key of ['a', 'b', 'c', 'a', 'd', 'e']) await counters.spend(key, budget)
    t.equal(counters.size(), 3)
    t.equal((await counters.peek('a', budget)).allowed, false)
    t.equal((await counters.peek('b', budget)).allowed, true)
  })
})
