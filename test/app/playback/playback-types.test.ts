import t, { type Test } from 'tap'
import type { SessionDocument } from '../../../projections/views/playback-sessions.ts'
import { chooseFile } from '../../../src/app/playback/file-choice.ts'
import { mediaOf } from '../../fixtures/movie-facts.ts'
import { iso } from '../../fixtures/given.ts'
import { named } from '../../fixtures/names.ts'
import { allowed, createCluster, openNodeFixture, ORIGIN, type NodeFixture, type Person } from '../../fixtures/node-fixture.ts'

/** Duration of every film of the fixture. */
const FILM_MS = 5_400_000
const IDLE_MS = 120_000
const TV = { name: 'TV app', version: '2', device: 'Living room', deviceId: null }

interface Setting {
  readonly fixture: NodeFixture
  readonly ann: Person
  readonly movieId: string
  readonly play: (person: Person, startPositionMs?: number) => Promise<SessionDocument>
  readonly beat: (person: Person, session: { readonly id: string }, positionMs: number) => ReturnType<NodeFixture['playback']['heartbeat']>
}

async function setUp(t: Test): Promise<Setting> {
  const fixture = await openNodeFixture(t)
  const ann = await fixture.person()
  fixture.mediaFiles.put('/films/Metropolis (1927).mkv')
  await fixture.scan(await fixture.newLibrary('/films'))
  const { id: movieId } = await fixture.movieNamed('Metropolis')
  return {
    fixture,
    ann,
    movieId,
    play: async ({ caller }, startPositionMs = 0) =>
      allowed(await fixture.playback.start(caller, { movieId, startPositionMs, client: TV }, ORIGIN)).session,
    beat: ({ caller }, { id }, positionMs) => fixture.playback.heartbeat(caller, id, { positionMs }, ORIGIN),
  }
}

t.test('a session starts paused where it was asked to, and lives from then on', async (t) => {
  const { ann, fixture, play } = await setUp(t)
  const session = await play(ann, 60_000)
  const now = iso(fixture.clock.now())
  t.match(session, { userId: ann.caller.userId, loginId: ann.caller.loginId, positionMs: 60_000, durationMs: FILM_MS })
  t.match(session, { playState: 'paused', beatAt: now, createdAt: now, idleSeconds: 120 })
  t.match(await fixture.playback.get(ann.caller, session.id), { session })
})

t.test('what a player says of itself stays with its session, and every offer of it is made by that', async (t) => {
  const offers: unknown[] = []
  const begun: unknown[] = []
  const decision = {
    method: 'transcode-audio',
    reasons: ['audio-codec'],
    rejected: [{ method: 'remux', reasons: ['audio-codec'] }],
  } as const
  const fixture = await openNodeFixture(t, {
    streams: {
      offer: async (_file, options) => (
        offers.push(options.capabilities),
        { decision, qualities: [], audio: [], subtitles: [], burnable: [] }
      ),
      prewarm: (_file, { options, quality }) => void begun.push([options.capabilities, quality]),
    },
  })
  const { caller } = await fixture.person()
  fixture.mediaFiles.put('/films/Metropolis (1927).mkv')
  await fixture.scan(await fixture.newLibrary('/films'))
  const { id: movieId } = await fixture.movieNamed('Metropolis')
  const capabilities = { containers: ['mp4'], video: [], audio: [{ codec: 'ac3', maxChannels: 6 }], maxHeight: null, maxBitrateBps: null }
  const told = allowed(await fixture.playback.start(caller, { movieId, capabilities, quality: '480p' }, ORIGIN))
  t.match(told, { session: { capabilities, method: 'remux' }, decision })
  t.match(await fixture.playback.get(caller, told.session.id), { decision })
  t.strictSame(begun, [[capabilities, '480p']])
  t.ok(offers.length >= 3)
  for (const offer of offers) t.strictSame(offer, capabilities)
  const silent = allowed(await fixture.playback.start(caller, { movieId }, ORIGIN))
  t.notOk('capabilities' in silent.session)
  t.equal(offers.at(-1), undefined)
})

