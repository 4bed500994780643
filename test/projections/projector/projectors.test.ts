import t, { type Test } from 'tap'
import { runProjectors } from '../../../projections/projector/projectors.ts'
import { Fenced } from '../../../projections/projector/projector.ts'
import { collectionOf, type AnyView } from '../../../projections/views/view.ts'
import { createLocalBus } from '../../../src/adapters/memory/bus.ts'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createMemoryEventLog } from '../../../src/adapters/memory/event-log.ts'
import { createLeaseTable, createMemoryLeases } from '../../../src/adapters/memory/leases.ts'
import { createMemoryReadStore } from '../../../src/adapters/memory/read-store.ts'
import { createReadYourWrites } from '../../../src/app/consistency/read-your-writes.ts'
import { createViewGenerations } from '../../../src/app/consistency/view-generations.ts'
import { START, toPosition, type Position } from '../../../src/events/position.ts'
import { ServerUnavailable } from '../../../src/ports/server.ts'
import type { Report } from '../../../src/ports/report.ts'
import type { ReadStore } from '../../../src/ports/read-store.ts'
import type { EventLog } from '../../../src/ports/event-log.ts'
import type { Leases } from '../../../src/ports/leases.ts'
import type { Happened } from '../../fixtures/given.ts'
import { named } from '../../fixtures/names.ts'
import { createStory } from '../../fixtures/story.ts'

const session = { sessionId: named<'session'>('evening'), userId: named<'user'>('ann'), movieId: named<'movie'>('film') }
const beat: Happened = {
  type: 'PlaybackHeartbeat',
  data: { ...session, fileId: named<'file'>('file'), durationMs: 3_600_000, positionMs: 1, playState: 'playing', rate: 1, sequence: null },
}
const beats = (count: number): readonly Happened[] => Array.from({ length: count }, () => beat)

/** Counts heartbeats; the second version counts them twice. */
const counting = (name: string, version = 1): AnyView => ({
  name,
  version,
  fields: {},
  indexes: [],
  handles: {
    PlaybackHeartbeat: ({ data }) => [{ id: data.sessionId, fold: (document) => ({ beats: Number(document?.['beats'] ?? 0) + version }) }],
  },
})
const [films, users, scans] = [counting('films'), counting('users'), counting('scans')]

/** A log and a store that projectors share, each with its own leases over one table. */
function setUp(t: Test) {
  const clock = createTestClock()
  const bus = createLocalBus({ clock })
  const [log, store, table] = [createMemoryEventLog(), createMemoryReadStore(), createLeaseTable()]
  const append = createStory(log)

  function project(views: readonly AnyView[], { keepOldMs = 0, own: ownStore = store }: { keepOldMs?: number; own?: ReadStore } = {}) {
    const own = createMemoryLeases({ clock, table })
    let isCutOff = false
    const acquire: Leases['acquire'] = async (...asked) => {
      if (isCutOff) throw new ServerUnavailable('The leases')
      return own.acquire(...asked)
    }
    const leases = { ...own, acquire }
    const cutOff = (): void => {
      own.stall()
      isCutOff = true
    }
    const connect = (): void => {
      own.resume()
      isCutOff = false
    }
    const problems: unknown[] = []
    const follows: Position[] = []
    const printed: string[] = []
    const print = (line: string) => void printed.push(line)
    const follow: EventLog['follow'] = (after, signal) => {
      follows.push(after)
      return log.follow(after, signal)
    }
    const stopping = new AbortController()
    const lines: string[] = []
    const onError: Report = (cause, level = 'error') => {
      lines.push(`${level}: ${(cause as Error).message}`)
      if (level !== 'info') problems.push(cause)
    }
    const generations = createViewGenerations({ store: ownStore, clock })
    const deps = { generations, log: { ...log, follow }, store: ownStore, bus, leases, clock, views, onError, print, keepOldMs }
    const running = runProjectors(deps, stopping.signal)
    const stop = async (): Promise<void> => {
      stopping.abort()
      await clock.settle()
      await running
    }
    t.teardown(stop)
    return { cutOff, connect, problems, lines, follows, printed, stop }
  }

  const beatsIn = async (view: AnyView) => (await store.get(collectionOf(view), session.sessionId))?.body['beats']
  const tell = async (count: number): Promise<Position> => {
    const position = await append(beats(count))
    await clock.settle()
    return position
  }
  const freshnessOf = (views: readonly AnyView[]) => {
    const readYourWrites = createReadYourWrites({ bus, clock, store, collections: views.map(collectionOf), own: [] })
    t.teardown(() => readYourWrites.close())
    return readYourWrites
  }
  return { clock, bus, log, store, table, project, tell, beatsIn, freshnessOf }
}

