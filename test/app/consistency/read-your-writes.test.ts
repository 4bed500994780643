import t, { type Test } from 'tap'
import { createLocalBus } from '../../../src/adapters/memory/bus.ts'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createMemoryReadStore } from '../../../src/adapters/memory/read-store.ts'
import { createReadYourWrites, ViewsBehind } from '../../../src/app/consistency/read-your-writes.ts'
import { announce as announceOn, PASSED_SUBJECT, WHO_SUBJECT } from '../../../src/app/consistency/projector-announcements.ts'
import { openProgress, progressCollectionOf } from '../../../src/app/consistency/stored-progress.ts'
import { START, toPosition, type Position } from '../../../src/events/position.ts'
import { ServerUnavailable } from '../../../src/ports/server.ts'
import type { ReadStore } from '../../../src/ports/read-store.ts'

const [FIVE, SIX] = [toPosition(5), toPosition(6)]

async function setUp(t: Test) {
  const clock = createTestClock()
  const bus = createLocalBus({ clock })
  const store = createMemoryReadStore()
  await store.open(['movies_g1', 'files_g1'].map((name) => ({ name, fields: {}, indexes: [] })))
  let isFailing = false
  const collections: ReadStore['collections'] = async () => {
    if (isFailing) throw new ServerUnavailable('MongoDB')
    return store.collections()
  }
  const asked = { ...store, collections }
  const readYourWrites = createReadYourWrites({ bus, clock, store: asked, collections: ['movies_g1', 'files_g1'], own: ['mine'] })
  t.teardown(() => readYourWrites.close())
  const announce = async (positions: Readonly<Record<string, Position>>): Promise<void> => {
    announceOn(bus, { passed: positions, head: SIX, lagMs: 4, isLive: true })
    await clock.settle()
  }
  const checkpoint = (collection: string, to: Position) => store.commit({ collection, epoch: 1, from: START, to, puts: [], removes: [] })
  const fail = (failing: boolean): void => void (isFailing = failing)
  return { bus, clock, readYourWrites, store, announce, checkpoint, fail }
}