t.test('a start position up to one second past the end is clamped, beyond it is refused by name', async (t) => {
  const { ann, fixture, movieId, play } = await setUp(t)
  t.equal((await play(ann, FILM_MS + 1000)).positionMs, FILM_MS)
  for (const startPositionMs of [-1, FILM_MS + 1001]) {
    t.match(await fixture.playback.start(ann.caller, { movieId, startPositionMs }, ORIGIN), { refusal: 'invalid', path: 'startPosition' })
  }
})

t.test('a movie that is not there, or that the caller does not see, cannot be played: the same answer for both', async (t) => {
  const { fixture, movieId } = await setUp(t)
  const stranger = await fixture.person({ libraryAccess: 'selected', libraryIds: [] })
  const unknown = await fixture.playback.start(stranger.caller, { movieId: named('unknown') }, ORIGIN)
  t.match(unknown, { refusal: 'not-found' })
  t.strictSame(await fixture.playback.start(stranger.caller, { movieId }, ORIGIN), unknown)
})

t.test('a file that is away is unavailable for a while, an unknown file is not found', async (t) => {
  const { ann, fixture, movieId } = await setUp(t)
  t.match(await fixture.playback.start(ann.caller, { movieId, fileId: named('unknown') }, ORIGIN), { refusal: 'not-found' })
  fixture.mediaFiles.remove('/films/Metropolis (1927).mkv')
  t.match(await fixture.playback.start(ann.caller, { movieId }, ORIGIN), { refusal: 'unavailable', retryAfterSeconds: Number })
})

t.test('a file whose drive does not answer is unavailable while a player still waits', async (t) => {
  const { ann, fixture, movieId } = await setUp(t)
  const silent = { ...fixture.mediaFiles, stamp: () => new Promise<never>(() => {}) }
  const deps = { clock: fixture.clock, media: silent, readModels: fixture.readModels }
  const movie = await fixture.readModels.movies.get(movieId)
  const asked = movie && chooseFile(deps, movie, undefined)
  await fixture.clock.advance(10_000)
  t.match(await asked, { refusal: 'unavailable', retryAfterSeconds: 30, code: 'file_unavailable' })
  const session = await fixture.playback.start(ann.caller, { movieId }, ORIGIN)
  t.ok('session' in session, 'a drive that answers')
})

t.test('no more sessions than the account may have at a time; those that ended or went idle do not count', async (t) => {
  const { fixture, movieId, play } = await setUp(t)
  const ben = await fixture.person({ maxConcurrentStreams: 2 })
  const again = () => fixture.playback.start(ben.caller, { movieId }, ORIGIN)
  const [first] = [await play(ben), await play(ben)]
  t.match(await again(), { refusal: 'conflict', message: 'Stream limit reached' })
  await fixture.playback.end(ben.caller, first.id, ORIGIN)
  await play(ben)
  t.match(await again(), { refusal: 'conflict' })
  fixture.clock.setNow(fixture.clock.now() + IDLE_MS)
  t.ok('session' in (await again()))
})

t.test('a heartbeat is answered only after it is stored, and shows at once', async (t) => {
  const { ann, beat, fixture, play } = await setUp(t)
  const session = await play(ann)
  fixture.clock.setNow(fixture.clock.now() + 10_000)
  t.match(await beat(ann, session, 10_000), { session: { positionMs: 10_000, playState: 'playing', beatAt: iso(fixture.clock.now()) } })
  t.match((await fixture.events()).at(-1), { type: 'PlaybackHeartbeat', data: { positionMs: 10_000 } })
  t.match(await fixture.playback.get(ann.caller, session.id), { session: { positionMs: 10_000 }, resumePositionMs: null })
})

t.test('a seek shows at once and keeps nothing alive', async (t) => {
  const { ann, fixture, play } = await setUp(t)
  const session = await play(ann)
  fixture.clock.setNow(fixture.clock.now() + IDLE_MS - 1)
  t.match(await fixture.playback.seek(ann.caller, session.id, 600_000, ORIGIN), {
    session: { positionMs: 600_000 },
    resumePositionMs: 600_000,
  })
  fixture.clock.setNow(fixture.clock.now() + 1)
  t.match(await fixture.playback.seek(ann.caller, session.id, 700_000, ORIGIN), { refusal: 'not-found' })
})

