import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createLeaseTable, createMemoryLeases } from '../../../src/adapters/memory/leases.ts'
import { connectNats } from '../../../src/adapters/nats/connection.ts'
import { createNatsBus } from '../../../src/adapters/nats/bus.ts'
import type { NatsConnection } from '../../../src/adapters/nats/connection.ts'
import { createNatsLeases } from '../../../src/adapters/nats/leases.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { connected } from '../../fixtures/program.ts'
import { overNats } from '../../fakes/nats.ts'
import { leasesContract } from './leases-contract.ts'

t.test('inside one process', async (t) => {
  leasesContract(t, async () => {
    const [clock, table] = [createTestClock(), createLeaseTable()]
    const [leases, other] = [createMemoryLeases({ clock, table }), createMemoryLeases({ clock, table })]
    const close = async () => void (await Promise.all([leases.close(), other.close()]))
    return { leases, other, stall: () => leases.stall(), elapse: (ms) => clock.advance(ms), close }
  })

  t.test('a lease lapses exactly at the end of its lifetime, and renewing goes on after resume', async (t) => {
    const clock = createTestClock()
    const leases = createMemoryLeases({ clock })
    const lease = await leases.acquire('a', 15)
    await clock.advance(5_000)
    leases.stall()
    await clock.advance(14_999)
    t.equal(lease?.lost.aborted, false)
    t.equal(await leases.held('a'), true)
    await clock.advance(1)
    t.equal(lease?.lost.aborted, true)
    t.equal(await leases.held('a'), false)
    leases.resume()
    const next = await leases.acquire('a', 15)
    await clock.advance(60_000)
    t.equal(next?.lost.aborted, false)
  })
})

await overNats(t, (t, nats) => {
  const clock = createSystemClock()
  // Time is real here: the tests wait beside each other.
  t.jobs = 8
  leasesContract(t, async () => {
    const url = nats.url()
    const [cut, kept] = ['one', 'other'].map((name) => connectNats({ url, name, clock, problem: () => {} }))
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
