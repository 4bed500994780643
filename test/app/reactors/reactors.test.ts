import t, { type Test } from 'tap'
import { createMemoryLeases } from '../../../src/adapters/memory/leases.ts'
import { createMemoryReadStore } from '../../../src/adapters/memory/read-store.ts'
import { REACTORS_COLLECTION } from '../../../src/app/reactors/reactors.ts'
import { playback } from '../../../src/domain/playback/playback.ts'
import { derivedEventId } from '../../../src/events/derived-id.ts'
import { playbackStream } from '../../../src/events/streams.ts'
import { allowed, createCluster, openNodeFixture, ORIGIN, type NodeFixture, type Cluster } from '../../fixtures/node-fixture.ts'

const FILM_MS = 5_400_000

async function watching(t: Test, cluster: Cluster) {
  const fixture = await openNodeFixture(t, { cluster })
  const { caller } = await fixture.person()
  fixture.mediaFiles.put('/films/Metropolis (1927).mkv')
  await fixture.scan(await fixture.newLibrary('/films'))
  const { id: movieId } = await fixture.movieNamed('Metropolis')
  const { session } = allowed(await fixture.playback.start(caller, { movieId }, ORIGIN))
  return { fixture, caller, movieId, session }
}

const completions = async (fixture: NodeFixture) => (await fixture.events()).filter((event) => event.type === 'MovieCompleted')

t.test('a film whose completion was lost in a crash between two appends is completed by a reactor', async (t) => {
  const cluster = createCluster()
  const { fixture, caller, movieId, session } = await watching(t, cluster)
  const { id: sessionId, userId, fileId, durationMs } = session
  const beat = { sessionId, userId, movieId: session.movieId, fileId, durationMs, positionMs: 0.95 * FILM_MS }
  const event = { type: 'PlaybackHeartbeat', data: { ...beat, playState: 'playing', rate: 1, sequence: null } } as const
  const target = { stream: playbackStream(sessionId), decider: playback }
  await fixture.commandHandler.execute(target, () => [event], { actor: `user:${userId}`, command: 'heartbeat' })
  await cluster.clock.settle()
  await fixture.seen()
  t.match(await completions(fixture), [
    { id: derivedEventId(sessionId, 'MovieCompleted'), data: { sessionId, movieId }, metadata: { actor: 'system' } },
  ])
  t.match(await fixture.movies.get(caller, movieId), { own: { watched: true, playCount: 1 } })
  t.strictSame(fixture.problems, [])
})

t.test('reactors that look at the whole log again, because the read models were deleted, do nothing twice', async (t) => {
  const cluster = createCluster()
  const { fixture, caller, movieId, session } = await watching(t, cluster)
  await fixture.playback.heartbeat(caller, session.id, { positionMs: 0.95 * FILM_MS }, ORIGIN)
  await fixture.movieMarks.markUnwatched(caller, movieId, ORIGIN)
  await fixture.signIns.signOut(caller, ORIGIN)
  await cluster.clock.settle()
  await fixture.seen()
  const before = (await fixture.events()).map(({ type }) => type)
  await fixture.stop()
  const restarted = await openNodeFixture(t, { cluster: { ...cluster, store: createMemoryReadStore() }, node: 'two' })
  await cluster.clock.advance(1000)
  await restarted.seen()
  t.strictSame(
    (await restarted.events()).map(({ type }) => type),
    before,
  )
  const { caller: again } = await restarted.login(caller.userId)
  t.match(await restarted.movies.get(again, movieId), { own: { watched: false, playCount: 1 } }, 'the mark that was taken back stays so')
  t.strictSame(restarted.problems, [])
})

t.test('reactors that were replaced notice it when they note how far they have come, and stop', async (t) => {
  const cluster = createCluster()
  const { fixture, caller, session } = await watching(t, cluster)
  const collection = REACTORS_COLLECTION.name
  const from = await cluster.store.checkpoint(collection)
  await cluster.store.commit({ collection, epoch: Number.MAX_SAFE_INTEGER, from, to: from, puts: [], removes: [] })
  await fixture.playback.heartbeat(caller, session.id, { positionMs: 0.95 * FILM_MS }, ORIGIN)
  await cluster.clock.settle()
  t.match(fixture.problems, [/taken over/])
})

