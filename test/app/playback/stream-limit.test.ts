/** Stream limits: never one session too many, however many start at once, and never one too few. */
import t, { type Test } from 'tap'
import type { SessionDocument } from '../../../projections/views/playback-sessions.ts'
import { ViewsBehind } from '../../../src/app/consistency/read-your-writes.ts'
import type { SessionHost } from '../../../src/app/playback/session-host.ts'
import { createStreamLimit } from '../../../src/app/playback/stream-limit.ts'
import { isRefusal } from '../../../src/domain/refusal.ts'
import { BEYOND, START } from '../../../src/events/position.ts'
import { named } from '../../fixtures/names.ts'
import { allowed, createCluster, openNodeFixture, ORIGIN, type NodeFixture, type Person } from '../../fixtures/node-fixture.ts'

interface Setting {
  readonly fixture: NodeFixture
  /** Another node. */
  readonly other: NodeFixture
  readonly ben: Person
  readonly movieId: string
}

async function setUp(t: Test, maxConcurrentStreams: number | null): Promise<Setting> {
  const cluster = createCluster()
  const fixture = await openNodeFixture(t, { cluster })
  const other = await openNodeFixture(t, { cluster, node: 'two' })
  const ben = await fixture.person({ maxConcurrentStreams })
  fixture.mediaFiles.put('/films/Metropolis (1927).mkv')
  await fixture.scan(await fixture.newLibrary('/films'))
  return { fixture, other, ben, movieId: (await fixture.movieNamed('Metropolis')).id }
}

const start = ({ ben, movieId }: Setting, fixture: NodeFixture, seed?: string) =>
  fixture.playback.start(ben.caller, { movieId }, { ...ORIGIN, ...(seed ? { seed } : {}) })

const live = async (fixture: NodeFixture, { caller }: Person): Promise<number> =>
  (await fixture.playback.active(caller, { limit: 100 }, false)).items.length

const ofType = async (fixture: NodeFixture, type: string) => (await fixture.events()).filter((event) => event.type === type)

t.test('of sessions that are started at once as many pass as may, the others are refused and leave no trace', async (t) => {
  const setting = await setUp(t, 3)
  const { fixture, ben } = setting
  const answers = await Promise.all(Array.from({ length: 10 }, () => start(setting, fixture)))
  const refused = answers.filter(isRefusal)
  t.equal(refused.length, 7)
  for (const refusal of refused) t.match(refusal, { refusal: 'conflict', message: 'Stream limit reached' })
  t.equal(await live(fixture, ben), 3)
  t.equal((await ofType(fixture, 'PlaybackStarted')).length, 3)
  t.equal((await ofType(fixture, 'PlaybackEnded')).length, 0)
})

t.test('when they are started on several nodes the log decides: those first in it stay, each later one ends itself', async (t) => {
  const setting = await setUp(t, 1)
  const { fixture, other, ben } = setting
  const answers = await Promise.all([fixture, other, fixture, other, fixture, other].map((node) => start(setting, node)))
  const passed = answers.filter((answer) => !isRefusal(answer)).map((answer) => allowed(answer).session.id)
  await fixture.seen()
  const started = (await ofType(fixture, 'PlaybackStarted')).map((event) => ('sessionId' in event.data ? event.data.sessionId : ''))
  t.strictSame(passed.toSorted(), started.slice(0, 1).toSorted())
  t.ok(started.length > 1, 'more had begun than may')
  t.equal((await ofType(fixture, 'PlaybackEnded')).length, started.length - 1)
  t.equal(await live(fixture, ben), 1)
  t.equal(await live(other, ben), 1)
})

t.test('whatever is free when starts race on two nodes is given, all of it and no more', async (t) => {
  const { fixture, other, movieId } = await setUp(t, null)
  for (const [limit, before, starts] of [
    [1, 0, 2],
    [2, 1, 6],
    [3, 1, 7],
    [3, 2, 5],
    [2, 2, 4],
    [5, 0, 5],
  ] as const) {
    const setting = { fixture, other, ben: await fixture.person({ maxConcurrentStreams: limit }), movieId }
    for (let n = 0; n < before; n++) allowed(await start(setting, fixture))
    const answers = await Promise.all(Array.from({ length: starts }, (_, n) => start(setting, n % 2 === 0 ? other : fixture)))
    const passed = answers.filter((answer) => !isRefusal(answer))
    await Promise.all([fixture.seen(), other.seen()])
    const told = `${starts} more than ${before} of ${limit}`
    t.equal(passed.length, Math.min(starts, limit - before), told)
    t.strictSame([await live(fixture, setting.ben), await live(other, setting.ben)], [before + passed.length, before + passed.length], told)
  }
})