t.test('at exactly 120.000 s without a heartbeat a session is gone for every command, though nobody has written it down', async (t) => {
  const { ann, beat, fixture, play } = await setUp(t)
  const session = await play(ann)
  fixture.clock.setNow(fixture.clock.now() + IDLE_MS - 1)
  t.match(await beat(ann, session, 1000), { session: { positionMs: 1000 } })
  fixture.clock.setNow(fixture.clock.now() + IDLE_MS)
  for (const answer of [
    await beat(ann, session, 2000),
    await fixture.playback.get(ann.caller, session.id),
    await fixture.playback.end(ann.caller, session.id, ORIGIN),
  ]) {
    t.match(answer, { refusal: 'not-found' })
  }
  t.strictSame((await fixture.playback.active(ann.caller, { limit: 20 }, false)).items, [])
})

t.test('the sweeper writes down the end of idle sessions at the time when they went idle, also after a restart', async (t) => {
  const cluster = createCluster()
  const fixture = await openNodeFixture(t, { cluster })
  const ann = await fixture.person()
  fixture.mediaFiles.put('/films/Metropolis (1927).mkv')
  await fixture.scan(await fixture.newLibrary('/films'))
  const { id: movieId } = await fixture.movieNamed('Metropolis')
  const { session } = allowed(await fixture.playback.start(ann.caller, { movieId }, ORIGIN))
  const overAt = iso(cluster.clock.now() + IDLE_MS)
  await fixture.stop()
  cluster.clock.setNow(cluster.clock.now() + 3_600_000)
  const restarted = await openNodeFixture(t, { cluster, node: 'two' })
  await cluster.clock.advance(10_000)
  await restarted.seen()
  const expired = (await restarted.events()).filter(({ type }) => type === 'PlaybackExpired')
  t.match(expired, [{ data: { sessionId: session.id, expiredAt: overAt, positionMs: 0 }, metadata: { actor: 'system' } }])
  t.equal(expired.length, 1)
  t.equal(restarted.access.sessions.size, 0)
  t.strictSame(restarted.problems, [])
})

t.test('another user’s session is forbidden, for administrators too; an unknown one is not found', async (t) => {
  const { ann, beat, fixture, play } = await setUp(t)
  const session = await play(ann)
  const [ben, admin] = [await fixture.person(), await fixture.person({ role: 'admin' })]
  for (const other of [ben, admin]) {
    t.match(await beat(other, session, 1000), { refusal: 'forbidden' })
    t.match(await fixture.playback.seek(other.caller, session.id, 1000, ORIGIN), { refusal: 'forbidden' })
    t.match(await fixture.playback.end(other.caller, session.id, ORIGIN), { refusal: 'forbidden' })
    t.match(await fixture.playback.get(other.caller, session.id), { refusal: 'forbidden' })
    t.match(await beat(other, { id: named('unknown') }, 1000), { refusal: 'not-found' })
  }
  t.match(await fixture.playback.get(ann.caller, session.id), { session: { positionMs: 0 } })
})

t.test('an administrator looks at a session of anybody as the list shows it, until it has ended', async (t) => {
  const { ann, beat, fixture, play } = await setUp(t)
  const session = await play(ann)
  await beat(ann, session, 60_000)
  const { caller } = await fixture.person({ role: 'admin' })
  const [listed] = (await fixture.playback.active(caller, { limit: 20 }, true)).items
  t.strictSame(await fixture.playback.inspect(caller, session.id), listed)
  t.match(listed, { session: { id: session.id, positionMs: 60_000 }, user: { id: ann.caller.userId }, device: 'Living room' })
  await fixture.playback.end(ann.caller, session.id, ORIGIN)
  for (const id of [session.id, named('unknown')]) t.match(await fixture.playback.inspect(caller, id), { refusal: 'not-found' })
})

