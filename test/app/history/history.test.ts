import t from 'tap'
import type { HistoryFilter } from '../../../src/app/history/viewing-filters.ts'
import { watched } from '../../../src/domain/movies/user-movie.ts'
import { isRefusal } from '../../../src/domain/refusal.ts'
import { watchedStream } from '../../../src/events/streams.ts'
import { allowed, ORIGIN, type NodeFixture, type Person } from '../../fixtures/node-fixture.ts'
import { household } from './household.ts'

const CLIENT = { name: 'Living room', version: '1', device: 'TV', deviceId: null }

/** Plays for a while, with a heartbeat every ten seconds. */
async function play(node: NodeFixture, { caller }: Person, movieId: string, { seconds = 20, client = CLIENT } = {}) {
  const { session } = allowed(await node.playback.start(caller, { movieId, client }, ORIGIN))
  for (let position = 10; position <= seconds; position += 10) {
    await node.clock.advance(10_000)
    allowed(await node.playback.heartbeat(caller, session.id, { positionMs: position * 1000 }, ORIGIN))
  }
  return session.id
}

const timeOf = (ms: number): string => new Date(ms).toISOString()

const asking = ({ caller }: Person) => ({ caller, operation: 'GET /v1/history', origin: ORIGIN })

async function list(node: NodeFixture, person: Person, filter: HistoryFilter = { userId: person.caller.userId }) {
  return (await node.history.list(asking(person), filter, { limit: 100 })).items
}

const looks = async (node: NodeFixture) => (await node.events()).filter(({ type }) => type === 'HistoryViewed').map(({ data }) => data)

t.test('a viewing is listed from its start, with what was watched so far, and is closed at its end', async (t) => {
  const { node, ann, brazil, films } = await household(t)
  const id = await play(node, ann, brazil.id)
  t.match(await list(node, ann), [
    {
      id,
      title: 'Brazil',
      year: 1985,
      libraryId: films,
      watchedMs: 20_000,
      endedAt: null,
      client: JSON.stringify(CLIENT),
      source: 'playback',
    },
  ])
  allowed(await node.playback.end(ann.caller, id, ORIGIN))
  t.match(await list(node, ann), [{ id, endReason: 'client', watchedMs: 20_000 }])
})

t.test('a session that fell silent is over at its time, before anybody has written that down', async (t) => {
  const { node, ann, brazil } = await household(t)
  const id = await play(node, ann, brazil.id)
  const beatAt = node.clock.now()
  node.clock.setNow(beatAt + 119_000)
  t.match(await list(node, ann), [{ id, endedAt: null }])
  await node.clock.advance(121_000)
  t.match(await list(node, ann), [{ id, endReason: 'idle', endedAt: new Date(beatAt + 120_000).toISOString() }])
})

t.test('people see their own history, administrators that of others too, and that is recorded', async (t) => {
  const { node, admin, ann, child, ponyo } = await household(t)
  const [mine, theirs] = [await play(node, ann, ponyo.id), await play(node, child, ponyo.id)]
  t.match(await list(node, ann), [{ id: mine }])
  t.strictSame(await looks(node), [], 'nobody looked at anybody else')
  t.match(await list(node, admin, { userId: child.caller.userId }), [{ id: theirs }])
  t.equal((await list(node, admin, {})).length, 2)
  const { items } = allowed(await node.history.ofMovie(asking(admin), ponyo.id, { limit: 10 }))
  t.equal(items.length, 2)
  t.match(await looks(node), [{ userId: child.caller.userId }, { userId: null }, { userId: null }])
  for (const [person, id] of [
    [ann, mine],
    [admin, theirs],
  ] as const)
    allowed(await node.history.timeline({ ...asking(person), operation: 'GET /v1/history/:id/timeline' }, id))
  t.match((await looks(node)).slice(3), [{ userId: child.caller.userId, operation: 'GET /v1/history/:id/timeline' }], 'a timeline, too')
  const about = await node.ownAudit.list(child.caller.userId, 'desc', { limit: 100 })
  t.match(
    about.items.find(({ type, target }) => type === 'HistoryViewed' && target.id !== null),
    { actor: { id: admin.caller.userId }, target: { id: child.caller.userId } },
  )
})

