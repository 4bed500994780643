import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { connectNats } from '../../../src/adapters/nats/connection.ts'
import { createNatsBus } from '../../../src/adapters/nats/bus.ts'
import type { NatsConnection } from '../../../src/adapters/nats/connection.ts'
import { createNatsLeases } from '../../../src/adapters/nats/leases.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { connected } from '../../fixtures/program.ts'
import { overNats } from '../../fakes/nats.ts'
import { leasesContract } from '../../ports/leases-contract.ts'

await overNats(t, (t, nats) => {
  const clock = createSystemClock()
  // Time is real here: the tests wait concurrently.
  t.jobs = 8
  leasesContract(t, async () => {
    const url = nats.url()
    const [cut, kept] = ['one', 'other'].map((name) => connectNats({ url, name, clock, onError: () => {} }))
    if (!cut || !kept) throw new Error('Two programs')
    await connected([{ connection: cut }, { connection: kept }])
    const program = (connection: NatsConnection, name: string) => {
      const bus = createNatsBus({ connection, clock })
      return { bus, leases: createNatsLeases({ connection, clock, bus, name }) }
    }
    const [{ leases, bus }, { leases: other, bus: otherBus }] = [program(cut, 'one'), program(kept, 'other')]
    const close = async () => {
      await Promise.all([leases.close(), other.close()])
      await Promise.all([bus.close(), otherBus.close()])
      await Promise.all([cut.close(), kept.close()])
    }
    return { leases, other, stall: () => cut.close(), elapse: (ms) => sleep(ms), close }
  })
})
