import t, { type Test } from 'tap'
import { createLocalBus } from '../../../src/adapters/memory/bus.ts'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createMemoryReadStore } from '../../../src/adapters/memory/read-store.ts'
import { createReadYourWrites, type ReadYourWrites } from '../../../src/app/consistency/read-your-writes.ts'
import { announce } from '../../../src/app/consistency/projector-announcements.ts'
import { toPosition, type Position } from '../../../src/events/position.ts'

const [FIVE, SIX, SEVEN] = [toPosition(5), toPosition(6), toPosition(7)]
const OWN = 'mine'

/** Nodes on one bus, behind a projector that is always ahead. */
function setUp(t: Test) {
  const clock = createTestClock()
  const bus = createLocalBus({ clock })
  let published = 0
  /** Sends nothing any more, not even a farewell. */
  const dead = new Set<string>()
  async function start(node: string, { joins = true, aheadMs = 0 } = {}): Promise<ReadYourWrites> {
    const store = createMemoryReadStore()
    const publish: typeof bus.publish = (...said) => {
      if (dead.has(node)) return
      if (said[0] === 'node.passed') published++
      bus.publish(...said)
    }
    const own = { ...clock, now: () => clock.now() + aheadMs }
    const readYourWrites = createReadYourWrites({
      bus: { ...bus, publish },
      clock: own,
      store,
      collections: ['films_g1'],
      own: [OWN],
      node,
    })
    t.teardown(() => readYourWrites.close())
    announce(bus, { passed: { films_g1: toPosition(1000) }, head: toPosition(1000), lagMs: 0, isLive: true })
    await clock.settle()
    if (joins) readYourWrites.join()
    await clock.settle()
    return readYourWrites
  }
  const pass = async (readYourWrites: ReadYourWrites, position: Position): Promise<void> => {
    readYourWrites.passed(OWN, position)
    await clock.advance(5)
  }
  return { bus, clock, start, pass, kill: (node: string) => void dead.add(node), published: () => published }
}

/** Its state: waiting, reached or behind. */
function watch(reached: Promise<void>): { state: 'waiting' | 'reached' | 'behind' } {
  const watched: ReturnType<typeof watch> = { state: 'waiting' }
  reached.then(
    () => (watched.state = 'reached'),
    () => (watched.state = 'behind'),
  )
  return watched
}

t.test('a command is answered when the other node has passed it too', async (t) => {
  const { start, pass } = setUp(t)
  const [one, other] = [await start('one'), await start('other')]
  await pass(one, FIVE)
  const waiting = watch(one.waitFor(FIVE))
  await pass(one, SIX)
  t.equal(waiting.state, 'waiting')
  t.equal(one.least(), SIX, 'what is read on this node does not wait for the other one')
  await pass(other, FIVE)
  t.equal(waiting.state, 'reached')
})

t.test('a node that died is forgotten before anybody’s patience ends, and not waited for again', async (t) => {
  const { clock, start, pass, kill } = setUp(t)
  const [one] = [await start('one'), await start('other')]
  await pass(one, SIX)
  kill('other')
  const first = watch(one.waitFor(FIVE))
  await clock.advance(1000)
  t.equal(first.state, 'waiting')
  await clock.advance(999)
  t.equal(first.state, 'reached')
  const second = watch(one.waitFor(SIX))
  await clock.settle()
  t.equal(second.state, 'reached')
})

t.test('a node that leaves is not waited for any more', async (t) => {
  const { clock, start, pass } = setUp(t)
  const [one, other] = [await start('one'), await start('other')]
  await pass(one, FIVE)
  const waiting = watch(one.waitFor(FIVE))
  await clock.settle()
  t.equal(waiting.state, 'waiting')
  other.close()
  await clock.settle()
  t.equal(waiting.state, 'reached')
})

t.test('a node that is still starting holds nobody up', async (t) => {
  const { clock, start, pass } = setUp(t)
  const one = await start('one')
  const other = await start('other', { joins: false })
  await pass(one, FIVE)
  const waiting = watch(one.waitFor(FIVE))
  await clock.settle()
  t.equal(waiting.state, 'reached')
  other.join()
  await clock.settle()
  const later = watch(one.waitFor(FIVE))
  await clock.settle()
  t.equal(later.state, 'waiting')
})

t.test('a node that stays where it is holds one command up, and counts again when it has caught up', async (t) => {
  const { clock, start, pass } = setUp(t)
  const [one, other] = [await start('one'), await start('other')]
  await pass(other, FIVE)
  await pass(one, SIX)
  const first = watch(one.waitFor(SIX))
  await clock.advance(1000)
  t.equal(first.state, 'waiting')
  await clock.advance(999)
  t.equal(first.state, 'reached')
  await pass(one, SEVEN)
  const second = watch(one.waitFor(SEVEN))
  await clock.settle()
  t.equal(second.state, 'reached', 'though it is heard every second')

  await pass(other, SEVEN)
  await clock.advance(2000)
  await pass(one, toPosition(8))
  const third = watch(one.waitFor(toPosition(8)))
  await clock.settle()
  t.equal(third.state, 'waiting')
  await pass(other, toPosition(8))
  t.equal(third.state, 'reached')
})

t.test('a single node announces its position once a second; several announce it every few milliseconds at most', async (t) => {
  const { clock, start, published } = setUp(t)
  const one = await start('one')
  const before = published()
  for (let n = 10; n < 200; n++) one.passed(OWN, toPosition(n))
  await clock.advance(3000)
  t.equal(published() - before, 3)
  await start('other')
  await clock.advance(2000)
  const beforeBurst = published()
  for (let n = 200; n < 400; n++) {
    one.passed(OWN, toPosition(n))
    await clock.advance(0.1)
  }
  await clock.advance(5)
  const said = published() - beforeBurst
  t.ok(said >= 2 && said <= 7, `${said} announcements within 25 ms`)
})

t.test('the position of the log is known from the other node’s announcements, even after that node is gone', async (t) => {
  const { start, pass } = setUp(t)
  const [one, other] = [await start('one'), await start('other')]
  await pass(other, toPosition(2000))
  t.equal(one.furthest(), toPosition(2000))
  other.close()
  t.equal(one.furthest(), toPosition(2000))
  t.equal(one.least(), toPosition(0), 'its own views are where they were')
})

t.test('nodes announce their clocks to each other', async (t) => {
  const { clock, start } = setUp(t)
  const [one, other] = [await start('one'), await start('other', { aheadMs: 1_500 })]
  await clock.advance(3_000)
  t.strictSame(one.skews.warnings(), ["The clock of other is 1.5 s ahead of this node's"])
  t.strictSame(other.skews.warnings(), ["The clock of one is 1.5 s behind this node's"])
  other.close()
  await clock.settle()
  t.strictSame(one.skews.warnings(), [])
})

t.test('an announcement in another shape is ignored', async (t) => {
  const { bus, clock, start } = setUp(t)
  const one = await start('one')
  for (const wrong of [{ node: 7 }, { node: 'x'.repeat(300) }, { position: 'far' }, { position: 9 }, { now: 1e308 }, { now: 'noon' }]) {
    bus.publish('node.passed', { head: { node: 'other', position: toPosition(9_000), now: clock.now() + 600_000, ...wrong } })
  }
  await clock.settle()
  t.not(one.furthest(), toPosition(9_000))
  t.strictSame(one.skews.warnings(), [])
})
