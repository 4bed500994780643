import t, { type Test } from 'tap'
import { createLocalBus } from '../../src/adapters/memory/bus.ts'
import { createTestClock } from '../../src/adapters/memory/clock.ts'
import { createMemoryReadStore } from '../../src/adapters/memory/read-store.ts'
import { createFreshness, PASSED_SUBJECT, ViewsBehind } from '../../src/app/freshness.ts'
import { START, toPosition, type Position } from '../../src/events/position.ts'

const [FIVE, SIX] = [toPosition(5), toPosition(6)]

async function setUp(t: Test) {
  const clock = createTestClock()
  const bus = createLocalBus({ clock })
  const store = createMemoryReadStore()
  await store.open(['movies_g1', 'files_g1'].map((name) => ({ name, fields: {}, indexes: [] })))
  const freshness = createFreshness({ bus, clock, store, collections: ['movies_g1', 'files_g1'], own: ['mine'] })
  t.teardown(() => freshness.close())
  const announce = async (positions: Readonly<Record<string, Position>>): Promise<void> => {
    bus.publish(PASSED_SUBJECT, { head: positions })
    await clock.settle()
  }
  const checkpoint = (collection: string, to: Position) => store.commit({ collection, epoch: 1, from: START, to, puts: [], removes: [] })
  return { clock, freshness, announce, checkpoint }
}

/** Whether it has settled by now. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const waiting = Symbol('waiting')
  return (await Promise.race([promise, new Promise((resolve) => setImmediate(resolve, waiting))])) !== waiting
}

t.test('a command on an empty stream waits for nothing', async (t) => {
  const { freshness } = await setUp(t)
  t.ok(await isSettled(freshness.reach(START)))
})

t.test('a command is answered when every view has passed it, this node’s own included', async (t) => {
  const { freshness, announce } = await setUp(t)
  const reached = freshness.reach(FIVE)
  await announce({ movies_g1: FIVE, files_g1: SIX })
  t.notOk(await isSettled(reached), 'the own one is missing')
  freshness.passed('mine', FIVE)
  t.ok(await isSettled(reached))
  t.ok(await isSettled(freshness.reach(FIVE)), 'and from then on at once')
  t.notOk(await isSettled(freshness.reach(SIX).catch(() => {})))
})

t.test('an older announcement, one of a view that nobody reads, or a lost one takes nothing back', async (t) => {
  const { freshness, announce } = await setUp(t)
  freshness.passed('mine', SIX)
  await announce({ movies_g1: SIX, files_g1: SIX })
  await announce({ movies_g1: FIVE, other_g7: FIVE })
  t.ok(await isSettled(freshness.reach(SIX)))
  t.strictSame(
    [...freshness.positions()],
    [
      ['movies_g1', SIX],
      ['files_g1', SIX],
      ['mine', SIX],
    ],
  )
})

t.test('views that stay behind for two seconds end the waiting', async (t) => {
  const { clock, freshness, announce } = await setUp(t)
  await announce({ movies_g1: SIX })
  const reached = freshness.reach(FIVE)
  const ended = t.rejects(reached, ViewsBehind)
  await clock.advance(1999)
  t.notOk(await isSettled(reached.catch(() => {})))
  await clock.advance(1)
  await ended
})

t.test('where the bus is silent the store is asked', async (t) => {
  const { clock, freshness, checkpoint } = await setUp(t)
  freshness.passed('mine', SIX)
  const reached = freshness.reach(FIVE)
  await clock.advance(500)
  t.notOk(await isSettled(reached))
  await checkpoint('movies_g1', SIX)
  await checkpoint('files_g1', FIVE)
  await clock.advance(250)
  t.ok(await isSettled(reached))
})
