import t, { type Test } from 'tap'
import { isUnchangedIn } from '../../../src/app/playback/session-file.ts'
import type { StreamGrant } from '../../../src/app/playback/stream-access.ts'
import { signStreamToken } from '../../../src/app/playback/stream-token.ts'
import type { SessionDocument } from '../../../projections/views/playback-sessions.ts'
import { allowed, openNodeFixture, ORIGIN, SECRETS, type NodeFixture, type Person } from '../../fixtures/node-fixture.ts'
import { named } from '../../fixtures/names.ts'

const HOUR_MS = 3_600_000
const refused401 = { refusal: 'unauthenticated' }
const refused403 = { refusal: 'forbidden' }
const refused404 = { refusal: 'not-found' }

interface Setting {
  readonly node: NodeFixture
  readonly ann: Person
  readonly ben: Person
  readonly evening: SessionDocument
  readonly token: string
  readonly authorize: NodeFixture['streamAccess']['authorize']
  readonly play: (person: Person) => Promise<SessionDocument>
  /** Advances the time like a player, with occasional heartbeats. */
  readonly watch: (person: Person, session: SessionDocument, ms: number) => Promise<void>
}

async function setUp(t: Test): Promise<Setting> {
  const node = await openNodeFixture(t)
  const [ann, ben] = [await node.person(), await node.person()]
  node.mediaFiles.put('/films/Metropolis (1927).mkv')
  await node.scan(await node.newLibrary('/films'))
  const movie = await node.movieNamed('Metropolis')
  const play = async ({ caller }: Person): Promise<SessionDocument> =>
    allowed(await node.playback.start(caller, { movieId: movie.id }, ORIGIN)).session
  const watch = async ({ caller }: Person, { id }: SessionDocument, ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 100_000) {
      node.clock.setNow(node.clock.now() + Math.min(100_000, ms - passed))
      allowed(await node.playback.heartbeat(caller, id, { positionMs: 1000 }, ORIGIN))
    }
  }
  const evening = await play(ann)
  const { token } = node.streamAccess.issue(evening)
  return { node, ann, ben, evening, token, play, watch, authorize: (credential, id) => node.streamAccess.authorize(credential, id) }
}

t.test('a stream token and an access token both open their own session and its file', async (t) => {
  const { ann, evening, authorize, token } = await setUp(t)
  for (const credential of [token, ann.token]) {
    t.match(await authorize(credential, evening.id), {
      session: { id: evening.id },
      file: { id: evening.fileId, path: '/films/Metropolis (1927).mkv' },
    })
  }
})

t.test('no credential, a garbled or a forged one is no authentication', async (t) => {
  const { ann, evening, authorize, token, node } = await setUp(t)
  const claims = { userId: evening.userId, sessionId: evening.id, expiresAtSeconds: Math.floor(node.clock.now() / 1000) + 60 }
  const forged = [
    undefined,
    '',
    'x',
    ann.token.slice(1),
    `${token}0`,
    token.slice(0, -1),
    ':::',
    signStreamToken('a guessed secret', claims),
  ]
  for (const credential of forged) t.match(await authorize(credential, evening.id), refused401, String(credential))
})

t.test('a stream token lives for four hours to the second', async (t) => {
  const { ann, node, authorize, play, watch } = await setUp(t)
  node.clock.setNow(Math.ceil(node.clock.now() / 1000) * 1000)
  const evening = await play(ann)
  const { token, expiresAt } = node.streamAccess.issue(evening)
  t.equal(Date.parse(expiresAt), node.clock.now() + 4 * HOUR_MS)
  t.match(token.split(':'), [evening.userId, evening.id, String(Date.parse(expiresAt) / 1000), /^[0-9a-f]{64}$/])
  await watch(ann, evening, 4 * HOUR_MS - 1)
  t.match(await authorize(token, evening.id), { session: { id: evening.id } })
  node.clock.setNow(node.clock.now() + 1)
  t.match(await authorize(token, evening.id), refused401)
})