t.test('viewings in libraries that one does not see any more are not there; the history of a removed library stays', async (t) => {
  const { node, admin, ann, child, kids, brazil, ponyo } = await household(t)
  const [brazilian, japanese] = [await play(node, ann, brazil.id), await play(node, ann, ponyo.id)]
  allowed(await node.users.change(admin.caller, ann.caller.userId, { libraryAccess: 'selected', libraryIds: [kids] }, ORIGIN))
  const now = node.access.callerByLogin(ann.caller.loginId)
  if (!now) throw new Error('The login does not hold')
  const limited = { ...ann, caller: now }
  t.match(await list(node, limited), [{ id: japanese }])
  t.match(await node.history.timeline(asking(limited), brazilian), { refusal: 'not-found' })
  t.match(await node.history.hide(now, brazilian, ORIGIN), { refusal: 'not-found' })
  t.match(await node.history.ofMovie(asking(child), brazil.id, { limit: 10 }), { refusal: 'not-found' })
  allowed(await node.libraries.remove(admin.caller, kids, ORIGIN))
  t.match(await list(node, limited), [{ id: japanese, title: 'Ponyo' }])
})

t.test('administrators see all viewings, whatever libraries were once granted to them', async (t) => {
  const { node, ann, brazil } = await household(t)
  const admin = await node.person({ role: 'admin', libraryAccess: 'selected', libraryIds: [] })
  const id = await play(node, ann, brazil.id)
  t.match(await list(node, admin, {}), [{ id }])
  t.equal(isRefusal(await node.history.timeline(asking(admin), id)), false)
})

t.test('a viewing of the first releases, which named no library, is there only for those who see all libraries', async (t) => {
  const { node, ann, child, ponyo } = await household(t)
  for (const { caller } of [ann, child]) {
    const data = { userId: caller.userId, movieId: ponyo.id, watchedAt: '2020-05-01T20:00:00.000Z' }
    const target = { stream: watchedStream(caller.userId, ponyo.id), decider: watched }
    const decide = () => [{ type: 'MovieMarkedWatched', data } as const]
    allowed(await node.commandHandler.execute(target, decide, { actor: 'system', command: 'test' }))
  }
  await node.seen()
  const ids = new Map<string, string>()
  for await (const { id, userId } of node.readModels.viewings.walk({ where: [{ field: 'source', op: 'eq', value: 'manual' }] }))
    ids.set(userId, id)
  t.match(await list(node, ann), [{ libraryId: null, title: 'Ponyo' }])
  t.strictSame(await node.history.timeline(asking(ann), ids.get(ann.caller.userId) ?? ''), [])
  t.strictSame(await list(node, child), [])
  t.match(await node.history.timeline(asking(child), ids.get(child.caller.userId) ?? ''), { refusal: 'not-found' })
})

t.test('an entry that was removed is gone for everybody and stays in the audit; nobody removes those of others', async (t) => {
  const { node, admin, ann, child, ponyo } = await household(t)
  const id = await play(node, ann, ponyo.id)
  for (const other of [child, admin]) t.match(await node.history.hide(other.caller, id, ORIGIN), { refusal: 'not-found' })
  t.equal(await node.history.hide(ann.caller, id, ORIGIN), undefined)
  t.strictSame(await list(node, ann), [])
  t.strictSame(await list(node, admin, {}), [])
  t.match(await node.history.timeline(asking(ann), id), { refusal: 'not-found' })
  t.match(await node.history.hide(ann.caller, id, ORIGIN), { refusal: 'not-found' }, 'a second time')
  const { items } = await node.auditLog.list({ type: 'HistoryHidden' }, 'desc', { limit: 10 })
  t.match(items, [{ changes: [{ path: `history.${id}.hidden`, to: true }] }])
})

t.test('the history of the past is that of then, without what was removed since; figures agree', async (t) => {
  const { node, admin, ann, child, brazil, ponyo } = await household(t)
  const stays = new AbortController().signal
  const [first, removed] = [await play(node, ann, brazil.id), await play(node, ann, brazil.id)]
  const childs = await play(node, child, ponyo.id)
  const then = new Date(node.clock.now()).toISOString()
  await node.clock.advance(1000)
  const later = await play(node, ann, ponyo.id)
  allowed(await node.history.hide(ann.caller, removed, ORIGIN))
  const idsOf = async (person: Person, asOf: string, filter: HistoryFilter) => {
    const whose = filter.userId ?? 'everybody'
    const past = allowed(await node.past.at(person.caller.userId, asOf, stays, whose))
    const { items } = await node.history.list(asking(person), filter, { limit: 100 }, past)
    const query = { filter, tz: 'UTC', to: new Date(past.atMs).toISOString() }
    const { plays } = allowed(await node.analytics.asOf(past).overview(asking(person), query))
    t.equal(plays, items.length)
    return new Set(items.map(({ id }) => id))
  }
  const own = { userId: ann.caller.userId }
  t.strictSame(await idsOf(ann, then, own), new Set([first]))
  t.strictSame(await idsOf(admin, then, own), new Set([first]), 'an administrator sees no more')
  t.strictSame(await idsOf(admin, then, {}), new Set([first, childs]))
  await node.clock.advance(1000)
  t.strictSame(await idsOf(ann, new Date(node.clock.now()).toISOString(), own), new Set([first, later]))
  allowed(await node.history.hide(ann.caller, first, ORIGIN))
  t.strictSame(await idsOf(ann, then, own), new Set(), 'also right after an answer that is kept')
})

