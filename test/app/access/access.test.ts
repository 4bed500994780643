import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createMemoryReadStore } from '../../../src/adapters/memory/read-store.ts'
import { createAccess } from '../../../src/app/access/access.ts'
import { START, toPosition } from '../../../src/events/position.ts'
import { specOf } from '../../../projections/projector/projector.ts'
import { collectionOf } from '../../../projections/views/view.ts'
import { users } from '../../../projections/views/users.ts'
import { views } from '../../../projections/views/all.ts'
import { allowed, openNodeFixture, ORIGIN } from '../../fixtures/node-fixture.ts'

const WEEK_MS = 604_800_000

t.test('a token names its caller from sign-in to sign-out', async (t) => {
  const { access, person, signIns } = await openNodeFixture(t)
  const { caller, token } = await person({ role: 'admin' })
  t.strictSame(access.callerByToken(token), caller)
  t.strictSame(access.callerByLogin(caller.loginId), caller)
  for (const other of ['', token.slice(1), `${token} `, caller.loginId, caller.userId]) t.equal(access.callerByToken(other), undefined)
  await signIns.signOut(caller, ORIGIN)
  t.equal(access.callerByToken(token), undefined)
  t.equal(access.callerByLogin(caller.loginId), undefined)
})

t.test('neither the token nor what could be turned into it is kept: only its hash', async (t) => {
  const { access, person, events } = await openNodeFixture(t)
  const { token } = await person()
  t.notMatch(JSON.stringify([await events(), ...access.logins.values()]), token)
})

t.test('a token holds for seven days to the millisecond, judged without anybody writing down its end', async (t) => {
  const { access, clock, person } = await openNodeFixture(t)
  const { token } = await person()
  clock.setNow(clock.now() + WEEK_MS - 1)
  t.ok(access.callerByToken(token))
  clock.setNow(clock.now() + 1)
  t.equal(access.callerByToken(token), undefined)
})

t.test('the login of one person ends without those of others, nor other ones of the same', async (t) => {
  const { access, login, person, signIns } = await openNodeFixture(t)
  const [ann, ben] = [await person(), await person()]
  const annsPhone = await login(ann.caller.userId)
  await signIns.signOut(ann.caller, ORIGIN)
  t.notOk(access.callerByToken(ann.token))
  t.ok(access.callerByToken(annsPhone.token))
  t.ok(access.callerByToken(ben.token))
})

t.test('a disabled account has no caller, whatever its logins say', async (t) => {
  const node = await openNodeFixture(t)
  const { caller, token } = await node.person()
  const body = { ...node.access.users.get(caller.userId), enabled: false } as never
  const store = createMemoryReadStore()
  await store.open(views.map(specOf))
  const puts = [{ id: caller.userId, at: toPosition(9), body }]
  await store.commit({ collection: collectionOf(users), epoch: 1, from: START, to: toPosition(9), puts, removes: [] })
  const access = createAccess(createTestClock())
  for (const feed of access.feeds) await feed.load(store)
  for (const event of await node.events()) for (const feed of access.feeds) feed.apply(event)
  t.ok(access.logins.has(caller.loginId))
  t.equal(access.callerByToken(token), undefined)
})

t.test('a library is there for those who see it', async (t) => {
  const { access, newLibrary, person } = await openNodeFixture(t)
  const [films, secret] = [await newLibrary('/films'), await newLibrary('/secret')]
  const { caller } = await person({ libraryAccess: 'selected', libraryIds: [films] })
  const admin = await person({ role: 'admin', libraryAccess: 'selected' })
  t.equal(access.library(caller, films)?.id, films)
  t.equal(access.library(caller, secret), undefined)
  t.equal(access.library(caller, 'nothing'), undefined)
  t.equal(access.library(admin.caller, secret)?.id, secret)
})

t.test('a session is there until exactly 120 s after its last heartbeat', async (t) => {
  const node = await openNodeFixture(t)
  const { caller } = await node.person()
  node.mediaFiles.put('/films/Metropolis (1927).mkv')
  await node.scan(await node.newLibrary('/films'))
  const { id } = await node.movieNamed('Metropolis')
  const { session } = allowed(await node.playback.start(caller, { movieId: id }, ORIGIN))
  node.clock.setNow(node.clock.now() + 119_999)
  t.equal(node.access.session(session.id)?.id, session.id)
  node.clock.setNow(node.clock.now() + 1)
  t.equal(node.access.session(session.id), undefined)
  t.ok(node.access.sessions.has(session.id), 'nobody has written it down yet')
})
