import t, { type Test } from 'tap'
import { isRefusal } from '../../../src/domain/refusal.ts'
import type { UserId } from '../../../src/vocabulary/id.ts'
import { allowed, openNodeFixture, ORIGIN, type NodeFixture } from '../../fixtures/node-fixture.ts'

const AUTHOR = { actor: 'system', command: 'test' }
const LAST = { refusal: 'conflict', message: /last administrator/ }
let people = 0

/** An account created the normal way, with a password. */
async function account(fixture: NodeFixture, role: 'admin' | 'user' = 'user', password = 'correct horse') {
  const email = `person${people++}@example.org`
  const { userId, position } = allowed(await fixture.accounts.register({ email, name: 'Somebody', password, role }, AUTHOR))
  await fixture.readYourWrites.waitFor(position)
  return { userId, email, password }
}

/** A change, once it is visible. */
async function done(fixture: NodeFixture, change: Promise<unknown>) {
  const answer = await change
  await fixture.seen()
  return answer
}

async function signIn({ signIns }: NodeFixture, email: string, password: string) {
  const answer = await signIns.signIn({ email, password, rememberMe: true }, ORIGIN)
  return isRefusal(answer) ? answer.refusal : 'token' in answer ? answer.token : answer.challenge
}

async function film(fixture: NodeFixture) {
  fixture.mediaFiles.put('/films/Metropolis (1927).mkv')
  const libraryId = await fixture.newLibrary('/films')
  await fixture.scan(libraryId)
  return { libraryId, movieId: (await fixture.movieNamed('Metropolis')).id }
}

async function play(fixture: NodeFixture, caller: Parameters<NodeFixture['playback']['start']>[0], movieId: string) {
  return allowed(await fixture.playback.start(caller, { movieId }, ORIGIN)).session
}

/** The session's end reason, once the reactor has handled it. */
async function reasonOf(fixture: NodeFixture, sessionId: string): Promise<string | undefined> {
  for (let patience = 0; patience < 200; patience++) {
    const ended = (await fixture.events()).find((event) => event.type === 'PlaybackEnded' && event.data.sessionId === sessionId)
    if (ended?.type === 'PlaybackEnded') return ended.data.reason
    await fixture.clock.advance(10)
  }
  return undefined
}

t.test('the last enabled admin cannot be demoted, disabled or removed', async (t) => {
  const fixture = await openNodeFixture(t)
  const { userId } = await account(fixture, 'admin')
  const { accountChanges } = fixture
  for (const wanted of [{ role: 'user' }, { enabled: false }] as const) t.match(await accountChanges.change(userId, wanted, AUTHOR), LAST)
  t.match(await accountChanges.remove(userId, AUTHOR), LAST)
  t.match(await accountChanges.erase(userId, AUTHOR), LAST)
  t.match(fixture.access.users.get(userId), { role: 'admin', enabled: true })
  const second = await account(fixture, 'admin')
  allowed(await done(fixture, accountChanges.change(userId, { role: 'user' }, AUTHOR)))
  t.match(await accountChanges.change(second.userId, { enabled: false }, AUTHOR), LAST)
})

/** On two nodes, each of which ends two of the four. */
async function race(t: Test, end: (fixture: NodeFixture, userId: UserId) => Promise<unknown>) {
  const fixture = await openNodeFixture(t)
  const other = await openNodeFixture(t, { cluster: fixture.cluster, node: 'two' })
  const admins = await Promise.all(Array.from({ length: 4 }, () => account(fixture, 'admin')))
  const answers = await Promise.all(admins.map(({ userId }, n) => end(n % 2 === 0 ? fixture : other, userId)))
  await fixture.seen()
  t.equal(answers.filter(isRefusal).length, 1, 'one of them is the last')
  t.equal([...fixture.access.users.values()].filter(({ role, enabled }) => role === 'admin' && enabled).length, 1)
}

t.test('of admins who end each other at the same time one stays: the append to their one stream decides', async (t) => {
  await race(t, ({ accountChanges }, userId) => accountChanges.change(userId, { role: 'user' }, AUTHOR))
  await race(t, ({ accountChanges }, userId) => accountChanges.change(userId, { enabled: false }, AUTHOR))
  await race(t, ({ accountChanges }, userId) => accountChanges.remove(userId, AUTHOR))
})

t.test('a renaming in the middle of a demotion takes no seat for somebody who is just leaving it', async (t) => {
  const fixture = await openNodeFixture(t)
  const [one, two] = [await account(fixture, 'admin'), await account(fixture, 'admin')]
  allowed(await fixture.adminSeats.leave(one.userId, AUTHOR))
  allowed(await fixture.accountChanges.change(one.userId, { name: 'Renamed' }, AUTHOR))
  t.match(await fixture.accountChanges.change(two.userId, { role: 'user' }, AUTHOR), LAST)
})

