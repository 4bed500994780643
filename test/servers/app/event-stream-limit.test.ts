/** The limit of ten event streams per user over all nodes: never more, and no failure because the bus is unavailable. */
import t, { type Test } from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createLeaseTable, createMemoryLeases } from '../../../src/adapters/memory/leases.ts'
import { connectNats } from '../../../src/adapters/nats/connection.ts'
import { createNatsBus } from '../../../src/adapters/nats/bus.ts'
import { createNatsLeases } from '../../../src/adapters/nats/leases.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { createEventStreamLimit } from '../../../src/app/feed/event-stream-limit.ts'
import { ServerUnavailable } from '../../../src/ports/server.ts'
import { named } from '../../fixtures/names.ts'
import { overNats } from '../../fakes/nats.ts'

const [ann, ben] = [named<'user'>('ann'), named<'user'>('ben')]

type Leave = () => void

/** Nodes on one lease table, to which each node's connection may fail or stall. */
function setUp() {
  const clock = createTestClock()
  const table = createLeaseTable()
  let asked = 0
  const slow = { answerMs: 0 }
  function start(node: string) {
    const leases = createMemoryLeases({ clock, table })
    const bus = { isAway: false }
    const acquire: typeof leases.acquire = async (...ask) => {
      asked++
      if (bus.isAway) throw new ServerUnavailable('NATS')
      if (slow.answerMs > 0) await clock.sleep(slow.answerMs)
      return leases.acquire(...ask)
    }
    return { ...createEventStreamLimit({ leases: { acquire }, clock, node }), bus, leases }
  }
  return { clock, table, start, one: start('node-1'), two: start('node-2'), bus: slow, asked: () => asked }
}

const taken = (answers: readonly (Leave | undefined)[]): readonly Leave[] => answers.filter((leave) => leave !== undefined)

t.test('a user has ten streams over all nodes, the eleventh is refused; closing one makes room', async (t) => {
  const { clock, one, two } = setUp()
  const leaves: Leave[] = []
  for (let n = 0; n < 10; n++) leaves.push(...taken([await [one, two][n % 2]?.take(ann)]))
  t.equal(leaves.length, 10)
  t.equal(await one.take(ann), undefined)
  t.equal(await two.take(ann), undefined)
  t.ok(await two.take(ben), 'each user has ten')
  leaves[3]?.()
  leaves[3]?.()
  await clock.settle()
  t.ok(await one.take(ann), 'of a place that the other node gave back')
  t.equal(await two.take(ann), undefined, 'one only, however often it is given back')
})

t.test('of many that are opened at once on both nodes exactly ten pass', async (t) => {
  const { one, two } = setUp()
  const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? one : two).take(ann)))
  t.equal(taken(answers).length, 10)
  for (const leave of taken(answers)) leave()
  t.equal(taken(await Promise.all(Array.from({ length: 12 }, () => one.take(ann)))).length, 10)
})

t.test('many that are opened at once ask for different places, so that a slow bus is no reason to count alone', async (t) => {
  const { clock, one, two, bus, asked } = setUp()
  bus.answerMs = 400
  const answers = Promise.all(Array.from({ length: 24 }, (_, n) => (n % 2 === 0 ? one : two).take(ann)))
  await clock.advance(4_000)
  t.equal(taken(await answers).length, 10)
  t.ok(asked() <= 40, `${asked()} questions for 24 streams`)
})

t.test('a place is found by few questions as long as not all are taken', async (t) => {
  const { one, two, asked } = setUp()
  for (let n = 0; n < 3; n++) await one.take(ann)
  for (let n = 0; n < 3; n++) await two.take(ann)
  t.ok(asked() <= 15, `${asked()} for six`)
})

t.test('a node that dies frees its places within the life of a lease', async (t) => {
  const { clock, one, two } = setUp()
  for (let n = 0; n < 10; n++) await one.take(ann)
  one.leases.stall()
  await clock.advance(14_000)
  t.equal(await two.take(ann), undefined)
  await clock.advance(1_001)
  t.ok(await two.take(ann))
})

t.test('places are held for as long as the streams are open', async (t) => {
  const { clock, one, two } = setUp()
  for (let n = 0; n < 10; n++) await one.take(ann)
  await clock.advance(3_600_000)
  t.equal(await two.take(ann), undefined)
})

t.test('while the bus is away each node counts by itself, and what is open gets its place when it is back', async (t) => {
  const { clock, table, one, two } = setUp()
  one.bus.isAway = two.bus.isAway = true
  const leaves: Leave[] = []
  for (let n = 0; n < 6; n++) leaves.push(...taken([await one.take(ann)]))
  t.equal(leaves.length, 6)
  for (let n = 0; n < 4; n++) await one.take(ann)
  t.equal(await one.take(ann), undefined, 'the eleventh here')
  t.ok(await two.take(ann), 'the other node knows nothing of them')
  leaves[0]?.()
  one.bus.isAway = two.bus.isAway = false
  await clock.advance(15_000)
  t.equal(table.held.size, 10, 'nine here and one there')
  t.equal(await two.take(ann), undefined)
  leaves[1]?.()
  await clock.settle()
  t.ok(await two.take(ann))
})

t.test('a lease that is lost closes nothing: the stream has a place again as soon as there is one', async (t) => {
  const { clock, table, one, two } = setUp()
  const leave = await one.take(ann)
  for (let n = 0; n < 8; n++) await one.take(ann)
  one.leases.stall()
  await clock.advance(20_000)
  one.leases.resume()
  t.ok(await two.take(ann))
  await clock.advance(30_000)
  t.equal(table.held.size, 10)
  leave?.()
  await clock.settle()
  t.equal(table.held.size, 9)
  await clock.advance(60_000)
  t.equal(table.held.size, 9, 'what is closed looks for no place')
})

t.test('a question that takes forever holds nobody up forever', async (t) => {
  const clock = createTestClock()
  const acquire = async () => {
    await clock.sleep(1_500)
    return null
  }
  const { take } = createEventStreamLimit({ leases: { acquire }, clock, node: 'one' })
  const taking = take(ann)
  await clock.advance(3_000)
  t.ok(await taking)
})

void overNats(t, (t, nats) => {
  async function start(t: Test, url: string, name: string) {
    const clock = createSystemClock()
    const connection = connectNats({ url, name, clock, onError: () => {} })
    const bus = createNatsBus({ connection, clock })
    const leases = createNatsLeases({ connection, clock, bus, name })
    t.teardown(async () => {
      await leases.close()
      await bus.close()
      await connection.close()
    })
    return createEventStreamLimit({ leases, clock, node: name })
  }

  t.test('of many that are opened at once on two nodes exactly ten pass', { timeout: 60_000 }, async (t) => {
    const url = nats.url()
    const [one, two] = [await start(t, url, 'node-1'), await start(t, url, 'node-2')]
    const answers = await Promise.all(Array.from({ length: 24 }, (_, n) => (n % 2 === 0 ? one : two).take(ann)))
    t.equal(taken(answers).length, 10)
    taken(answers)[0]?.()
    for (let tries = 0; !(await two.take(ann)); tries++) if (tries > 200) t.fail('no room')
    t.equal(await one.take(ann), undefined)
  })
})