t.test('who is alone takes all views at once and keeps them in one loop', async (t) => {
  const { clock, project, tell, beatsIn } = setUp(t)
  await tell(3)
  const one = project([films, users, scans])
  await clock.settle()
  for (const view of [films, users, scans]) t.equal(await beatsIn(view), 3)
  await tell(2)
  t.equal(await beatsIn(scans), 5)
  t.equal(one.follows.length, 1)
  t.strictSame(one.problems, [])
})

t.test('of two that start together one keeps everything, and the other takes over when it stops', async (t) => {
  const { clock, project, tell, beatsIn } = setUp(t)
  const [hot, cold] = [project([films, users, scans]), project([films, users, scans])]
  await tell(3)
  await clock.advance(10_000)
  t.equal(hot.follows.length, 1)
  t.equal(cold.follows.length, 0, 'it only waits')
  await hot.stop()
  await tell(1)
  t.equal(await beatsIn(films), 3)
  await clock.advance(2000)
  for (const view of [films, users, scans]) t.equal(await beatsIn(view), 4)
  t.equal(cold.follows.length, 1)
  t.strictSame([hot.problems, cold.problems], [[], []])
  t.strictSame([hot.printed.length, cold.printed.length], [0, 1])
  t.match(cold.printed[0], 'No other projector keeps these views any more; this one takes them over: ')
})

t.test('one that is cut off loses its views to the other within the life of a lease, and comes back as the one that waits', async (t) => {
  const { clock, project, tell, beatsIn } = setUp(t)
  const [hot, cold] = [project([films, users]), project([films, users])]
  await tell(1)
  await clock.advance(4000)
  hot.cutOff()
  await clock.advance(15_000 + 5000 + 2000)
  await tell(1)
  t.equal(await beatsIn(films), 2, 'each event is folded once')
  t.type(hot.problems[0], Fenced, 'it is refused as soon as the other one has begun')
  t.equal(cold.follows.length, 1)
  hot.connect()
  await clock.advance(20_000)
  t.equal(hot.follows.length, 1)
  await cold.stop()
  await clock.advance(2000)
  await tell(1)
  t.equal(await beatsIn(films), 3)
  t.equal(hot.follows.length, 2)
  t.strictSame([hot.printed.length, cold.printed.length], [0, 1], 'the one that had them before says nothing')
})

t.test('if leases are unavailable for a while, the projector that keeps the views goes on', async (t) => {
  const { clock, project, tell, beatsIn } = setUp(t)
  const [hot, cold] = [project([films, users]), project([films, users])]
  await tell(1)
  for (const projector of [hot, cold]) projector.cutOff()
  await clock.advance(60_000)
  await tell(1)
  t.equal(await beatsIn(films), 2)
  for (const projector of [hot, cold]) projector.connect()
  await clock.advance(20_000)
  await tell(1)
  t.equal(await beatsIn(films), 3)
  t.equal(hot.follows.length + cold.follows.length, 1, 'and no other one takes over when the leases are back')
  await hot.stop()
  await clock.advance(2000)
  await tell(1)
  t.equal(await beatsIn(films), 4)
  t.strictSame(hot.problems, [])
  t.equal(cold.problems.length, 1, 'the one that waits tells once why')
})

t.test('a fenced projector releases its views, and continues from the stored state', async (t) => {
  const { clock, store, project, tell, beatsIn } = setUp(t)
  const projector = project([films, users])
  const first = await tell(1)
  const to = toPosition(2)
  const puts = [{ id: session.sessionId, at: to, body: { beats: 70 } }]
  t.equal(await store.commit({ collection: collectionOf(films), epoch: 1, from: first, to, puts, removes: [] }), 'applied')
  await tell(2)
  t.equal(projector.problems.length, 1)
  t.type(projector.problems[0], Fenced)
  t.equal(await beatsIn(users), 1, 'nothing of the refused batch is stored')
  await clock.advance(200)
  t.strictSame([await beatsIn(films), await beatsIn(users)], [71, 3])
  t.equal(projector.problems.length, 1)
})

t.test('a failure gives up the group that failed only, and is tried again after a pause that grows', async (t) => {
  const { clock, store, project, tell, beatsIn } = setUp(t)
  let broken = true
  let tries = 0
  const commit: ReadStore['commit'] = async (...commits) => {
    if (broken && commits.some(({ puts }) => puts.some(({ id }) => id === session.sessionId))) {
      tries++
      throw new Error('The disk is full')
    }
    return store.commit(...commits)
  }
  const steady = project([films])
  const failing = project([films, users], { own: { ...store, commit } })
  await clock.advance(2000)
  await tell(1)
  await clock.advance(30_000)
  t.equal(await beatsIn(films), 1)
  t.strictSame(steady.problems, [])
  t.ok(tries > 3 && tries < 15, String(tries))
  t.strictSame(failing.lines, ['warn: The disk is full'], 'a retry is no line of its own')
  broken = false
  await clock.advance(12_000)
  t.equal(await beatsIn(users), 1)
  t.match(failing.lines, ['warn: The disk is full', /^info: It works again after \d+ s: The disk is full$/])
})

