import t from 'tap'
import { createLocalBus } from '../../src/adapters/memory/bus.ts'
import { createTestClock } from '../../src/adapters/memory/clock.ts'
import { busContract } from './bus-contract.ts'

t.test('inside one process', async (t) => {
  busContract(t, async () => {
    const clock = createTestClock()
    const bus = createLocalBus({ clock })
    return { bus, other: bus, elapse: (ms) => clock.advance(ms), close: () => bus.close() }
  })
})
