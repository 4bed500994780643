import t from 'tap'
import { createTestClock } from '../../src/adapters/memory/clock.ts'
import { createLeaseTable, createMemoryLeases } from '../../src/adapters/memory/leases.ts'
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
