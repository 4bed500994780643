import t, { type Test } from 'tap'
import type { ScanStep } from '../../../src/app/operator/operator-commands.ts'
import { user } from '../../../src/domain/accounts/user.ts'
import { userStream } from '../../../src/events/streams.ts'
import type { UserId } from '../../../src/vocabulary/id.ts'
import { toSeq } from '../../../src/events/position.ts'
import { allowed, openNodeFixture, ORIGIN, type NodeFixture } from '../../fixtures/node-fixture.ts'

const forever = new AbortController().signal

/** A node with an administrator and these films in a library called "Filme". */
async function setUp(t: Test, ...films: readonly string[]): Promise<NodeFixture> {
  const node = await openNodeFixture(t)
  await node.person({ role: 'admin' })
  for (const film of films) node.mediaFiles.put(`/films/${film}.mkv`)
  const { id } = allowed(await node.operators.addLibrary({ name: 'Filme', paths: ['/films'] }))
  const known = node.access.libraries.get(id)
  if (known && films.length > 0) await node.scan(known.id)
  return node
}

t.test('a library is scanned by its name to the end, with steps on the way', async (t) => {
  const node = await setUp(t)
  node.mediaFiles.put('/films/Alien (1979).mkv')
  const steps: ScanStep[] = []
  const scanning = node.operators.scanLibrary('FILME', (step) => void steps.push(step), forever)
  await node.clock.advance(5000)
  t.match(await scanning, { state: 'completed', counts: { added: 1 }, errors: [], error: null })
  t.match(steps.at(-1), { state: 'completed', done: 1, total: 1 })
  t.ok(steps.length > 1)
  t.match(await node.operators.scanLibrary('nothing', () => {}, forever), { refusal: 'not-found' })
  t.match(await node.operators.listLibraries(), [
    { name: 'Filme', state: 'idle', movieCount: 1, roots: [{ path: '/films', available: true }] },
  ])
})

t.test('a name that several libraries have names none of them', async (t) => {
  const node = await setUp(t)
  const { id } = allowed(await node.operators.addLibrary({ name: 'filme', paths: ['/other'] }))
  const ann = await node.person()
  const grant = (libraries: readonly string[]) => node.operators.grantLibraries({ user: ann.caller.userId, libraries })
  const SEVERAL = { refusal: 'conflict', message: /Several libraries are called "Filme"/ }
  t.match(await grant(['Filme']), SEVERAL)
  t.match(await node.operators.scanLibrary('Filme', () => {}, forever), SEVERAL)
  t.equal(node.access.users.get(ann.caller.userId)?.libraryAccess, 'all', 'nothing was granted')
  t.equal(await grant([id]), null)
  t.match(node.access.users.get(ann.caller.userId), { libraryAccess: 'selected', libraryIds: [id] })
  t.match(await grant(['nothing']), { refusal: 'not-found' })
})

t.test('a movie is played by its title, from where the administrator stopped, under a login of its own', async (t) => {
  const node = await setUp(t, 'Alien (1979)', 'Aliens (1986)')
  const logins = node.access.logins.size
  const { sessionId, title, urls } = allowed(await node.operators.startPlay('ALIEN'))
  t.equal(title, 'Alien')
  t.equal(node.access.logins.size, logins + 1)
  const [, token = ''] = urls[0]?.split('?token=') ?? []
  t.equal(urls[0], `http://127.0.0.1:8420/api/stream/${sessionId}/master.m3u8?token=${token}`)
  t.match(await node.streamAccess.authorize(token, sessionId), { session: { id: sessionId } })
  node.clock.setNow(node.clock.now() + 100_000)
  t.equal(await node.operators.beatPlay(sessionId), null)
  node.clock.setNow(node.clock.now() + 100_000)
  t.equal(node.access.session(sessionId)?.positionMs, 0, 'kept alive where it stands')
  t.equal(await node.operators.endPlay(sessionId), null)
  t.match(await node.operators.beatPlay(sessionId), { refusal: 'not-found' })
  t.equal(node.access.logins.size, logins)
})

t.test('a movie whose file was replaced by one that ends before the resume point is played at the same share', async (t) => {
  const node = await setUp(t, 'Alien (1979)')
  const [admin] = node.access.users.values()
  if (!admin) return t.fail('There is no administrator')
  const { id: movieId, libraryId, files } = await node.movieNamed('Alien')
  const { caller } = await node.login(admin.id)
  allowed(await node.movieMarks.setResumePoint(caller, movieId, (files[0]?.durationMs ?? 0) / 2, ORIGIN))
  const media = (await node.readModels.files.get(files[0]?.id ?? ''))?.media
  if (!media) return t.fail('There is no file')
  node.mediaFiles.put('/films/Alien (1979).mkv', { sizeBytes: 1, probe: { ...media, durationMs: 1_000_000 } })
  await node.scan(libraryId)
  const { sessionId } = allowed(await node.operators.startPlay(movieId))
  return t.equal(node.access.session(sessionId)?.positionMs, 500_000)
})