t.test('a session keeps its stream token until its next heartbeat', async (t) => {
  const { ann, evening, node, watch } = await setUp(t)
  const issue = (session: SessionDocument) => node.streamAccess.issue(session)
  const first = issue(evening)
  node.clock.setNow(node.clock.now() + 100_000)
  t.strictSame(issue(evening), first)
  await watch(ann, evening, 1)
  const session = node.access.session(evening.id) ?? evening
  t.equal(Date.parse(issue(session).expiresAt), Math.floor(Date.parse(session.beatAt) / 1000) * 1000 + 4 * HOUR_MS)
  t.not(issue(session).token, first.token)
  node.clock.setNow(node.clock.now() + 5 * HOUR_MS)
  t.ok(Date.parse(issue(session).expiresAt) > node.clock.now() + 3 * HOUR_MS, 'also if no heartbeat can be stored for hours')
})

t.test('the secret before the last one still verifies, others do not', async (t) => {
  const { evening, node, authorize } = await setUp(t)
  const claims = { userId: evening.userId, sessionId: evening.id, expiresAtSeconds: Math.floor(node.clock.now() / 1000) + 60 }
  t.match(await authorize(signStreamToken(SECRETS[1], claims), evening.id), { session: { id: evening.id } })
  t.match(await authorize(signStreamToken('one from long ago', claims), evening.id), refused401)
})

t.test('a stream token opens no other session, not even one of the same user', async (t) => {
  const { ann, ben, authorize, play, token } = await setUp(t)
  t.match(await authorize(token, (await play(ben)).id), refused403)
  t.match(await authorize(token, (await play(ann)).id), refused403)
})

t.test('nobody opens another user’s session, administrators included', async (t) => {
  const { ben, evening, node, authorize, play } = await setUp(t)
  const admin = await node.person({ role: 'admin' })
  const bens = node.streamAccess.issue(await play(ben)).token
  for (const credential of [ben.token, admin.token, bens]) t.match(await authorize(credential, evening.id), refused403)
})

t.test('a token that names an unknown user is no authentication', async (t) => {
  const { evening, node, authorize } = await setUp(t)
  const claims = { userId: named<'user'>('nobody'), sessionId: evening.id, expiresAtSeconds: Math.floor(node.clock.now() / 1000) + 60 }
  t.match(await authorize(signStreamToken(SECRETS[0], claims), evening.id), refused401)
})

t.test('a token that somebody signed for a session of another user does not open it', async (t) => {
  const { ben, evening, node, authorize } = await setUp(t)
  const claims = { userId: ben.caller.userId, sessionId: evening.id, expiresAtSeconds: Math.floor(node.clock.now() / 1000) + 60 }
  t.match(await authorize(signStreamToken(SECRETS[0], claims), evening.id), refused403)
})

t.test('a session that ended, went idle or never was is not found', async (t) => {
  const { ann, evening, node, authorize, token, play } = await setUp(t)
  for (const id of ['unknown', named<'session'>('unknown')]) t.match(await authorize(ann.token, id), refused404)
  const second = await play(ann)
  const secondToken = node.streamAccess.issue(second).token
  await node.playback.end(ann.caller, second.id, ORIGIN)
  for (const credential of [ann.token, secondToken]) t.match(await authorize(credential, second.id), refused404)
  node.clock.setNow(node.clock.now() + 119_999)
  t.match(await authorize(token, evening.id), { session: { id: evening.id } })
  node.clock.setNow(node.clock.now() + 1)
  for (const credential of [ann.token, token]) t.match(await authorize(credential, evening.id), refused404)
})

t.test('after the sign-out of the login that made a session its stream token is no authentication any more', async (t) => {
  const { ann, evening, node, authorize, token } = await setUp(t)
  await node.signIns.signOut(ann.caller, ORIGIN)
  for (const credential of [token, ann.token]) t.match(await authorize(credential, evening.id), refused401, 'from the answer on')
  await node.clock.settle()
  t.notOk(node.access.sessions.has(evening.id))
  for (const credential of [token, ann.token])
    t.match(await authorize(credential, evening.id), refused401, 'and when the session has ended')
})

t.test('checks go in order: the login behind a token first, then whether the session is there, then whose it is', async (t) => {
  const { ann, ben, node, authorize, play, token } = await setUp(t)
  t.match(await authorize(token, named<'session'>('unknown')), refused404, 'another session that is not there')
  const bens = await play(ben)
  await node.signIns.signOut(ann.caller, ORIGIN)
  t.match(await authorize(token, bens.id), refused401, 'another session, after the sign-out')
  t.match(await authorize(token, named<'session'>('unknown')), refused401)
})

