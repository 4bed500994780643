/** Completion and rewatching figures, and a user's year. */
import t from 'tap'
import type { Asking } from '../../../src/app/history/history.ts'
import { allowed, createCluster, openNodeFixture, ORIGIN, type NodeFixture, type Person } from '../../fixtures/node-fixture.ts'

const START = Date.parse('2026-12-30T18:00:00.000Z')
const HOUR_MS = 3_600_000

const asking = ({ caller }: Person): Asking => ({ caller, operation: 'GET /v1/analytics/year/:year', origin: ORIGIN })

async function household(t: Parameters<typeof openNodeFixture>[0]) {
  const node = await openNodeFixture(t, { cluster: createCluster({ startMs: START }) })
  node.mediaFiles.put('/films/Brazil (1985).mkv')
  node.mediaFiles.put('/films/Ponyo (2008).mkv')
  await node.scan(await node.newLibrary('/films'))
  const [brazil, ponyo] = [await node.movieNamed('Brazil'), await node.movieNamed('Ponyo')]
  const [admin, ann, bob] = [await node.person({ role: 'admin' }), await node.person(), await node.person()]
  return { node, brazil, ponyo, admin, ann, bob }
}

/** Plays up to this part of the film, heartbeat by heartbeat. */
async function playTo(node: NodeFixture, person: Person, movieId: string, part: number): Promise<string> {
  const { caller } = await node.login(person.caller.userId)
  const { session } = allowed(await node.playback.start(caller, { movieId }, ORIGIN))
  const { durationMs } = session
  await node.clock.advance(30_000)
  allowed(await node.playback.heartbeat(caller, session.id, { positionMs: Math.floor(durationMs * part) }, ORIGIN))
  allowed(await node.playback.end(caller, session.id, ORIGIN))
  return session.id
}

const query = {
  filter: {},
  tz: 'UTC',
  limit: 10,
  from: new Date(START).toISOString(),
  to: new Date(START + 100 * 24 * HOUR_MS).toISOString(),
}

t.test('the figures show who finished a film, and where others stopped', async (t) => {
  const { node, admin, ann, bob, brazil, ponyo } = await household(t)
  await playTo(node, ann, brazil.id, 0.32)
  await playTo(node, ann, brazil.id, 0.99)
  await playTo(node, bob, brazil.id, 0.34)
  await playTo(node, bob, ponyo.id, 0.02)
  const { items } = allowed(await node.taste.finish(asking(admin), query))
  const left = (part: number, count: number) => Array.from({ length: 20 }, (_, n) => (n === part ? count : 0))
  t.strictSame(items, [
    { key: brazil.id, label: 'Brazil', plays: 3, users: 2, finishedBy: 1, left: left(6, 2) },
    { key: ponyo.id, label: 'Ponyo', plays: 1, users: 1, finishedBy: 0, left: left(0, 1) },
  ])
  const { items: own } = allowed(await node.taste.finish(asking(bob), { ...query, filter: { userId: bob.caller.userId }, limit: 1 }))
  t.match(own, [{ plays: 1, users: 1 }])
})

t.test('a session that fell silent has stopped where it was, before its end is recorded and once after', async (t) => {
  const { node, ann, brazil } = await household(t)
  const { caller } = await node.login(ann.caller.userId)
  const { session } = allowed(await node.playback.start(caller, { movieId: brazil.id }, ORIGIN))
  await node.clock.advance(30_000)
  allowed(await node.playback.heartbeat(caller, session.id, { positionMs: Math.floor(session.durationMs * 0.32) }, ORIGIN))
  const beatMs = node.clock.now()
  const own = { ...query, filter: { userId: ann.caller.userId } }
  const stopped = async () => {
    const { items } = allowed(await node.taste.finish(asking(ann), own))
    return items.map(({ plays, left }) => [plays, left[6], left.reduce((sum, count) => sum + count, 0)])
  }
  t.strictSame(await stopped(), [[1, 0, 0]], 'it is in progress')
  node.clock.setNow(beatMs + 121_000)
  const events = (await node.events()).length
  t.strictSame(await stopped(), [[1, 1, 1]])
  t.equal((await node.events()).length, events, 'its end is not recorded')
  await node.clock.advance(10_000)
  t.match((await node.events()).at(-1), { type: 'PlaybackExpired' })
  t.strictSame(await stopped(), [[1, 1, 1]])
  const past = allowed(await node.past.at(ann.caller.userId, new Date(beatMs + 121_000).toISOString(), new AbortController().signal))
  t.match(allowed(await node.taste.asOf(past).finish(asking(ann), own)).items, [{ plays: 1, left: { 6: 1 } }])
})

t.test('a user who has seen a film to the end more than once has rewatched it', async (t) => {
  const { node, admin, ann, bob, brazil, ponyo } = await household(t)
  for (const movie of [brazil, brazil, ponyo]) await playTo(node, ann, movie.id, 0.99)
  await playTo(node, bob, brazil.id, 0.99)
  const { items } = allowed(await node.taste.rewatched(asking(admin), query))
  t.strictSame(items, [{ key: brazil.id, label: 'Brazil', users: 1, times: 2 }])
})

t.test('a year of marks and imports without any watched time has no longest evening', async (t) => {
  const { node, ann, brazil } = await household(t)
  allowed(await node.movieMarks.markWatched(ann.caller, brazil.id, '2025-05-01T20:00:00.000Z', ORIGIN))
  const asked = { filter: { userId: ann.caller.userId }, year: 2025, tz: 'UTC' }
  t.match(allowed(await node.taste.year(asking(ann), asked)), { plays: 1, longestEvening: null })
})

t.test('a year is that of the zone, and an evening goes on after midnight', async (t) => {
  const { node, ann, brazil, ponyo } = await household(t)
  await playTo(node, ann, brazil.id, 0.5)
  // The new year starts in Auckland thirteen hours before it starts in London.
  node.clock.setNow(Date.parse('2026-12-31T11:30:00.000Z'))
  await playTo(node, ann, ponyo.id, 0.99)
  node.clock.setNow(Date.parse('2027-01-01T01:00:00.000Z'))
  await playTo(node, ann, ponyo.id, 0.99)
  const of = async (year: number, tz: string) =>
    allowed(await node.taste.year(asking(ann), { filter: { userId: ann.caller.userId }, year, tz }))
  t.match(await of(2026, 'Europe/London'), {
    plays: 2,
    movies: 2,
    completed: 1,
    users: 1,
    first: { label: 'Brazil' },
    last: { label: 'Ponyo' },
  })
  t.match(await of(2026, 'Pacific/Auckland'), { plays: 1, movies: 1, completed: 0, last: { label: 'Brazil' } })
  const { longestEvening, busiestHour, plays, topMovies } = await of(2027, 'Pacific/Auckland')
  t.strictSame([plays, busiestHour], [2, 0], 'half past midnight, and two in the afternoon')
  t.equal(longestEvening?.date, '2027-01-01', 'half past midnight is still the evening before, whose first part is in another year')
  t.match(topMovies, [{ key: ponyo.id, label: 'Ponyo', plays: 2 }])
  t.match(await of(2020, 'UTC'), { plays: 0, longestEvening: null, busiestHour: null, first: null, last: null, topMovies: [], genres: [] })
  t.match(await node.taste.year(asking(ann), { filter: {}, year: 2026, tz: 'Nowhere' }), { refusal: 'invalid', path: 'tz' })
})
