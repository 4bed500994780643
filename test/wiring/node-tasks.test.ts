import t from 'tap'
import { progressOf } from '../../src/wiring/node-tasks.ts'
import { START, toPosition } from '../../src/events/position.ts'
import { createCluster, openNodeFixture } from '../fixtures/node-fixture.ts'

t.test('a rebuild reports its progress in numbers, by the view that is furthest behind', async (t) => {
  t.equal(progressOf([toPosition(900), toPosition(250)], toPosition(1000)), '25 % (position 250 of 1000)')
  t.equal(progressOf([START], toPosition(3)), '0 % (position 0 of 3)')
  t.equal(progressOf([START], START), '100 % (position 0 of 0)')
})

t.test('a node is ready once the views follow the log, not while their indexes are still made', async (t) => {
  const cluster = createCluster()
  const before = await openNodeFixture(t, { cluster })
  await before.person()
  await before.stop()
  const made = Promise.withResolvers<void>()
  const slow = { ...cluster.store, buildIndexes: () => made.promise }
  const node = await openNodeFixture(t, { cluster, wrap: (port) => (port === cluster.store ? (slow as unknown as typeof port) : port) })
  const lines: string[] = []
  const caughtUp = node.caughtUp((line) => lines.push(line))
  for (let s = 0; s < 30; s++) await node.clock.advance(1_000)
  t.strictSame([...node.readYourWrites.positions().values()].toSorted().at(0), await cluster.log.head(), 'all events are folded')
  t.equal(node.readiness().ready, false)
  t.equal(lines.at(-1), 'Waiting: The read models are being built from the log, and now their indexes.')
  made.resolve()
  for (let s = 0; s < 3; s++) await node.clock.advance(1_000)
  await caughtUp
  t.equal(node.readiness().ready, true)
})

t.test('a node whose views lack what they have shown is not ready until it is made again', async (t) => {
  const cluster = createCluster()
  let cause: unknown
  const losing = { ...cluster.store, lost: (name: string) => (name.startsWith('movies') ? cause : undefined) }
  const node = await openNodeFixture(t, { cluster, wrap: (port) => (port === cluster.store ? (losing as unknown as typeof port) : port) })
  const caughtUp = node.caughtUp()
  for (let second = 0; second < 5; second++) await node.clock.advance(1_000)
  await caughtUp
  t.equal(node.readiness().ready, true)
  cause = new Error('No room')
  t.match(node.readiness(), { ready: false, reason: /did not take the last changes/ })
  cause = undefined
  t.equal(node.readiness().ready, true)
})
