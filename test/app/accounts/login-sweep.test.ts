import t, { type Test } from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { sweepLogins } from '../../../src/app/accounts/login-sweep.ts'
import { openNodeFixture, type NodeFixture } from '../../fixtures/node-fixture.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

/** Sweeps on a clock that runs this far ahead of the node's, for a few rounds. */
async function sweepAfter(t: Test, node: NodeFixture, { ms, agrees = true }: { readonly ms: number; readonly agrees?: boolean }) {
  const clock = createTestClock({ startMs: node.clock.now() + ms })
  const stop = new AbortController()
  const onError = (cause: unknown) => t.fail(String(cause))
  const sweeping = sweepLogins({ ...node, agrees: () => agrees, clock, onError, signal: stop.signal })
  for (let round = 0; round < 3; round++) {
    await clock.advance(1000)
    await node.seen()
  }
  stop.abort()
  await sweeping
}

t.test('expired logins leave the view and the memory of the node, and the log names many in one event', async (t) => {
  const node = await openNodeFixture(t)
  const { caller } = await node.person()
  for (let n = 0; n < 600; n++) await node.login(caller.userId)
  node.clock.setNow(node.clock.now() + 3 * DAY_MS)
  const { caller: later } = await node.login(caller.userId)
  await sweepAfter(t, node, { ms: 4 * DAY_MS + 2 * HOUR_MS })
  t.strictSame([...node.access.logins.keys()], [later.loginId], 'one that still holds stays')
  t.equal((await node.events()).filter(({ type }) => type === 'LoginsExpired').length, 2, '601 logins, at most 500 an event')
  const collection = [...node.readYourWrites.positions().keys()].find((name) => name.startsWith('logins_'))
  const kept = await node.cluster.store.find(collection ?? '', { limit: 100 })
  t.strictSame(
    kept.documents.map(({ id }) => id),
    [later.loginId],
    'nor does the read model hold them',
  )
})

t.test('a login that another node may still take for live is not swept', async (t) => {
  const node = await openNodeFixture(t)
  await node.person()
  await sweepAfter(t, node, { ms: 7 * DAY_MS + HOUR_MS - 5000 })
  await sweepAfter(t, node, { ms: 30 * DAY_MS, agrees: false })
  t.equal(node.access.logins.size, 1)
})