t.test('one too many ends itself also where it is stored but a view is too late to show it', async (t) => {
  const { fixture, ben, movieId } = await setUp(t, 1)
  const { session: first } = allowed(await start({ fixture, other: fixture, ben, movieId }, fixture))
  const second = allowed(await fixture.playback.start((await fixture.person()).caller, { movieId }, ORIGIN)).session
  const sessions = new Map<string, SessionDocument>()
  const ended: string[] = []
  const host: SessionHost = {
    ...fixture.host,
    async send(id) {
      ended.push(id)
      return { position: START }
    },
  }
  const withinLimit = createStreamLimit({ access: { ...fixture.access, sessions, session: (id) => sessions.get(id) }, host })
  const racing = withinLimit({ userId: ben.caller.userId, id: second.id }, async () => {
    sessions.set(first.id, first).set(second.id, { ...second, userId: ben.caller.userId })
    throw new ViewsBehind()
  })
  t.match(await racing, { refusal: 'conflict' })
  t.strictSame(ended, [second.id])
  sessions.clear()
  const alone = withinLimit({ userId: ben.caller.userId, id: first.id }, async () => {
    sessions.set(first.id, first)
    throw new ViewsBehind()
  })
  await t.rejects(alone, ViewsBehind)
  t.equal(ended.length, 1)
})

t.test('one too many ends itself also when its request is repeated at a node that sees what the first one did not', async (t) => {
  const { fixture, ben, movieId } = await setUp(t, 1)
  const { session: first } = allowed(await start({ fixture, other: fixture, ben, movieId }, fixture))
  const second = { ...first, id: named<'session'>('second'), logPosition: BEYOND }
  const sessions = new Map<string, SessionDocument>([first, second].map((session) => [session.id, session]))
  const ended: string[] = []
  const host: SessionHost = { ...fixture.host, send: async (id) => ({ position: START, ended: ended.push(id) }) }
  const withinLimit = createStreamLimit({ access: { ...fixture.access, sessions, session: (id) => sessions.get(id) }, host })
  const again = (id: typeof first.id) => withinLimit({ userId: ben.caller.userId, id }, () => Promise.reject(new Error('It is there')))
  const admin = await fixture.person({ role: 'admin' })
  allowed(await fixture.users.change(admin.caller, ben.caller.userId, { libraryAccess: 'all' }, ORIGIN))
  t.match(await again(second.id), { refusal: 'conflict' }, 'also when something else of the account has changed in between')
  t.equal(await again(first.id), first.id)
  t.strictSame(ended, [second.id])
})

t.test('a place that a session on one node has given back is free on the other', async (t) => {
  const setting = await setUp(t, 1)
  const { fixture, other, ben } = setting
  const { session } = allowed(await start(setting, fixture))
  t.match(await start(setting, other), { refusal: 'conflict' })
  allowed(await other.playback.end(ben.caller, session.id, ORIGIN))
  allowed(await start(setting, other))
  t.match(await start(setting, fixture), { refusal: 'conflict' })
})

t.test('a repeat of the request that made the last one allowed is that one', async (t) => {
  const setting = await setUp(t, 1)
  const first = allowed(await start(setting, setting.fixture, 'key'))
  t.match(await start(setting, setting.fixture, 'key'), { session: { id: first.session.id } })
  t.match(await start(setting, setting.fixture, 'other'), { refusal: 'conflict' })
})

t.test('a limit that is lowered ends nothing that goes on', async (t) => {
  const setting = await setUp(t, 3)
  const { fixture, ben } = setting
  for (const seed of ['one', 'two', 'three']) allowed(await start(setting, fixture, seed))
  const admin = await fixture.person({ role: 'admin' })
  allowed(await fixture.users.change(admin.caller, ben.caller.userId, { maxConcurrentStreams: 1 }, ORIGIN))
  t.match(await start(setting, fixture), { refusal: 'conflict' })
  t.match(await start(setting, fixture, 'three'), { session: {} }, 'nor does the repeat of its request')
  t.equal(await live(fixture, ben), 3)
})

t.test('simultaneous starts that would wait too long are asked to come back later', async (t) => {
  const setting = await setUp(t, 3)
  const answers = await Promise.all(Array.from({ length: 40 }, () => start(setting, setting.fixture)))
  t.match(answers.at(-1), { refusal: 'unavailable', retryAfterSeconds: 1 })
  t.equal(answers.filter((answer) => !isRefusal(answer)).length, 3)
})

t.test('without a limit nobody waits', async (t) => {
  const setting = await setUp(t, null)
  const answers = await Promise.all(Array.from({ length: 40 }, () => start(setting, setting.fixture)))
  t.notOk(answers.some(isRefusal))
})