t.test('another login of the same user does not keep the session of a login that has signed out', async (t) => {
  const { ann, evening, node, authorize } = await setUp(t)
  const tv = await node.login(ann.caller.userId)
  t.match(await authorize(tv.token, evening.id), { session: { id: evening.id } })
  await node.signIns.signOut(ann.caller, ORIGIN)
  t.match(await authorize(tv.token, evening.id), refused404)
})

t.test('a login that expires takes its stream tokens with it', async (t) => {
  const { ann, evening, node, authorize } = await setUp(t)
  node.clock.setNow(node.clock.now() + 7 * 24 * HOUR_MS - 1000)
  const claims = { userId: evening.userId, sessionId: evening.id, expiresAtSeconds: Math.floor(node.clock.now() / 1000) + 60 }
  node.clock.setNow(node.clock.now() + 1000)
  t.match(await authorize(signStreamToken(SECRETS[0], claims), evening.id), refused401)
  t.match(await authorize(ann.token, evening.id), refused401)
})

t.test('a session belongs to the content that it began with', async (t) => {
  const { ann, evening, node, authorize, play, token } = await setUp(t)
  const isUnchanged = ({ session, file }: StreamGrant) => isUnchangedIn(session, file)
  const [path, renamed] = ['/films/Metropolis (1927).mkv', '/films/Metropolis (1927) 1080p.mkv']
  const rescan = async () => {
    t.match(await node.scan(evening.libraryId), { state: 'completed' })
    await node.clock.advance(2_000)
  }
  node.mediaFiles.put(path, { content: path, modifiedAtMs: 5_000 })
  await rescan()
  t.ok(isUnchanged(allowed(await authorize(token, evening.id))), 'it was only touched')
  node.mediaFiles.remove(path)
  node.mediaFiles.put(renamed, { content: path })
  await rescan()
  const found = allowed(await authorize(token, evening.id))
  t.match(found, { file: { path: renamed } })
  t.ok(isUnchanged(found), 'it was renamed')
  node.mediaFiles.put(renamed, { content: 'another film' })
  await rescan()
  t.notOk(isUnchanged(allowed(await authorize(token, evening.id))), 'it was replaced')
  t.match(allowed(await node.playback.get(ann.caller, evening.id)), { session: { id: evening.id }, qualities: [], chapters: [] })
  const again = await play(ann)
  t.ok(isUnchanged(allowed(await authorize(ann.token, again.id))), 'a new session plays it')
})

t.test('a session whose file was replaced says so to its player and to administrators', async (t) => {
  const { ann, evening, node, play } = await setUp(t)
  const admin = await node.person({ role: 'admin' })
  const problems = async ({ id }: SessionDocument) => [
    allowed(await node.playback.get(ann.caller, id)).problem,
    allowed(await node.playback.heartbeat(ann.caller, id, { positionMs: 1000 }, ORIGIN)).problem,
    allowed(await node.playback.seek(ann.caller, id, 2000, ORIGIN)).problem,
    allowed(await node.playback.inspect(admin.caller, id)).problem,
  ]
  t.strictSame(await problems(evening), [null, null, null, null])
  node.mediaFiles.put('/films/Metropolis (1927).mkv', { content: 'another film' })
  t.match(await node.scan(evening.libraryId), { state: 'completed' })
  const text = 'The file of this session was replaced: start a new session'
  t.strictSame(await problems(evening), [text, text, text, text])
  t.strictSame(await problems(await play(ann)), [null, null, null, null])
})

t.test('a heartbeat is answered even if the file of its session cannot be read', async (t) => {
  const { ann, evening, node } = await setUp(t)
  const fault = new Error('the read store is away')
  node.readModels.fileStamps.get = async () => Promise.reject(fault)
  t.match(await node.playback.heartbeat(ann.caller, evening.id, { positionMs: 1000 }, ORIGIN), {
    session: { positionMs: 1000 },
    problem: null,
  })
  t.strictSame(node.problems, [fault])
})