t.test('beating without a player does not wipe out the resume point that a session began with', async (t) => {
  const node = await setUp(t, 'Alien (1979)')
  const [admin] = node.access.users.values()
  if (!admin) return t.fail('There is no administrator')
  const { caller } = await node.login(admin.id)
  const { id: movieId } = await node.movieNamed('Alien')
  const first = allowed(await node.playback.start(caller, { movieId }, { requestId: 'r', address: null, client: null }))
  allowed(await node.playback.heartbeat(caller, first.session.id, { positionMs: 600_000 }, { requestId: 'r', address: null, client: null }))
  const { sessionId } = allowed(await node.operators.startPlay(movieId))
  t.equal(await node.operators.beatPlay(sessionId), null)
  t.equal(await node.operators.endPlay(sessionId), null)
  return t.match(await node.movies.get(caller, movieId), { own: { resume: { positionMs: 600_000 } } })
})

t.test('a title that several movies have is answered with the choices, an unknown one is not found', async (t) => {
  const node = await setUp(t, 'Dune (1984)', 'Dune (2021)', 'दिल चाहता है (2001)')
  t.match(await node.operators.startPlay('dune'), { refusal: 'conflict', message: /Dune \(1984\).*Dune \(2021\)/ })
  t.match(await node.operators.startPlay('Solaris'), { refusal: 'not-found' })
  t.ok('sessionId' in allowed(await node.operators.startPlay('दिल चाहता')), 'the beginning of a title will do, in any script')
})

t.test('the log of all that verifies', async (t) => {
  const node = await setUp(t, 'Alien (1979)')
  const { events, problems, streams } = allowed(await node.operators.verify({}, () => {}, forever))
  t.strictSame(problems, [])
  t.equal(events, (await node.events()).length)
  t.ok(streams >= 5)
})

t.test('replay knows what was known then, and no more', async (t) => {
  const node = await setUp(t, 'Alien (1979)')
  const { caller } = await node.person()
  const before = await node.cluster.log.head()
  const { id } = await node.movieNamed('Alien')
  await node.movieMarks.markWatched(caller, id, undefined, ORIGIN)
  const then = allowed(await node.operators.replay(`seq:${toSeq(before)}`, forever))
  t.match(then, { seq: toSeq(before), viewings: 0, latest: [], libraries: [{ movieCount: 1, missingCount: 0 }] })
  const now = allowed(await node.operators.replay(`seq:${toSeq(await node.cluster.log.head())}`, forever))
  t.match(now, { viewings: 1, latest: [{ name: 'Somebody', title: 'Alien', isOver: true }], users: { length: 2 } })
  const marked = toSeq(await node.cluster.log.head())
  const [{ id: viewingId } = { id: '' }] = (await node.readModels.viewings.find({ limit: 1 })).items
  await node.history.hide(caller, viewingId, ORIGIN)
  const removed = allowed(await node.operators.replay(`seq:${marked}`, forever))
  t.match(removed, { seq: marked, viewings: 0, latest: [] }, 'what was removed since stays removed')
  t.match(allowed(await node.operators.replay('seq:0', forever)), { at: null, users: [], libraries: [] })
  for (const until of ['yesterday', 'seq:99999', '2999-01-01T00:00:00Z']) {
    t.match(await node.operators.replay(until, forever), { refusal: 'invalid', path: 'until' }, until)
  }
})

t.test('an event that a clock dated ahead hides nothing from replay', async (t) => {
  const node = await setUp(t, 'Alien (1979)')
  const { caller } = await node.person()
  const { id } = await node.movieNamed('Alien')
  const rightMs = node.clock.now()
  node.clock.setNow(rightMs + 86_400_000)
  await node.movieMarks.setWatchlisted(caller, id, true, ORIGIN)
  node.clock.setNow(rightMs)
  await node.movieMarks.markWatched(caller, id, undefined, ORIGIN)
  const seq = toSeq(await node.cluster.log.head())
  const at = new Date(rightMs).toISOString()
  t.match(allowed(await node.operators.replay(at, forever)), { seq, at, viewings: 1 })
})

t.test('replay shows a session that fell silent as over once its idle time had passed', async (t) => {
  const node = await setUp(t, 'Alien (1979)')
  const { caller } = await node.person()
  const startedMs = node.clock.now()
  const { id: movieId } = await node.movieNamed('Alien')
  allowed(await node.playback.start(caller, { movieId }, ORIGIN))
  node.clock.setNow(startedMs + 121_000)
  const at = async (ms: number) => allowed(await node.operators.replay(new Date(startedMs + ms).toISOString(), forever))
  t.match(await at(119_000), { latest: [{ title: 'Alien', isOver: false }] })
  t.match(await at(121_000), { latest: [{ title: 'Alien', isOver: true }] })
})

t.test('somebody whose removal a crash has cut short is erased by the address, which is free then', async (t) => {
  const node = await setUp(t)
  const account = { email: 'ann@example.org', name: 'Ann', password: 'correct horse', role: 'user' } as const
  const userId = allowed(await node.operators.addUser(account)).id as UserId
  const removed = () => [{ type: 'UserRemoved', data: { userId } } as const]
  allowed(
    await node.commandHandler.execute({ stream: userStream(userId), decider: user }, removed, { actor: 'cli', command: 'removeUser' }),
  )
  await node.seen()
  t.equal(await node.operators.eraseUser({ user: account.email }), null)
  t.equal(await node.cluster.vault.key(userId), undefined)
  t.not(allowed(await node.operators.addUser(account)).id, userId)
  t.equal(await node.operators.eraseUser({ user: userId }), null, 'a repeat by the id')
  t.match(await node.operators.eraseUser({ user: 'nobody@example.org' }), { refusal: 'not-found' })
})
