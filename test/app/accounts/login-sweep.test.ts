import t, { type Test } from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { sweepLogins } from '../../../src/app/accounts/login-sweep.ts'
import { openHouse, type House } from '../../fixtures/house.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

/** Sweeps by a clock that is so far ahead of the house's, for a few rounds. */
async function sweepAfter(t: Test, house: House, { ms, agrees = true }: { readonly ms: number; readonly agrees?: boolean }) {
  const clock = createTestClock({ startMs: house.clock.now() + ms })
  const stop = new AbortController()
  const problem = (cause: unknown) => t.fail(String(cause))
  const sweeping = sweepLogins({ ...house, agrees: () => agrees, clock, problem, signal: stop.signal })
  for (let round = 0; round < 3; round++) {
    await clock.advance(1000)
    await house.seen()
  }
  stop.abort()
  await sweeping
}

t.test('expired logins leave the view and the memory of the node, and the log names many in one event', async (t) => {
  const house = await openHouse(t)
  const { caller } = await house.person()
  for (let n = 0; n < 600; n++) await house.login(caller.userId)
  house.clock.setNow(house.clock.now() + 3 * DAY_MS)
  const { caller: later } = await house.login(caller.userId)
  await sweepAfter(t, house, { ms: 4 * DAY_MS + 2 * HOUR_MS })
  t.strictSame([...house.access.logins.keys()], [later.loginId], 'one that still holds stays')
  t.equal((await house.events()).filter(({ type }) => type === 'LoginsExpired').length, 2, '601 logins, at most 500 an event')
  const collection = [...house.freshness.positions().keys()].find((name) => name.startsWith('logins_'))
  const kept = await house.town.store.find(collection ?? '', { limit: 100 })
  t.strictSame(
    kept.documents.map(({ id }) => id),
    [later.loginId],
    'nor does the read model hold them',
  )
})

t.test('a login that another node may still take for live is not swept', async (t) => {
  const house = await openHouse(t)
  await house.person()
  await sweepAfter(t, house, { ms: 7 * DAY_MS + HOUR_MS - 5000 })
  await sweepAfter(t, house, { ms: 30 * DAY_MS, agrees: false })
  t.equal(house.access.logins.size, 1)
})
