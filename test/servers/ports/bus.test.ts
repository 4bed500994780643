import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { createNatsBus, type NatsBusOptions } from '../../../src/adapters/nats/bus.ts'
import { connectNats } from '../../../src/adapters/nats/connection.ts'
import { createSplitBus } from '../../../src/adapters/nats/split-bus.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import type { Bus } from '../../../src/ports/bus.ts'
import { connected } from '../../fixtures/program.ts'
import { overNats } from '../../fakes/nats.ts'
import { busContract } from '../../ports/bus-contract.ts'

await overNats(t, (t, nats) => {
  const clock = createSystemClock()

  function overTwo(t: Test, createBus: (options: NatsBusOptions) => Bus): void {
    busContract(t, async () => {
      const url = nats.url()
      const programs = ['one', 'other'].map((name) => {
        const connection = connectNats({ url, name, clock, onError: () => {} })
        return { connection, bus: createBus({ connection, clock }) }
      })
      const [one, other] = programs
      if (!one || !other) throw new Error('Two programs')
      await connected(programs)
      // A message published while a connection is being made is lost.
      for (const { bus } of programs) await bus.subscribe('a', () => {}).ready
      return {
        bus: one.bus,
        other: other.bus,
        elapse: (ms) => sleep(ms),
        close: async () => void (await Promise.all(programs.map(({ bus, connection }) => bus.close().then(() => connection.close())))),
      }
    })
  }

  t.test('by one connection', async (t) => overTwo(t, createNatsBus))

  t.test('by two connections', async (t) => {
    const words = ['a', 'views', 'segments', 'double', 'work', 'nobody', 'silent', 'throws']
    overTwo(t, (options) => createSplitBus({ ...options, words }))
  })
})
