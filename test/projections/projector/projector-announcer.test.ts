import t, { type Test } from 'tap'
import { runProjector } from '../../../projections/projector/projector.ts'
import { collectionOf, type AnyView } from '../../../projections/views/view.ts'
import { createLocalBus } from '../../../src/adapters/memory/bus.ts'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createMemoryEventLog } from '../../../src/adapters/memory/event-log.ts'
import { createMemoryReadStore } from '../../../src/adapters/memory/read-store.ts'
import { hearProjectors, type Announcement } from '../../../src/app/consistency/projector-announcements.ts'
import { storedPositions } from '../../../src/app/consistency/stored-progress.ts'
import { later, START, type Position } from '../../../src/events/position.ts'
import type { EventLog } from '../../../src/ports/event-log.ts'
import type { ReadStore } from '../../../src/ports/read-store.ts'
import type { Happened } from '../../fixtures/given.ts'
import { named } from '../../fixtures/names.ts'
import { createStory } from '../../fixtures/story.ts'

const libraryId = named<'library'>('films')
const view: AnyView = {
  name: 'offline',
  version: 1,
  fields: {},
  indexes: [],
  handles: { LibraryWentOffline: ({ data }) => [{ id: data.libraryId, fold: () => ({ isOffline: true }) }] },
}
const collection = collectionOf(view)
const offline: Happened = { type: 'LibraryWentOffline', data: { libraryId, roots: [] } }
const irrelevant: Happened = { type: 'LibraryCameOnline', data: { libraryId } }

function setUp(t: Test) {
  const clock = createTestClock()
  const bus = createLocalBus({ clock })
  const [log, store] = [createMemoryEventLog(), createMemoryReadStore()]
  let commits = 0
  const commit: ReadStore['commit'] = (...made) => {
    commits++
    return store.commit(...made)
  }
  let elsewhere: Position = START
  const head: EventLog['head'] = async () => later(elsewhere, await log.head())
  const said: Announcement[] = []
  hearProjectors(bus, (announcement) => void said.push(announcement))
  const stopping = new AbortController()
  const views = [{ view, epoch: 1 }]
  const running = runProjector(
    { log: { ...log, head }, store: { ...store, commit }, bus, clock, views, unfoldable: () => {} },
    stopping.signal,
  )
  const story = createStory(log)
  async function stop(): Promise<void> {
    stopping.abort()
    await running
  }
  t.teardown(stop)
  return {
    clock,
    bus,
    store,
    said,
    stop,
    commits: () => commits,
    stored: async () => (await storedPositions(store, [collection])).get(collection),
    /** Others append, and the log subscription does not deliver it yet. */
    appendElsewhere: (position: Position) => void (elsewhere = position),
    append: async (...events: readonly Happened[]): Promise<Position> => {
      const position = await story(events)
      await clock.settle()
      return position
    },
  }
}

t.test('how far all views are is stored with each batch; where nothing concerned them, once when the log is quiet', async (t) => {
  const { append, clock, commits, store, stored, stop } = setUp(t)
  const first = await append(offline)
  t.equal(await stored(), first)
  const before = commits()
  const last = await append(irrelevant, irrelevant)
  t.equal(commits(), before)
  await clock.advance(10_000)
  t.equal(commits(), before + 1)
  t.equal(await stored(), last)
  t.equal(await store.checkpoint(collection), first)
  await stop()
  t.equal(await store.checkpoint(collection), last, 'who stops leaves nothing to be looked at twice')
})

t.test('the positions of views and log are announced after each batch and every second, with the duration of the last event', async (t) => {
  const { append, appendElsewhere, clock, said } = setUp(t)
  const last = await append({ ...offline, atMs: clock.now() - 40 }, { ...irrelevant, atMs: clock.now() - 30 })
  t.strictSame(said.at(-1), { passed: { [collection]: last }, head: last, lagMs: 30, isLive: true })
  const before = said.length
  await clock.advance(3000)
  t.equal(said.length, before + 3)
  t.match(said.at(-1), { lagMs: 30 })
  const beyond = '00000000000000000900' as Position
  appendElsewhere(beyond)
  await clock.advance(1000)
  t.match(said.at(-1), { passed: { [collection]: last }, head: beyond })
})

t.test('an event that another computer’s clock puts into the future took no time', async (t) => {
  const { append, clock, said } = setUp(t)
  await append({ ...offline, atMs: clock.now() + 5000 })
  t.equal(said.at(-1)?.lagMs, 0)
})

t.test('a node that asks gets an answer at once', async (t) => {
  const { append, bus, clock, said } = setUp(t)
  const last = await append(offline)
  const before = said.length
  hearProjectors(bus, () => {})
  await clock.settle()
  t.equal(said.length, before + 1)
  t.match(said.at(-1), { passed: { [collection]: last }, isLive: true })
})