t.test('a session that fell silent is over in the past too, from its time on, whatever is written down later', async (t) => {
  const { node, ann, brazil } = await household(t)
  const startedMs = node.clock.now()
  const id = await play(node, ann, brazil.id)
  const beatMs = node.clock.now()
  const endedAt = timeOf(beatMs + 120_000)
  const filter = { userId: ann.caller.userId }
  const asOf = async (atMs: number) => {
    const past = allowed(await node.past.at(ann.caller.userId, timeOf(atMs), new AbortController().signal))
    const query = { filter, tz: 'UTC', from: timeOf(startedMs), to: timeOf(atMs), points: 100 }
    const { points } = allowed(await node.analytics.asOf(past).concurrency(asking(ann), query))
    const { items } = await node.history.list(asking(ann), filter, { limit: 100 }, past)
    return { items, running: points.at(-1)?.count }
  }
  const judge = async () => {
    t.match(await asOf(beatMs + 119_000), { items: [{ id, endedAt: null, endReason: null }], running: 1 })
    t.match(await asOf(beatMs + 121_000), { items: [{ id, endedAt, endReason: 'idle' }], running: 0 })
  }
  node.clock.setNow(beatMs + 121_000)
  await judge()
  await node.clock.advance(10_000)
  t.match(await list(node, ann), [{ id, endedAt, endReason: 'idle' }])
  await judge()
})

t.test('each filter finds what fits and nothing else', async (t) => {
  const { node, admin, ann, child, brazil, ponyo, films } = await household(t)
  const phone = await play(node, ann, brazil.id, { client: { ...CLIENT, name: 'Phone' } })
  const between = new Date(node.clock.now()).toISOString()
  await node.clock.advance(1000)
  const tv = await play(node, ann, ponyo.id)
  const childs = await play(node, child, ponyo.id)
  allowed(await node.movieMarks.markWatched(ann.caller, brazil.id, '2020-05-01T20:00:00.000Z', ORIGIN))
  const idsOf = async (filter: HistoryFilter) => (await list(node, admin, filter)).map(({ id }) => id)
  t.strictSame(await idsOf({ client: 'Phone' }), [phone])
  t.strictSame(await idsOf({ client: 'Living room' }), [childs, tv])
  t.strictSame(await idsOf({ client: 'Living room', userId: child.caller.userId }), [childs])
  t.strictSame(await idsOf({ client: 'Nobody' }), [])
  t.strictSame(await idsOf({ from: between }), [childs, tv])
  t.strictSame(await idsOf({ to: between, source: 'playback' }), [phone])
  t.strictSame(await idsOf({ libraryId: films, completed: false }), [phone])
  t.match(await list(node, admin, { source: 'manual' }), [{ movieId: brazil.id, startedAt: '2020-05-01T20:00:00.000Z', title: 'Brazil' }])
  t.equal((await idsOf({ completed: true })).length, 1)
})

t.test('the timeline shows when the player played, paused, sought and ended', async (t) => {
  const { node, ann, brazil } = await household(t)
  const id = await play(node, ann, brazil.id)
  allowed(await node.playback.seek(ann.caller, id, 3_000_000, ORIGIN))
  await node.clock.advance(10_000)
  allowed(await node.playback.heartbeat(ann.caller, id, { positionMs: 3_010_000, playState: 'paused' }, ORIGIN))
  allowed(await node.playback.end(ann.caller, id, ORIGIN))
  const steps = await node.history.timeline(asking(ann), id)
  if (isRefusal(steps)) throw new Error(steps.message)
  t.strictSame(
    steps.map(({ kind, fromMs, toMs }) => [kind, fromMs / 1000, toMs / 1000]),
    [
      ['play', 0, 0],
      ['play', 0, 10],
      ['play', 10, 20],
      ['seek', 20, 3000],
      ['play', 3000, 3010],
      ['end', 3010, 3010],
    ],
  )
})

t.test('after an erasure the viewings are there, and no client can be read', async (t) => {
  const { node, admin, ann, ponyo } = await household(t)
  const id = await play(node, ann, ponyo.id)
  allowed(await node.users.erase(admin.caller, ann.caller.userId, ORIGIN))
  await node.clock.advance(5000)
  t.match(await list(node, admin, { userId: ann.caller.userId }), [{ id, watchedMs: 20_000, client: null }])
  t.strictSame(await list(node, admin, { client: CLIENT.name }), [])
})
