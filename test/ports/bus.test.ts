import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { createLocalBus } from '../../src/adapters/memory/bus.ts'
import { createTestClock } from '../../src/adapters/memory/clock.ts'
import { createNatsBus } from '../../src/adapters/nats/bus.ts'
import { connectNats } from '../../src/adapters/nats/connection.ts'
import { createSystemClock } from '../../src/adapters/system/clock.ts'
import { overNats } from '../servers/nats.ts'
import { busContract } from './bus-contract.ts'

t.test('inside one process', async (t) => {
  busContract(t, async () => {
    const clock = createTestClock()
    const bus = createLocalBus({ clock })
    return { bus, other: bus, elapse: (ms) => clock.advance(ms), close: () => bus.close() }
  })
})

await overNats(t, (t, nats) => {
  const clock = createSystemClock()
  busContract(t, async () => {
    const url = nats.url()
    const programs = ['one', 'other'].map((name) => {
      const connection = connectNats({ url, name, clock, problem: () => {} })
      return { connection, bus: createNatsBus({ connection, clock }) }
    })
    const [one, other] = programs
    if (!one || !other) throw new Error('Two programs')
    await Promise.all(programs.map(({ connection }) => connection.engine.check()))
    return {
      bus: one.bus,
      other: other.bus,
      elapse: (ms) => sleep(ms),
      close: async () => void (await Promise.all(programs.map(({ bus, connection }) => bus.close().then(() => connection.close())))),
    }
  })
})