t.test('a refused demotion that would also have changed the address leaves that address free', async (t) => {
  const fixture = await openNodeFixture(t)
  const { userId } = await account(fixture, 'admin')
  t.match(await fixture.accountChanges.change(userId, { role: 'user', email: 'new@example.org' }, AUTHOR), LAST)
  t.notOk(
    isRefusal(await fixture.accounts.register({ email: 'new@example.org', name: 'N', password: 'correct horse', role: 'user' }, AUTHOR)),
  )
})

t.test('admins without a seat get one at the start: those of an older log, and of a crash', async (t) => {
  const fixture = await openNodeFixture(t)
  const old = await fixture.person({ role: 'admin' })
  t.match(await fixture.accountChanges.change(old.caller.userId, { role: 'user' }, AUTHOR), LAST)
  const second = await account(fixture, 'admin')
  await fixture.adminSeats.recover(fixture.access.users.keys() as Iterable<UserId>)
  allowed(await done(fixture, fixture.accountChanges.change(second.userId, { role: 'user' }, AUTHOR)))
  t.match(await fixture.accountChanges.change(old.caller.userId, { role: 'user' }, AUTHOR), LAST)
})

t.test('a changed address signs in, the old one is free again', async (t) => {
  const fixture = await openNodeFixture(t)
  const { userId, email, password } = await account(fixture)
  allowed(await done(fixture, fixture.accountChanges.change(userId, { email: ' New@Example.org ' }, AUTHOR)))
  t.match(await signIn(fixture, 'new@example.org', password), /^.{43}$/)
  t.equal(await signIn(fixture, email, password), 'unauthenticated')
  t.notOk(isRefusal(await fixture.accounts.register({ email, name: 'Next', password: 'correct horse', role: 'user' }, AUTHOR)))
  t.match(await fixture.accountChanges.change(userId, { email }, AUTHOR), { refusal: 'conflict' })
})

t.test(
  'changes of one account wait for each other: one that has left an address frees it before the next one may come back to it',
  async (t) => {
    const fixture = await openNodeFixture(t)
    const { userId } = await account(fixture)
    const other = await fixture.leases.acquire(`account.${userId}`, 5)
    let changed: unknown
    const change = fixture.accountChanges.change(userId, { email: 'other@example.org' }, AUTHOR).then((answer) => (changed = answer))
    await fixture.clock.advance(500)
    t.equal(changed, undefined)
    await other?.release()
    await fixture.clock.advance(100)
    await change
    t.notOk(isRefusal(changed))
  },
)

t.test('a claim that a crash has left signs nobody in, and is free after a minute', async (t) => {
  const fixture = await openNodeFixture(t)
  const { userId, password } = await account(fixture)
  allowed(await fixture.accounts.takeEmail('half@example.org', { userId, author: AUTHOR }))
  t.equal(await signIn(fixture, 'half@example.org', password), 'unauthenticated')
  const other = await account(fixture)
  t.match(await fixture.accountChanges.change(other.userId, { email: 'half@example.org' }, AUTHOR), { refusal: 'conflict' })
  await fixture.clock.advance(60_001)
  allowed(await done(fixture, fixture.accountChanges.change(other.userId, { email: 'half@example.org' }, AUTHOR)))
  t.match(await signIn(fixture, 'half@example.org', other.password), /^.{43}$/)
})

t.test('what holds already changes nothing', async (t) => {
  const fixture = await openNodeFixture(t)
  const { userId, email } = await account(fixture)
  const before = (await fixture.events()).length
  allowed(
    await fixture.accountChanges.change(userId, { name: ' Somebody ', email: email.toUpperCase(), role: 'user', enabled: true }, AUTHOR),
  )
  t.equal((await fixture.events()).length, before)
})

t.test('disabling ends logins and sessions at once, and enabling revives neither', async (t) => {
  const fixture = await openNodeFixture(t)
  const { movieId } = await film(fixture)
  const { caller, token } = await fixture.person()
  const session = await play(fixture, caller, movieId)
  allowed(await done(fixture, fixture.accountChanges.change(caller.userId, { enabled: false }, AUTHOR)))
  t.equal(fixture.access.callerByToken(token), undefined)
  t.match(await fixture.streamAccess.authorize(fixture.streamAccess.issue(session).token, session.id), { refusal: 'unauthenticated' })
  t.equal(await reasonOf(fixture, session.id), 'user_disabled')
  allowed(await done(fixture, fixture.accountChanges.change(caller.userId, { enabled: true }, AUTHOR)))
  t.equal(fixture.access.callerByToken(token), undefined, 'the login stays over')
  t.equal(fixture.access.session(session.id), undefined)
  t.ok(fixture.access.callerByToken((await fixture.login(caller.userId)).token), 'a new one holds')
})