t.test('a session whose node died is ended all the same when its user signs out, as soon as it can be had', async (t) => {
  const cluster = createCluster()
  const { fixture, caller, session } = await watching(t, cluster)
  await fixture.clock.advance(90_000)
  const dead = createMemoryLeases(cluster)
  await dead.acquire(`playback.${session.id}`, 15)
  dead.stall()
  await fixture.signIns.signOut(caller, ORIGIN)
  await fixture.clock.advance(2000)
  const ends = async () => (await fixture.events()).filter(({ type }) => type === 'PlaybackEnded')
  t.strictSame(await ends(), [], 'somebody else may still be at it')
  await fixture.clock.advance(25_000)
  t.match(await ends(), [{ data: { sessionId: session.id, reason: 'signed_out' } }])
  t.match(fixture.problems[0], /cannot be ended now/)
})

for (const endOthers of [false, true]) {
  const [others, end] = endOthers ? ['ends', 'those of the other logins'] : ['keeps', 'no playback']
  t.test(`a changed password that ${others} the other logins ends ${end}`, async (t) => {
    const fixture = await openNodeFixture(t)
    fixture.mediaFiles.put('/films/Metropolis (1927).mkv')
    await fixture.scan(await fixture.newLibrary('/films'))
    const { id: movieId } = await fixture.movieNamed('Metropolis')
    const author = { actor: 'system', command: 'test' }
    const account = { email: 'ann@example.org', name: 'Ann', password: 'correct horse', role: 'admin' } as const
    const { userId } = allowed(await fixture.accounts.register(account, author))
    await fixture.seen()
    const [phone, tv] = [await fixture.login(userId), await fixture.login(userId)]
    for (const { caller } of [phone, tv]) allowed(await fixture.playback.start(caller, { movieId }, ORIGIN))
    const change = { currentPassword: 'correct horse', newPassword: 'another horse', endOthers }
    allowed(await fixture.signIns.changePassword(phone.caller, change, ORIGIN))
    await fixture.clock.advance(1000)
    await fixture.seen()
    const playing = [...fixture.access.sessions.values()].map(({ loginId }) => loginId)
    t.strictSame(new Set(playing), new Set((endOthers ? [phone] : [phone, tv]).map(({ caller }) => caller.loginId)))
    const ends = (await fixture.events()).filter(({ type }) => type === 'PlaybackEnded')
    t.match(ends, endOthers ? [{ data: { reason: 'signed_out' } }] : [])
  })
}

t.test('a session goes on that began after its user had the library again, when reactors look at the whole log again', async (t) => {
  const cluster = createCluster()
  const { fixture, caller, session, movieId } = await watching(t, cluster)
  const admin = await fixture.person({ role: 'admin' })
  const { userId } = caller
  const settle = async () => {
    await cluster.clock.advance(1000)
    await fixture.seen()
  }
  for (const access of [{ libraryAccess: 'selected', libraryIds: [] }, { libraryAccess: 'all' }] as const) {
    allowed(await fixture.users.change(admin.caller, userId, access, ORIGIN))
    await settle()
  }
  const { session: second } = allowed(await fixture.playback.start((await fixture.login(userId)).caller, { movieId }, ORIGIN))
  const ends = async (node: NodeFixture) =>
    (await node.events()).flatMap(({ type, data }) => (type === 'PlaybackEnded' ? [data.sessionId] : []))
  t.strictSame(await ends(fixture), [session.id])
  await fixture.stop()
  const restarted = await openNodeFixture(t, { cluster: { ...cluster, store: createMemoryReadStore() }, node: 'two' })
  await cluster.clock.advance(1000)
  await restarted.seen()
  t.strictSame(await ends(restarted), [session.id])
  t.ok(restarted.access.sessions.has(second.id))
})
