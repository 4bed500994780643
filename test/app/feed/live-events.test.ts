import t from 'tap'
import { ViewsBehind } from '../../../src/app/consistency/read-your-writes.ts'
import type { DetailedEvent } from '../../../src/app/feed/live-event-details.ts'
import { createLiveEvents } from '../../../src/app/feed/live-events.ts'
import { createLogPages } from '../../../src/app/feed/log-pages.ts'
import { thinned } from '../../../src/app/feed/live-event-thinning.ts'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createMemoryEventLog } from '../../../src/adapters/memory/event-log.ts'
import type { Audience } from '../../../src/domain/feed/live-event.ts'
import { parseId, type Id } from '../../../src/vocabulary/id.ts'
import { START, toPosition, type Position } from '../../../src/events/position.ts'
import type { RecordedEvent } from '../../../src/events/recorded.ts'
import { openNodeFixture } from '../../fixtures/node-fixture.ts'

function id<Kind extends string>(name: string): Id<Kind> {
  const made = parseId<Kind>(name.padEnd(21, '0'))
  if (!made) throw new Error(name)
  return made
}

const created = (position: number): RecordedEvent =>
  ({
    type: 'LibraryCreated',
    stream: `library-${id('films')}`,
    position: toPosition(position),
    at: '2026-01-02T12:00:00.000Z',
    data: { libraryId: id('films') },
  }) as unknown as RecordedEvent

function setUp(t: { teardown(done: () => unknown): unknown }) {
  const clock = createTestClock()
  const log = createMemoryEventLog()
  let passed: Position = START
  const live = createLiveEvents({
    access: { library: () => undefined, callerByLogin: () => undefined },
    clock,
    readModels: { movies: { getMany: async () => [] }, scans: { getMany: async () => [] } } as never,
    readYourWrites: {
      async waitFor(position) {
        await new Promise((resolve) => setImmediate(resolve))
        if (position > passed) throw new ViewsBehind()
      },
    },
    log,
    pages: createLogPages({ clock, log }),
    sealer: { open: async () => undefined },
  })
  const stop = new AbortController()
  const running = live.run(stop.signal)
  t.teardown(async () => {
    stop.abort()
    await running
  })
  const told: (readonly string[] | null)[] = []
  live.listen((events) => void told.push(events && events.map(({ kind, position }) => `${kind} ${Number(position)}`)))
  return {
    live,
    clock,
    told,
    pass: (position: number) => (passed = toPosition(position)),
    settle: () => clock.settle().then(() => clock.settle()),
  }
}

t.test('an event is announced once the views have passed it, not before, and once', async (t) => {
  const { live, pass, settle, told } = setUp(t)
  await live.feed.load(undefined as never)
  live.feed.apply(created(1))
  await settle()
  t.strictSame(told, [])
  t.equal(live.position(), START)
  pass(1)
  await settle()
  t.strictSame(told, [['library.created 1']])
  t.equal(live.position(), toPosition(1))
  live.feed.apply(created(1))
  pass(2)
  live.feed.apply(created(2))
  await settle()
  t.strictSame(told, [['library.created 1'], ['library.created 2']])
})

t.test('events beyond the limit are dropped, and every listener is asked to start again', async (t) => {
  const { live, pass, settle, told } = setUp(t)
  await live.feed.load(undefined as never)
  for (let n = 1; n <= 10_002; n++) live.feed.apply(created(n))
  await settle()
  pass(10_002)
  await settle()
  await settle()
  t.strictSame(told, [null])
  t.equal(live.position(), toPosition(10_002))
  pass(10_003)
  live.feed.apply(created(10_003))
  await settle()
  t.strictSame(told.at(-1), ['library.created 10003'])
})

const told = (kind: string, atMs: number, audience: Audience = { to: 'library', libraryId: id('films') }): DetailedEvent => ({
  kind,
  audience,
  payload: {},
  position: toPosition(atMs),
  at: new Date(atMs).toISOString(),
  libraryId: id('films'),
  scan: null,
  ...(kind.startsWith('scan.') ? { scanId: id<'scan'>('scan') } : {}),
})

