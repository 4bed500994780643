import t, { type Test } from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createLeaseTable, createMemoryLeases } from '../../../src/adapters/memory/leases.ts'
import { keepProjectorLease, projectorLease } from '../../../projections/projector/projector-lease.ts'

/** A projector whose lease has expired, and another holder of it. */
async function taken(t: Test) {
  const [clock, table] = [createTestClock(), createLeaseTable()]
  const [own, other] = [createMemoryLeases({ clock, table }), createMemoryLeases({ clock, table })]
  const lease = await keepProjectorLease({ leases: own, clock }, 'movies_g1')
  own.stall()
  await clock.advance(15_000)
  const theirs = await other.acquire(projectorLease('movies_g1'), 15)
  own.resume()
  t.teardown(() => Promise.all([own.close(), other.close()]))
  return { clock, lease, theirs, other }
}

t.test('a lease that nobody keeps any more is waited for: the views are kept on meanwhile', async (t) => {
  const { clock, lease, theirs, other } = await taken(t)
  await clock.advance(14_000)
  t.equal(lease?.lost.aborted, false)
  await theirs?.release()
  await clock.advance(1000)
  t.equal(await other.held(projectorLease('movies_g1')), true, 'it is held again')
  await clock.advance(60_000)
  t.equal(lease?.lost.aborted, false)
})

t.test('one that is kept for longer than a lifetime is another projector', async (t) => {
  const { clock, lease, theirs } = await taken(t)
  await clock.advance(20_000)
  t.equal(lease?.lost.aborted, true)
  t.equal(theirs?.lost.aborted, false)
})