t.test('a view that cannot fold an event stops no other one, and is reported once', async (t) => {
  const { clock, project, tell, beatsIn } = setUp(t)
  let sequence = 0
  const fragile: AnyView = {
    ...users,
    handles: {
      PlaybackHeartbeat: (event) => {
        if (sequence++ === 1) throw new TypeError('titles is undefined')
        return users.handles.PlaybackHeartbeat?.(event) ?? []
      },
    },
  }
  const running = project([films, fragile])
  await tell(3)
  await clock.advance(30_000)
  t.strictSame([await beatsIn(films), await beatsIn(fragile)], [3, 2])
  t.match(running.problems, [{ message: /^The view users leaves out the event at position 2 \(stream .*, PlaybackHeartbeat\)/ }])
  t.equal(running.problems.length, 1)
})

t.test('two versions run beside each other: the old views stay fresh, the new ones are built at once', async (t) => {
  const { clock, store, project, tell, beatsIn, freshnessOf } = setUp(t)
  const [oldViews, newMovies] = [[films, users, scans], counting('films', 2)]
  const newViews = [newMovies, users, scans]
  const old = project(oldViews, { keepOldMs: 600_000 })
  await tell(900)
  const [before, after] = [freshnessOf(oldViews), freshnessOf(newViews)]
  await clock.settle()
  t.equal(after.least(), START, 'a node of the new version is not ready yet')
  const next = project(newViews, { keepOldMs: 600_000 })
  await clock.advance(2000)
  t.equal(await beatsIn(newMovies), 1800)
  t.equal(old.follows.length, 1, 'the old one goes on')
  t.strictSame(next.follows, [START], 'the new one keeps nothing but what is new')

  const position = await tell(1)
  await Promise.all([before.waitFor(position), after.waitFor(position)])
  t.strictSame([await beatsIn(films), await beatsIn(newMovies), await beatsIn(users)], [901, 1802, 901])
  await clock.advance(3_600_000)
  t.ok((await store.collections()).includes('films_g1'), 'what somebody keeps stays, however long')
  await old.stop()
  await clock.advance(2000)
  const last = await tell(1)
  await after.waitFor(last)
  t.strictSame([await beatsIn(films), await beatsIn(newMovies), await beatsIn(users)], [901, 1804, 902], 'shared views are taken over')
  await clock.advance(590_000)
  t.ok((await store.collections()).includes('films_g1'))
  await clock.advance(40_000)
  t.notOk((await store.collections()).includes('films_g1'), 'ten minutes later the old generation is gone')
  t.equal((await store.collections()).filter((name) => name.startsWith('progress_')).length, 1)
  t.strictSame([old.problems, next.problems], [[], []])
})

t.test('the older version leaves the generation of a newer one alone', async (t) => {
  const { clock, store, project, tell } = setUp(t)
  await tell(1)
  const next = project([counting('films', 2)], { keepOldMs: 1000 })
  await clock.settle()
  await next.stop()
  project([films], { keepOldMs: 1000 })
  await clock.advance(60_000)
  t.strictSame((await store.collections()).filter((name) => name.startsWith('films')).sort(), ['films_g1', 'films_g2'])
})

t.test('where no other process can be, older generations go as soon as the new one has caught up', async (t) => {
  const { clock, store, project, tell, beatsIn } = setUp(t)
  const old = project([films])
  await tell(5)
  await old.stop()
  project([counting('films', 2)])
  await clock.settle()
  t.equal(await beatsIn(counting('films', 2)), 10)
  await clock.settle()
  t.strictSame(
    (await store.collections()).filter((name) => name.startsWith('films')),
    ['films_g2'],
  )
})

t.test('a new view is filled beside those that are up to date, which go on meanwhile; then all go on in one loop', async (t) => {
  const { clock, project, tell, beatsIn } = setUp(t)
  const before = project([films, scans])
  await tell(4)
  await before.stop()
  const projector = project([films, users, scans])
  await clock.settle()
  await clock.advance(100)
  t.strictSame([...projector.follows].sort(), [START, toPosition(4), toPosition(4)])
  await tell(1)
  for (const view of [films, users, scans]) t.equal(await beatsIn(view), 5)
  t.equal(projector.follows.length, 3)
})