t.test('a scan reports its progress twice a second at most, its start and its end always', (t) => {
  const progress = new Map<string, number>()
  const kinds = (...events: DetailedEvent[]) => thinned(events, progress).map(({ kind, at }) => `${kind} ${Date.parse(at)}`)
  t.strictSame(kinds(told('scan.started', 0), told('scan.progress', 600), told('scan.progress', 1000)), [
    'scan.started 0',
    'scan.progress 600',
  ])
  t.strictSame(kinds(told('scan.progress', 1099)), [])
  t.strictSame(kinds(told('scan.progress', 1100), told('scan.completed', 1101)), ['scan.progress 1100', 'scan.completed 1101'])
  t.equal(progress.size, 0)
  t.end()
})

t.test('scans whose end nobody heard are forgotten: the times of progress stay bounded, and a running scan is still thinned out', (t) => {
  const progress = new Map<string, number>()
  const report = (scan: string, atMs: number) => ({ ...told('scan.progress', atMs), scanId: id<'scan'>(scan) })
  for (let n = 0; n < 1_000; n++) {
    thinned([report(`lost${n}`, 10_000 + 20 * n)], progress)
    thinned([report('running', 10_000 + 20 * n)], progress)
  }
  t.ok(progress.size <= 100, `${progress.size} scans are known`)
  t.equal(thinned([report('running', 30_000), report('running', 30_001)], progress).length, 1)
  t.end()
})

t.test('changes of a movie in one batch are reported once: as the last of them, or as its arrival', (t) => {
  const movie = (name: string): Audience => ({ to: 'movie', movieId: id(name) })
  const events = [
    told('movie.added', 1, movie('a')),
    told('movie.updated', 2, movie('a')),
    told('movie.updated', 3, movie('b')),
    told('movie.updated', 4, movie('b')),
    told('movie.missing', 5, movie('b')),
  ]
  t.strictSame(
    thinned(events, new Map()).map(({ position }) => Number(position)),
    [1, 4, 5],
  )
  t.end()
})

t.test('changed figures are reported once for a user and an hour, and too many hours as all', (t) => {
  const changed = (user: string, hour: number, atMs: number): DetailedEvent => ({
    ...told('analytics.changed', atMs, { to: 'player', userId: id(user) }),
    payload: { hour: `hour ${hour}` },
  })
  const hours = (events: readonly DetailedEvent[]) =>
    thinned(events, new Map()).map(({ payload, position }) => [payload['hour'], Number(position)])
  t.strictSame(hours([changed('a', 1, 1), changed('a', 2, 2), changed('a', 1, 3), changed('b', 1, 4)]), [
    ['hour 2', 2],
    ['hour 1', 3],
    ['hour 1', 4],
  ])
  const many = hours(Array.from({ length: 1000 }, (_, n) => changed('a', n, n + 1)))
  t.equal(many.length, 25)
  t.match(many[0], [null])
  t.strictSame(many.at(-1), ['hour 999', 1000])
  t.end()
})

t.test('clients hear that a film has changed when one of its versions is gone, and that it is missing when the last one is', async (t) => {
  const node = await openNodeFixture(t)
  const paths = ['/films/Alien (1979) - HD.mkv', '/films/Alien (1979) - 4K.mkv']
  for (const path of [...paths, '/films/Brazil (1985).mkv']) node.mediaFiles.put(path)
  const libraryId = await node.newLibrary('/films')
  await node.scan(libraryId)
  const heard: string[] = []
  node.liveEvents.listen((events) => void heard.push(...(events ?? []).map(({ kind }) => kind).filter((kind) => kind.startsWith('movie.'))))
  for (const path of paths) {
    node.mediaFiles.remove(path)
    await node.scan(libraryId)
    await node.clock.advance(1000)
    heard.push('scanned')
  }
  t.strictSame([...new Set(heard.slice(0, heard.indexOf('scanned')))], ['movie.updated'])
  t.strictSame(heard.slice(-2), ['movie.missing', 'scanned'])
})