t.test('a session has the chapters of its file', async (t) => {
  const fixture = await openNodeFixture(t)
  const { caller } = await fixture.person()
  const chapters = [
    { startMs: 0, title: 'Overture' },
    { startMs: 61_500, title: null },
  ]
  fixture.mediaFiles.put('/films/Metropolis (1927).mkv', { probe: mediaOf(FILM_MS, { chapters }) })
  await fixture.scan(await fixture.newLibrary('/films'))
  const { id: movieId } = await fixture.movieNamed('Metropolis')
  t.strictSame(allowed(await fixture.playback.start(caller, { movieId }, ORIGIN)).chapters, chapters)
})

t.test('the session of a login that has signed out is gone at once for the other logins of its user', async (t) => {
  const { ann, beat, fixture, play } = await setUp(t)
  const tv = await fixture.login(ann.caller.userId)
  const session = await play(ann)
  t.match(await beat(tv, session, 1000), { session: { positionMs: 1000 } })
  await fixture.signIns.signOut(ann.caller, ORIGIN)
  t.match(await beat(tv, session, 2000), { refusal: 'not-found' })
})

t.test('a session ends once; the second of two simultaneous ends gets "not found"', async (t) => {
  const { ann, fixture, play } = await setUp(t)
  const session = await play(ann)
  const answers = await Promise.all([1, 2].map(() => fixture.playback.end(ann.caller, session.id, ORIGIN)))
  t.match(answers, [undefined, { refusal: 'not-found' }])
  t.match(await fixture.playback.end(ann.caller, session.id, ORIGIN), { refusal: 'not-found' })
})

t.test('a player that ends its session at a position leaves the resume point and the end of the viewing there', async (t) => {
  const { ann, beat, fixture, movieId, play } = await setUp(t)
  const session = await play(ann, 600_000)
  await fixture.clock.advance(10_000)
  await beat(ann, session, 610_000)
  await fixture.clock.advance(7000)
  t.equal(await fixture.playback.end(ann.caller, session.id, ORIGIN, 617_250), undefined)
  t.match(await fixture.playback.get(ann.caller, session.id), { refusal: 'not-found' })
  t.match(await fixture.movies.get(ann.caller, movieId), { own: { resume: { positionMs: 617_250 }, watched: false } })
  const viewing = { endReason: 'client', positionMs: 617_250, watchedMs: 17_000, endedAt: iso(fixture.clock.now()) }
  t.match(await fixture.readModels.viewings.get(session.id), viewing, 'no more is counted as watched than time has passed')
})

t.test('a player that jumps to the credits and ends there has watched the film, but not its seconds', async (t) => {
  const { ann, fixture, movieId, play } = await setUp(t)
  const session = await play(ann)
  await fixture.clock.advance(5000)
  t.equal(await fixture.playback.end(ann.caller, session.id, ORIGIN, 0.9 * FILM_MS), undefined)
  t.match(await fixture.movies.get(ann.caller, movieId), { own: { watched: true, playCount: 1 } })
  t.match(await fixture.readModels.viewings.get(session.id), { completed: true, watchedMs: 5000, endPercent: 90 })
})

t.test('an end at a position that the film does not have is refused, and the session goes on', async (t) => {
  const { ann, beat, fixture, movieId, play } = await setUp(t)
  const session = await play(ann)
  await beat(ann, session, 60_000)
  for (const positionMs of [-1, FILM_MS + 10_001]) {
    t.match(await fixture.playback.end(ann.caller, session.id, ORIGIN, positionMs), { refusal: 'invalid', path: 'position' })
  }
  t.match(await fixture.playback.get(ann.caller, session.id), { session: { positionMs: 60_000 } })
  t.equal(await fixture.playback.end(ann.caller, session.id, ORIGIN, FILM_MS + 10_000), undefined, 'a little beyond it is its end')
  t.match(await fixture.readModels.viewings.get(session.id), { positionMs: FILM_MS, endReason: 'client' })
  t.match(await fixture.movies.get(ann.caller, movieId), { own: { watched: true } })
})

t.test('starting, and going without a word, leaves the resume point where it was', async (t) => {
  const { ann, beat, fixture, play } = await setUp(t)
  await beat(ann, await play(ann), 600_000)
  const glance = await play(ann)
  await fixture.playback.end(ann.caller, glance.id, ORIGIN)
  await play(ann, 0)
  fixture.clock.setNow(fixture.clock.now() + IDLE_MS)
  const next = await play(ann)
  t.match(await fixture.playback.get(ann.caller, next.id), { resumePositionMs: 600_000 })
})

