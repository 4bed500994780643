import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { createTestClock } from '../../src/adapters/memory/clock.ts'
import { createSystemClock } from '../../src/adapters/node/clock.ts'
import { clockContract } from './clock-contract.ts'

t.test('of the system', async (t) => {
  clockContract(t, () => ({ clock: createSystemClock(), elapse: (ms) => setTimeout(ms) }))
})

t.test('of the tests', async (t) => {
  clockContract(t, () => {
    const clock = createTestClock()
    return { clock, elapse: (ms) => clock.advance(ms) }
  })
})
