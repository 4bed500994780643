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
  readonly house: NodeFixture
  /** Another node. */
  readonly other: NodeFixture
  readonly ben: Person
  readonly movieId: string
}

async function setUp(t: Test, maxConcurrentStreams: number | null): Promise<Setting> {
  const cluster = createCluster()
  const house = await openNodeFixture(t, { cluster })
  const other = await openNodeFixture(t, { cluster, node: 'two' })
  const ben = await house.person({ maxConcurrentStreams })
  house.films.put('/films/Metropolis (1927).mkv')
  await house.scan(await house.newLibrary('/films'))
  return { house, other, ben, movieId: (await house.movieNamed('Metropolis')).id }
}

const start = ({ ben, movieId }: Setting, house: NodeFixture, seed?: string) =>
  house.playback.start(ben.caller, { movieId }, { ...ORIGIN, ...(seed ? { seed } : {}) })

const live = async (house: NodeFixture, { caller }: Person): Promise<number> =>
  (await house.playback.active(caller, { limit: 100 }, false)).items.length

const ofType = async (house: NodeFixture, type: string) => (await house.events()).filter((event) => event.type === type)

t.test('of sessions that are started at once as many pass as may, the others are refused and leave no trace', async (t) => {
  const setting = await setUp(t, 3)
  const { house, ben } = setting
  const answers = await Promise.all(Array.from({ length: 10 }, () => start(setting, house)))
  const refused = answers.filter(isRefusal)
  t.equal(refused.length, 7)
  for (const refusal of refused) t.match(refusal, { refusal: 'conflict', message: 'Stream limit reached' })
  t.equal(await live(house, ben), 3)
  t.equal((await ofType(house, 'PlaybackStarted')).length, 3)
  t.equal((await ofType(house, 'PlaybackEnded')).length, 0)
})

t.test('when they are started on several nodes the log decides: those first in it stay, each later one ends itself', async (t) => {
  const setting = await setUp(t, 1)
  const { house, other, ben } = setting
  const answers = await Promise.all([house, other, house, other, house, other].map((node) => start(setting, node)))
  const passed = answers.filter((answer) => !isRefusal(answer)).map((answer) => allowed(answer).session.id)
  await house.seen()
  const started = (await ofType(house, 'PlaybackStarted')).map((event) => ('sessionId' in event.data ? event.data.sessionId : ''))
  t.strictSame(passed.toSorted(), started.slice(0, 1).toSorted())
  t.ok(started.length > 1, 'more had begun than may')
  t.equal((await ofType(house, 'PlaybackEnded')).length, started.length - 1)
  t.equal(await live(house, ben), 1)
  t.equal(await live(other, ben), 1)
})

t.test('whatever is free when starts race on two nodes is given, all of it and no more', async (t) => {
  const { house, other, movieId } = await setUp(t, null)
  for (const [limit, before, starts] of [
    [1, 0, 2],
    [2, 1, 6],
    [3, 1, 7],
    [3, 2, 5],
    [2, 2, 4],
    [5, 0, 5],
  ] as const) {
    const setting = { house, other, ben: await house.person({ maxConcurrentStreams: limit }), movieId }
    for (let n = 0; n < before; n++) allowed(await start(setting, house))
    const answers = await Promise.all(Array.from({ length: starts }, (_, n) => start(setting, n % 2 === 0 ? other : house)))
    const passed = answers.filter((answer) => !isRefusal(answer))
    await Promise.all([house.seen(), other.seen()])
    const told = `${starts} more than ${before} of ${limit}`
    t.equal(passed.length, Math.min(starts, limit - before), told)
    t.strictSame([await live(house, setting.ben), await live(other, setting.ben)], [before + passed.length, before + passed.length], told)
  }
})

t.test('one too many ends itself also where it is stored but a view is too late to show it', async (t) => {
  const { house, ben, movieId } = await setUp(t, 1)
  const { session: first } = allowed(await start({ house, other: house, ben, movieId }, house))
  const second = allowed(await house.playback.start((await house.person()).caller, { movieId }, ORIGIN)).session
  const sessions = new Map<string, SessionDocument>()
  const ended: string[] = []
  const host: SessionHost = {
    ...house.host,
    async send(id) {
      ended.push(id)
      return { position: START }
    },
  }
  const withinLimit = createStreamLimit({ access: { ...house.access, sessions, session: (id) => sessions.get(id) }, host })
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
  const { house, ben, movieId } = await setUp(t, 1)
  const { session: first } = allowed(await start({ house, other: house, ben, movieId }, house))
  const second = { ...first, id: named<'session'>('second'), logPosition: BEYOND }
  const sessions = new Map<string, SessionDocument>([first, second].map((session) => [session.id, session]))
  const ended: string[] = []
  const host: SessionHost = { ...house.host, send: async (id) => ({ position: START, ended: ended.push(id) }) }
  const withinLimit = createStreamLimit({ access: { ...house.access, sessions, session: (id) => sessions.get(id) }, host })
  const again = (id: typeof first.id) => withinLimit({ userId: ben.caller.userId, id }, () => Promise.reject(new Error('It is there')))
  const admin = await house.person({ role: 'admin' })
  allowed(await house.users.change(admin.caller, ben.caller.userId, { libraryAccess: 'all' }, ORIGIN))
  t.match(await again(second.id), { refusal: 'conflict' }, 'also when something else of the account has changed in between')
  t.equal(await again(first.id), first.id)
  t.strictSame(ended, [second.id])
})

t.test('a place that a session on one node has given back is free on the other', async (t) => {
  const setting = await setUp(t, 1)
  const { house, other, ben } = setting
  const { session } = allowed(await start(setting, house))
  t.match(await start(setting, other), { refusal: 'conflict' })
  allowed(await other.playback.end(ben.caller, session.id, ORIGIN))
  allowed(await start(setting, other))
  t.match(await start(setting, house), { refusal: 'conflict' })
})

t.test('a repeat of the request that made the last one allowed is that one', async (t) => {
  const setting = await setUp(t, 1)
  const first = allowed(await start(setting, setting.house, 'key'))
  t.match(await start(setting, setting.house, 'key'), { session: { id: first.session.id } })
  t.match(await start(setting, setting.house, 'other'), { refusal: 'conflict' })
})

t.test('a limit that is lowered ends nothing that goes on', async (t) => {
  const setting = await setUp(t, 3)
  const { house, ben } = setting
  for (const seed of ['one', 'two', 'three']) allowed(await start(setting, house, seed))
  const admin = await house.person({ role: 'admin' })
  allowed(await house.users.change(admin.caller, ben.caller.userId, { maxConcurrentStreams: 1 }, ORIGIN))
  t.match(await start(setting, house), { refusal: 'conflict' })
  t.match(await start(setting, house, 'three'), { session: {} }, 'nor does the repeat of its request')
  t.equal(await live(house, ben), 3)
})

t.test('simultaneous starts that would wait too long are asked to come back later', async (t) => {
  const setting = await setUp(t, 3)
  const answers = await Promise.all(Array.from({ length: 40 }, () => start(setting, setting.house)))
  t.match(answers.at(-1), { refusal: 'unavailable', retryAfterSeconds: 1 })
  t.equal(answers.filter((answer) => !isRefusal(answer)).length, 3)
})

t.test('without a limit nobody waits', async (t) => {
  const setting = await setUp(t, null)
  const answers = await Promise.all(Array.from({ length: 40 }, () => start(setting, setting.house)))
  t.notOk(answers.some(isRefusal))
})