t.test('neither watching a film again nor a glance at it makes it unwatched', async (t) => {
  const { ann, beat, fixture, movieId, play } = await setUp(t)
  await beat(ann, await play(ann), FILM_MS)
  const again = await play(ann)
  for (const positionMs of [0, 1000, 0.5 * FILM_MS]) {
    await beat(ann, again, positionMs)
    t.match(await fixture.movies.get(ann.caller, movieId), { own: { watched: true, playCount: 1 } })
  }
  await fixture.playback.end(ann.caller, again.id, ORIGIN)
  t.match(await fixture.movies.get(ann.caller, movieId), { own: { watched: true, playCount: 1 } })
  await beat(ann, await play(ann), FILM_MS)
  t.match(await fixture.movies.get(ann.caller, movieId), { own: { watched: true, playCount: 2 } }, 'watching it again is a play of its own')
})

t.test('what a player claims beyond the probed duration is refused and makes nothing watched', async (t) => {
  const { ann, beat, fixture, movieId, play } = await setUp(t)
  const session = await play(ann)
  t.match(await beat(ann, session, FILM_MS + 10_001), { refusal: 'invalid', path: 'position' })
  t.match(await fixture.playback.seek(ann.caller, session.id, FILM_MS + 1001, ORIGIN), { refusal: 'invalid', path: 'position' })
  t.match(await fixture.movies.get(ann.caller, movieId), { own: { watched: false, playCount: 0 } })
})

t.test('a player whose network breaks for less than two minutes goes on as if nothing had been', async (t) => {
  const { ann, beat, fixture, play } = await setUp(t)
  const session = await play(ann)
  const { token } = fixture.streamAccess.issue(session)
  for (let breaks = 0; breaks < 3; breaks++) {
    await beat(ann, session, 600_000)
    fixture.clock.setNow(fixture.clock.now() + IDLE_MS - 1)
    t.match(await fixture.streamAccess.authorize(token, session.id), { session: { id: session.id, positionMs: 600_000 } })
  }
  t.match(await beat(ann, session, 610_000), { session: { positionMs: 610_000 } })
})

t.test('a heartbeat at 90 % makes the film watched before it is answered', async (t) => {
  const { ann, beat, fixture, movieId, play } = await setUp(t)
  const session = await play(ann)
  await beat(ann, session, 0.9 * FILM_MS - 1)
  t.match(await fixture.movies.get(ann.caller, movieId), { own: { watched: false, playCount: 0 } })
  await beat(ann, session, 0.9 * FILM_MS)
  t.match(await fixture.movies.get(ann.caller, movieId), { own: { watched: true, watchedAt: iso(fixture.clock.now()), playCount: 1 } })
  await beat(ann, session, FILM_MS)
  t.match(await fixture.movies.get(ann.caller, movieId), { own: { playCount: 1 } })
})

t.test('active sessions are one’s own, newest first; everybody’s where asked for, each with its user and movie', async (t) => {
  const { ann, fixture, movieId, play } = await setUp(t)
  const ben = await fixture.person()
  const sessions: string[] = []
  for (const person of [ann, ben, ann]) {
    sessions.unshift((await play(person)).id)
    fixture.clock.setNow(fixture.clock.now() + 1000)
  }
  const [third, second, first] = sessions
  const idsOf = async (everyone: boolean): Promise<readonly string[]> =>
    (await fixture.playback.active(ann.caller, { limit: 20 }, everyone)).items.map(({ session }) => session.id)
  t.strictSame(await idsOf(false), [third, first])
  t.strictSame(await idsOf(true), sessions)
  const page = await fixture.playback.active(ann.caller, { limit: 2 }, true)
  t.match(page, {
    items: [{ session: { id: third }, user: { id: ann.caller.userId, name: 'Somebody' }, movie: { movie: { id: movieId } } }, {}],
  })
  const rest = await fixture.playback.active(ann.caller, { limit: 2, ...(page.next ? { after: page.next } : {}) }, true)
  t.match(rest, { items: [{ session: { id: first } }], next: null })
  t.ok(second)
})
