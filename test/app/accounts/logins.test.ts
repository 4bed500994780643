import t from 'tap'
import { isRefusal } from '../../../src/domain/refusal.ts'
import type { JsonObject } from '../../../src/events/envelope.ts'
import { allowed, openHouse, ORIGIN, type House, type Person } from '../../fixtures/house.ts'

const AUTHOR = { actor: 'system', command: 'test' }

async function withAccount(house: House) {
  const account = { email: 'ann@example.org', name: 'Ann', password: 'correct horse', role: 'user' } as const
  const { userId, position } = allowed(await house.accounts.register(account, AUTHOR))
  await house.freshness.reach(position)
  return { userId, phone: await house.login(userId), tv: await house.login(userId) }
}

const holds = ({ access }: House, { token }: Person) => access.callerByToken(token) !== undefined

t.test('logins tell where they were made, the newest first, and never their token', async (t) => {
  const house = await openHouse(t)
  const { userId, phone } = await withAccount(house)
  house.clock.setNow(house.clock.now() + 1000)
  const tablet = await house.login(userId)
  const { items } = await house.logins.list(userId, { limit: 2 })
  t.match(items, [{ id: tablet.caller.loginId, address: ORIGIN.address, client: ORIGIN.client }, { userId }])
  t.notMatch(JSON.stringify(items), phone.token)
  t.notMatch(JSON.stringify(items), house.access.logins.get(phone.caller.loginId)?.tokenHash)
})

t.test('a revoked login is over at once, the others hold', async (t) => {
  const house = await openHouse(t)
  const { userId, phone, tv } = await withAccount(house)
  t.equal(await house.logins.revoke(userId, tv.caller.loginId, AUTHOR), undefined)
  t.strictSame([holds(house, phone), holds(house, tv)], [true, false])
  t.match(await house.logins.revoke(userId, tv.caller.loginId, AUTHOR), { refusal: 'not-found' })
  const stranger = await house.person()
  t.match(await house.logins.revoke(stranger.caller.userId, phone.caller.loginId, AUTHOR), { refusal: 'not-found' })
  t.ok(holds(house, phone), "another user's login cannot be ended")
})

t.test('all other logins end together, those of other people hold', async (t) => {
  const house = await openHouse(t)
  const { userId, phone, tv } = await withAccount(house)
  const stranger = await house.person()
  await house.logins.revokeOthers(userId, phone.caller.loginId, AUTHOR)
  t.strictSame([holds(house, phone), holds(house, tv), holds(house, stranger)], [true, false, true])
})

t.test('a password is changed with the current one; other logins end only where that is asked for', async (t) => {
  const house = await openHouse(t)
  const { phone, tv } = await withAccount(house)
  const change = (currentPassword: string, newPassword: string, endOthers: boolean) =>
    house.signIns.changePassword(phone.caller, { currentPassword, newPassword, endOthers }, ORIGIN)
  t.match(await change('wrong', 'another horse', true), { refusal: 'invalid', path: 'currentPassword' })
  t.match(await change('correct horse', 'short', true), { refusal: 'invalid', path: 'newPassword' })
  t.notOk(isRefusal(await change('correct horse', 'another horse', false)))
  t.strictSame([holds(house, phone), holds(house, tv)], [true, true])
  t.notOk(isRefusal(await change('another horse', 'a third horse', true)))
  t.strictSame([holds(house, phone), holds(house, tv)], [true, false])
})

t.test('the current password cannot be guessed on and on', async (t) => {
  const house = await openHouse(t)
  const { phone } = await withAccount(house)
  const guess = () =>
    house.signIns.changePassword(phone.caller, { currentPassword: 'x', newPassword: 'another horse', endOthers: false }, ORIGIN)
  for (let n = 0; n < 10; n++) t.match(await guess(), { refusal: 'invalid' })
  t.match(await guess(), { refusal: 'too-many' })
})

t.test('an export holds the account, its logins without hashes, and its marks, and nobody else’s', async (t) => {
  const house = await openHouse(t)
  house.films.put('/films/Metropolis (1927).mkv')
  await house.scan(await house.newLibrary('/films'))
  const movie = await house.movieNamed('Metropolis')
  const { userId, phone } = await withAccount(house)
  const stranger = await house.person()
  for (const { caller } of [phone, stranger]) {
    const session = allowed(await house.playback.start(caller, { movieId: movie.id }, ORIGIN)).session
    allowed(await house.playback.heartbeat(caller, session.id, { positionMs: 90_000 }, ORIGIN))
  }
  const lines: JsonObject[] = []
  for await (const line of house.exportData(userId)) lines.push(line)
  t.strictSame(
    lines.map(({ type }) => type),
    ['account', 'login', 'login', 'movie', 'session'],
  )
  t.match(lines, [{ email: 'ann@example.org', name: 'Ann' }, {}, {}, { movieId: movie.id, resume: { position: 90 } }, { position: 90 }])
  const shown = ['createdAt', 'email', 'enabled', 'id', 'lastSeenAt', 'libraryAccess', 'libraryIds', 'maxConcurrentStreams', 'name', 'role']
  t.strictSame(Object.keys(lines[0] ?? {}).toSorted(), [...shown, 'type', 'updatedAt'])
  const text = JSON.stringify(lines)
  t.notMatch(text, /scrypt|tokenHash|sealed:|passwordVersion/)
  t.notMatch(text, stranger.caller.userId)
})
