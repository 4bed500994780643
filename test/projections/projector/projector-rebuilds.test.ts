import t, { type Test } from 'tap'
import { runProjectors } from '../../../projections/projector/projectors.ts'
import { collectionOf, type AnyView } from '../../../projections/views/view.ts'
import { createLocalBus } from '../../../src/adapters/memory/bus.ts'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createMemoryEventLog } from '../../../src/adapters/memory/event-log.ts'
import { createLeaseTable, createMemoryLeases } from '../../../src/adapters/memory/leases.ts'
import { createMemoryReadStore } from '../../../src/adapters/memory/read-store.ts'
import { createLiveStore } from '../../../src/app/consistency/live-store.ts'
import { createReadYourWrites } from '../../../src/app/consistency/read-your-writes.ts'
import { createViewGenerations } from '../../../src/app/consistency/view-generations.ts'
import type { ReadStore } from '../../../src/ports/read-store.ts'
import type { Happened } from '../../fixtures/given.ts'
import { named } from '../../fixtures/names.ts'
import { createStory } from '../../fixtures/story.ts'

const session = { sessionId: named<'session'>('evening'), userId: named<'user'>('ann'), movieId: named<'movie'>('film') }
const beat: Happened = {
  type: 'PlaybackHeartbeat',
  data: { ...session, fileId: named<'file'>('file'), durationMs: 3_600_000, positionMs: 1, playState: 'playing', rate: 1, sequence: null },
}

const counting = (name: string): AnyView => ({
  name,
  version: 1,
  fields: {},
  indexes: [],
  handles: {
    PlaybackHeartbeat: ({ data }) => [{ id: data.sessionId, fold: (document) => ({ beats: Number(document?.['beats'] ?? 0) + 1 }) }],
  },
})
const views = [counting('films'), counting('users')]
const [FILMS, REBUILT] = ['films_g1', 'films_g1_r1']

/** A node that reads, and projectors, each with its own state of the generations, over one store. */
function setUp(t: Test) {
  const clock = createTestClock()
  const bus = createLocalBus({ clock })
  const [log, store, table] = [createMemoryEventLog(), createMemoryReadStore(), createLeaseTable()]
  const append = createStory(log)
  const generations = createViewGenerations({ store, clock })
  const live = createLiveStore(store, generations)
  const collections = views.map((view) => collectionOf(view))
  const readYourWrites = createReadYourWrites({ bus, clock, store, collections, generations, own: [] })
  t.teardown(() => readYourWrites.close())

  function project(own: ReadStore = store) {
    const problems: unknown[] = []
    const stopping = new AbortController()
    const leases = createMemoryLeases({ clock, table })
    const onError = (cause: unknown, level?: string) => void (level === 'info' || problems.push(cause))
    const deps = {
      log,
      store: own,
      bus,
      leases,
      clock,
      views,
      onError,
      keepOldMs: 0,
      generations: createViewGenerations({ store: own, clock }),
    }
    const running = runProjectors(deps, stopping.signal)
    const stop = async (): Promise<void> => {
      stopping.abort()
      await clock.settle()
      await running
    }
    t.teardown(stop)
    return { problems, stop }
  }
  const tell = async (count: number) => {
    const position = await append(Array.from({ length: count }, () => beat))
    await clock.settle()
    return position
  }
  const rebuild = () => generations.change(FILMS, (now) => (now.building === null ? { ...now, building: now.live + 1 } : undefined))
  const beats = async () => (await live.get(FILMS, session.sessionId))?.body['beats']
  return { clock, store, generations, live, readYourWrites, project, tell, rebuild, beats }
}

/** Changes the live documents, so that reads reveal which generation they use. */
async function spoil(store: ReadStore): Promise<void> {
  const document = await store.get(FILMS, session.sessionId)
  const at = await store.checkpoint(FILMS)
  if (document)
    await store.commit({ collection: FILMS, epoch: 1, from: at, to: at, puts: [{ ...document, body: { beats: -1000 } }], removes: [] })
}

t.test('a rebuild heals documents, and replaces those that are read when it has caught up', async (t) => {
  const { clock, store, generations, readYourWrites, project, tell, rebuild, beats } = setUp(t)
  const first = project()
  await tell(900)
  await first.stop()
  await spoil(store)
  t.equal(await beats(), -1000)
  await rebuild()
  const next = project()
  await clock.advance(3000)
  await generations.load()
  t.equal(await beats(), 900)
  t.strictSame(generations.of(FILMS), { live: 1, building: null, retiring: 0 })
  t.ok((await store.collections()).includes(FILMS), 'other nodes may still read the documents before')

  const position = await tell(3)
  await readYourWrites.waitFor(position)
  t.equal(await beats(), 903)
  t.equal((await store.get(FILMS, session.sessionId))?.body['beats'], -997, 'which are kept up to date')
  await clock.advance(60_000)
  t.strictSame(
    (await store.collections()).filter((name) => name.startsWith('films')),
    [REBUILT],
    'then they are dropped',
  )
  await readYourWrites.waitFor(await tell(1))
  t.equal(await beats(), 904)

  await rebuild()
  await clock.advance(60_000)
  t.strictSame(
    (await store.collections()).filter((name) => name.startsWith('films')),
    ['films_g1_r2'],
  )
  t.equal(await beats(), 904)
  t.strictSame(next.problems, [])
})

t.test('events that come meanwhile are visible at once, before and after', async (t) => {
  const { clock, readYourWrites, project, tell, rebuild, beats } = setUp(t)
  const running = project()
  await tell(500)
  await rebuild()
  for (let count = 501; count < 560; count++) {
    await readYourWrites.waitFor(await tell(1))
    t.equal(await beats(), count)
    await clock.advance(400)
  }
  t.strictSame(running.problems, [])
})

t.test('the projector that takes the views over continues the rebuild', async (t) => {
  const { clock, store, project, tell, rebuild, beats, generations } = setUp(t)
  const commit: ReadStore['commit'] = async (...commits) => {
    if (commits.some(({ collection, puts }) => collection === REBUILT && puts.length > 0)) throw new Error('The disk is full')
    return store.commit(...commits)
  }
  const failing = project({ ...store, commit })
  await tell(100)
  await rebuild()
  await clock.advance(2000)
  t.ok((await store.collections()).includes(REBUILT))
  t.strictSame(generations.of(FILMS), { live: 0, building: 1, retiring: null })
  t.equal(await beats(), 100)
  await failing.stop()
  t.match(failing.problems[0], { message: 'The disk is full' })
  const next = project()
  await clock.advance(20_000)
  await generations.load()
  t.match(generations.of(FILMS), { live: 1, building: null })
  t.equal(await beats(), 100)
  t.strictSame(next.problems, [])
})
