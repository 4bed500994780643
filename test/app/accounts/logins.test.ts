import t from 'tap'
import { isRefusal } from '../../../src/domain/refusal.ts'
import type { JsonObject } from '../../../src/events/envelope.ts'
import { allowed, openNodeFixture, ORIGIN, type NodeFixture, type Person } from '../../fixtures/node-fixture.ts'

const AUTHOR = { actor: 'system', command: 'test' }

async function withAccount(node: NodeFixture) {
  const account = { email: 'ann@example.org', name: 'Ann', password: 'correct horse', role: 'user' } as const
  const { userId, position } = allowed(await node.accounts.register(account, AUTHOR))
  await node.readYourWrites.waitFor(position)
  return { userId, phone: await node.login(userId), tv: await node.login(userId) }
}

const holds = ({ access }: NodeFixture, { token }: Person) => access.callerByToken(token) !== undefined

t.test('logins show where they were created, newest first, and never their token', async (t) => {
  const node = await openNodeFixture(t)
  const { userId, phone } = await withAccount(node)
  node.clock.setNow(node.clock.now() + 1000)
  const tablet = await node.login(userId)
  const { items } = await node.logins.list(userId, { limit: 2 })
  t.match(items, [{ id: tablet.caller.loginId, address: ORIGIN.address, client: ORIGIN.client }, { userId }])
  t.notMatch(JSON.stringify(items), phone.token)
  t.notMatch(JSON.stringify(items), node.access.logins.get(phone.caller.loginId)?.tokenHash)
})

t.test('a revoked login is over at once, the others hold', async (t) => {
  const node = await openNodeFixture(t)
  const { userId, phone, tv } = await withAccount(node)
  t.equal(await node.logins.revoke(userId, tv.caller.loginId, AUTHOR), undefined)
  t.strictSame([holds(node, phone), holds(node, tv)], [true, false])
  t.match(await node.logins.revoke(userId, tv.caller.loginId, AUTHOR), { refusal: 'not-found' })
  const stranger = await node.person()
  t.match(await node.logins.revoke(stranger.caller.userId, phone.caller.loginId, AUTHOR), { refusal: 'not-found' })
  t.ok(holds(node, phone), "another user's login cannot be ended")
})

t.test('all other logins end together, those of other people hold', async (t) => {
  const node = await openNodeFixture(t)
  const { userId, phone, tv } = await withAccount(node)
  const stranger = await node.person()
  await node.logins.revokeOthers(userId, phone.caller.loginId, AUTHOR)
  t.strictSame([holds(node, phone), holds(node, tv), holds(node, stranger)], [true, false, true])
})

t.test('a password is changed with the current one; other logins end only where that is asked for', async (t) => {
  const node = await openNodeFixture(t)
  const { phone, tv } = await withAccount(node)
  const change = (currentPassword: string, newPassword: string, endOthers: boolean) =>
    node.signIns.changePassword(phone.caller, { currentPassword, newPassword, endOthers }, ORIGIN)
  t.match(await change('wrong', 'another horse', true), { refusal: 'invalid', path: 'currentPassword' })
  t.match(await change('correct horse', 'short', true), { refusal: 'invalid', path: 'newPassword' })
  t.notOk(isRefusal(await change('correct horse', 'another horse', false)))
  t.strictSame([holds(node, phone), holds(node, tv)], [true, true])
  t.notOk(isRefusal(await change('another horse', 'a third horse', true)))
  t.strictSame([holds(node, phone), holds(node, tv)], [true, false])
})

t.test('what cannot be undone is confirmed by the current password, whose guesses count as those of a change do', async (t) => {
  const node = await openNodeFixture(t)
  const { phone } = await withAccount(node)
  t.equal(await node.signIns.confirmPassword(phone.caller, 'correct horse', ORIGIN), undefined)
  for (let n = 0; n < 10; n++)
    t.match(await node.signIns.confirmPassword(phone.caller, 'x', ORIGIN), { refusal: 'invalid', path: 'password' })
  t.match(await node.signIns.confirmPassword(phone.caller, 'correct horse', ORIGIN), { refusal: 'too-many' })
  const change = { currentPassword: 'correct horse', newPassword: 'another horse', endOthers: false }
  t.match(await node.signIns.changePassword(phone.caller, change, ORIGIN), { refusal: 'too-many' })
})

t.test('people erase themselves: their logins end, and nobody reads their name any more', async (t) => {
  const node = await openNodeFixture(t)
  const { userId, phone, tv } = await withAccount(node)
  allowed(await node.users.erase(phone.caller, userId, ORIGIN))
  t.strictSame([holds(node, phone), holds(node, tv)], [false, false])
  t.match(await node.users.get(userId), { refusal: 'not-found' })
  const attempt = { email: 'ann@example.org', password: 'correct horse', rememberMe: true }
  t.match(await node.signIns.signIn(attempt, ORIGIN), { refusal: 'unauthenticated' })
})

t.test('the current password cannot be guessed on and on', async (t) => {
  const node = await openNodeFixture(t)
  const { phone } = await withAccount(node)
  const guess = () =>
    node.signIns.changePassword(phone.caller, { currentPassword: 'x', newPassword: 'another horse', endOthers: false }, ORIGIN)
  for (let n = 0; n < 10; n++) t.match(await guess(), { refusal: 'invalid' })
  t.match(await guess(), { refusal: 'too-many' })
})

t.test('an export holds the account, its logins without hashes, and its marks, and nobody else’s', async (t) => {
  const node = await openNodeFixture(t)
  node.mediaFiles.put('/films/Metropolis (1927).mkv')
  await node.scan(await node.newLibrary('/films'))
  const movie = await node.movieNamed('Metropolis')
  const { userId, phone } = await withAccount(node)
  const stranger = await node.person()
  for (const { caller } of [phone, stranger]) {
    const session = allowed(await node.playback.start(caller, { movieId: movie.id }, ORIGIN)).session
    allowed(await node.playback.heartbeat(caller, session.id, { positionMs: 90_000 }, ORIGIN))
  }
  const lines: JsonObject[] = []
  for await (const line of node.exportData(userId)) lines.push(line)
  t.strictSame([...new Set(lines.map(({ type }) => type))], ['account', 'preferences', 'login', 'movie', 'session', 'checkpoint', 'audit'])
  t.match(lines, [
    { email: 'ann@example.org', name: 'Ann' },
    { preferences: {} },
    {},
    {},
    { movieId: movie.id, resume: { position: 90 } },
    { position: 90 },
  ])
  const shown = [
    'createdAt',
    'email',
    'enabled',
    'id',
    'lastSeenAt',
    'libraryAccess',
    'libraryIds',
    'linkConsentUntil',
    'linked',
    'maxConcurrentStreams',
    'name',
    'role',
  ]
  t.strictSame(Object.keys(lines[0] ?? {}).toSorted(), [...shown, 'type', 'updatedAt'])
  const text = JSON.stringify(lines)
  t.notMatch(text, /scrypt|tokenHash/)
  t.notMatch(JSON.stringify(lines.filter(({ type }) => type !== 'audit')), /sealed:|passwordVersion/)
  t.notMatch(text, stranger.caller.userId)
})