t.test('still playing after a revoked grant: the stream ends with the grant, and only that of the library', async (t) => {
  const fixture = await openNodeFixture(t)
  const { libraryId, movieId } = await film(fixture)
  const other = await fixture.newLibrary('/series')
  const { caller, token } = await fixture.person({ libraryAccess: 'selected', libraryIds: [libraryId, other] })
  const session = await play(fixture, caller, movieId)
  const authorize = (credential: string) => fixture.streamAccess.authorize(credential, session.id)
  t.notOk(isRefusal(await authorize(token)))
  allowed(await done(fixture, fixture.accountChanges.change(caller.userId, { libraryIds: [libraryId] }, AUTHOR)))
  t.notOk(isRefusal(await authorize(token)), 'the other grant is not its business')
  allowed(await done(fixture, fixture.accountChanges.change(caller.userId, { libraryIds: [other] }, AUTHOR)))
  for (const credential of [token, fixture.streamAccess.issue(session).token])
    t.match(await authorize(credential), { refusal: 'not-found' })
  t.match(await fixture.playback.heartbeat({ ...caller, libraryIds: [other] }, session.id, { positionMs: 1 }, ORIGIN), {
    refusal: 'not-found',
  })
  t.equal(await reasonOf(fixture, session.id), 'access_revoked')
})

t.test('demoting an admin ends what the user may no longer see', async (t) => {
  const fixture = await openNodeFixture(t)
  const { movieId } = await film(fixture)
  await account(fixture, 'admin')
  const { caller } = await fixture.person({ role: 'admin', libraryAccess: 'selected' })
  const session = await play(fixture, caller, movieId)
  allowed(await done(fixture, fixture.accountChanges.change(caller.userId, { role: 'user' }, AUTHOR)))
  t.equal(fixture.access.session(session.id), undefined)
  t.equal(await reasonOf(fixture, session.id), 'access_revoked')
})

t.test('an admin ends the session of somebody else', async (t) => {
  const fixture = await openNodeFixture(t)
  const { movieId } = await film(fixture)
  const [{ caller }, admin] = [await fixture.person(), await fixture.person({ role: 'admin' })]
  const session = await play(fixture, caller, movieId)
  t.equal(await fixture.playback.terminate(admin.caller, session.id, { message: null, origin: ORIGIN }), undefined)
  t.equal(fixture.access.session(session.id), undefined)
  t.equal(await reasonOf(fixture, session.id), 'admin')
  t.match(await fixture.playback.terminate(admin.caller, session.id, { message: null, origin: ORIGIN }), { refusal: 'not-found' })
})

t.test('a removed user is unknown, and the address is free', async (t) => {
  const fixture = await openNodeFixture(t)
  const { userId, email, password } = await account(fixture)
  const { token, caller } = await fixture.login(userId)
  allowed(await done(fixture, fixture.accountChanges.remove(userId, AUTHOR)))
  t.equal(fixture.access.callerByToken(token), undefined)
  t.equal(await signIn(fixture, email, password), 'unauthenticated')
  t.match(await fixture.users.get(userId), { refusal: 'not-found' })
  t.match(await fixture.users.remove(caller, userId, ORIGIN), { refusal: 'not-found' })
  t.notOk(isRefusal(await fixture.accounts.register({ email, name: 'Next', password: 'correct horse', role: 'user' }, AUTHOR)))
})

t.test('a new password takes the place of the old one, and of two at once one holds whole', async (t) => {
  const fixture = await openNodeFixture(t)
  const { userId, email, password } = await account(fixture)
  const { token } = await fixture.login(userId)
  const set = (text: string) => fixture.accountChanges.setPassword(userId, { password: text, ending: { except: null } }, AUTHOR)
  allowed(await done(fixture, set('the second one')))
  t.equal(await signIn(fixture, email, password), 'unauthenticated')
  t.match(await signIn(fixture, email, 'the second one'), /^.{43}$/)
  t.equal(fixture.access.callerByToken(token), undefined, 'logins from before are over')
  const texts = ['the third one', 'the fourth one', 'the fifth one']
  await Promise.all(texts.map(set))
  await fixture.seen()
  const fits = []
  for (const text of texts) if ((await signIn(fixture, email, text)) !== 'unauthenticated') fits.push(text)
  t.equal(fits.length, 1)
})