/** Whether it has settled by now. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const waiting = Symbol('waiting')
  return (await Promise.race([promise, new Promise((resolve) => setImmediate(resolve, waiting))])) !== waiting
}

t.test('a command on an empty stream waits for nothing', async (t) => {
  const { readYourWrites } = await setUp(t)
  t.ok(await isSettled(readYourWrites.waitFor(START)))
})

t.test('a command is answered when every view has passed it, this node’s own included', async (t) => {
  const { readYourWrites, announce } = await setUp(t)
  const reached = readYourWrites.waitFor(FIVE)
  await announce({ movies_g1: FIVE, files_g1: SIX })
  t.notOk(await isSettled(reached), 'the own one is missing')
  readYourWrites.passed('mine', FIVE)
  t.ok(await isSettled(reached))
  t.ok(await isSettled(readYourWrites.waitFor(FIVE)), 'and from then on at once')
  t.notOk(await isSettled(readYourWrites.waitFor(SIX).catch(() => {})))
})

t.test('an older announcement, one of a view that nobody reads, or a lost one takes nothing back', async (t) => {
  const { readYourWrites, announce } = await setUp(t)
  readYourWrites.passed('mine', SIX)
  await announce({ movies_g1: SIX, files_g1: SIX })
  await announce({ movies_g1: FIVE, other_g7: FIVE })
  t.ok(await isSettled(readYourWrites.waitFor(SIX)))
  t.strictSame(
    [...readYourWrites.positions()],
    [
      ['movies_g1', SIX],
      ['files_g1', SIX],
      ['mine', SIX],
    ],
  )
})

t.test('views that stay behind for two seconds end the waiting', async (t) => {
  const { clock, readYourWrites, announce } = await setUp(t)
  await announce({ movies_g1: SIX })
  const reached = readYourWrites.waitFor(FIVE)
  const ended = t.rejects(reached, ViewsBehind)
  await clock.advance(1999)
  t.notOk(await isSettled(reached.catch(() => {})))
  await clock.advance(1)
  await ended
})

t.test('where the bus is silent the store is asked', async (t) => {
  const { clock, readYourWrites, checkpoint } = await setUp(t)
  readYourWrites.passed('mine', SIX)
  const reached = readYourWrites.waitFor(FIVE)
  await clock.advance(500)
  t.notOk(await isSettled(reached))
  await checkpoint('movies_g1', SIX)
  await checkpoint('files_g1', FIVE)
  await clock.advance(250)
  t.ok(await isSettled(reached))
})

t.test('where the bus is silent a position that the projector stored for all its views will do', async (t) => {
  const { clock, readYourWrites, store } = await setUp(t)
  readYourWrites.passed('mine', SIX)
  const specs = ['movies_g1', 'files_g1'].map((name) => ({ name, fields: {}, indexes: [] }))
  await openProgress(store, specs, 1)
  await store.commit({ collection: progressCollectionOf(specs), epoch: 1, from: START, to: FIVE, puts: [], removes: [] })
  const reached = readYourWrites.waitFor(FIVE)
  await clock.advance(250)
  t.ok(await isSettled(reached))
})

t.test('a store that fails is asked again', async (t) => {
  const { clock, readYourWrites, checkpoint, fail } = await setUp(t)
  readYourWrites.passed('mine', SIX)
  await checkpoint('movies_g1', SIX)
  await checkpoint('files_g1', SIX)
  fail(true)
  const reached = readYourWrites.waitFor(FIVE)
  await clock.advance(1000)
  t.notOk(await isSettled(reached))
  fail(false)
  await clock.advance(250)
  t.ok(await isSettled(reached))
})

t.test('a node that starts asks the projectors, and knows their positions although no event happens', async (t) => {
  const clock = createTestClock()
  const bus = createLocalBus({ clock })
  bus.subscribe(WHO_SUBJECT, () => announceOn(bus, { passed: { movies_g1: SIX }, head: SIX, lagMs: 4, isLive: true }))
  const readYourWrites = createReadYourWrites({ bus, clock, store: createMemoryReadStore(), collections: ['movies_g1'], own: [] })
  t.teardown(() => readYourWrites.close())
  await clock.settle()
  t.equal(readYourWrites.least(), SIX)
})

t.test('it keeps the projectors’ last announcements, and knows which projectors are silent', async (t) => {
  const { clock, readYourWrites, announce } = await setUp(t)
  const never = { position: START, head: START, lagMs: null, isLive: false, heardAtMs: null }
  await announce({ movies_g1: FIVE })
  t.strictSame(readYourWrites.projections.all(), [
    { collection: 'movies_g1', position: FIVE, head: SIX, lagMs: 4, isLive: true, heardAtMs: 0 },
    { collection: 'files_g1', ...never },
  ])
  t.strictSame(readYourWrites.projections.silent(5000), ['files_g1'])
  await announce({ files_g1: SIX })
  await clock.advance(5000)
  t.strictSame(readYourWrites.projections.silent(5000), [])
  await announce({ files_g1: SIX })
  await clock.advance(1)
  t.strictSame(readYourWrites.projections.silent(5000), ['movies_g1'])
  await announce({ movies_g1: toPosition(4) })
  t.match(readYourWrites.projections.all()[0], { position: FIVE, heardAtMs: 0 }, 'one that was replaced is not heard')
})

t.test('what no projector of this version would say is not heard', async (t) => {
  const { bus, clock, readYourWrites } = await setUp(t)
  bus.publish(PASSED_SUBJECT, { head: { movies_g1: SIX, files_g1: SIX } })
  bus.publish(PASSED_SUBJECT, { head: { passed: { movies_g1: 'far', files_g1: 6 }, head: SIX, lagMs: 'long', isLive: true } })
  await clock.settle()
  t.strictSame(readYourWrites.projections.silent(5000), ['movies_g1', 'files_g1'])
  t.equal(readYourWrites.positions().get('files_g1'), START)
})
