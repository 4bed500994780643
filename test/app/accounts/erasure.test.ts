/** Erasures: their traces, repeated erasures, and concurrent actions. */
import t from 'tap'
import { isRefusal } from '../../../src/domain/refusal.ts'
import { register, user } from '../../../src/domain/accounts/user.ts'
import type { EventType } from '../../../src/events/catalogue.ts'
import { userStream } from '../../../src/events/streams.ts'
import { named } from '../../fixtures/names.ts'
import { allowed, opened, openNodeFixture, ORIGIN, type NodeFixture } from '../../fixtures/node-fixture.ts'

const AUTHOR = { actor: 'system', command: 'test' }
const EMAIL = 'ann@example.org'

/** An account created the normal way, with a password. */
async function account(house: NodeFixture) {
  const made = await house.accounts.register({ email: EMAIL, name: 'Somebody', password: 'correct horse', role: 'user' }, AUTHOR)
  const { userId, position } = allowed(made)
  await house.readYourWrites.waitFor(position)
  return { userId, email: EMAIL }
}

/** A change, once it is visible. */
async function done(house: NodeFixture, change: Promise<unknown>) {
  const answer = await change
  await house.seen()
  return answer
}

const count = async (house: NodeFixture, wanted: EventType) => (await house.events()).filter(({ type }) => type === wanted).length

t.test('nobody can read an erased user any more, and the log still records the erasure', async (t) => {
  const house = await openNodeFixture(t)
  const { userId } = await account(house)
  await house.login(userId)
  allowed(await done(house, house.accountChanges.erase(userId, AUTHOR)))
  t.equal(await house.cluster.vault.key(userId), undefined)
  t.equal(await house.cluster.vault.passwordHash(userId, 1), undefined)
  t.equal(await count(house, 'UserErased'), 1)
  const registered = (await house.events()).find((event) => event.type === 'UserRegistered' && event.data.userId === userId)
  if (registered?.type !== 'UserRegistered') throw new Error('The registration is gone')
  t.equal(await house.accounts.open({ ...registered.data, id: userId } as never).then(({ name }) => name), 'erased user')
  const before = await house.events()
  // The first response may have been lost, or a crash may have come before the key was destroyed: repeating it must be correct.
  allowed(await house.accountChanges.erase(userId, AUTHOR))
  t.equal((await house.events()).length, before.length, 'nothing is recorded twice')
  t.match(await house.accountChanges.erase(named<'user'>('nobody'), AUTHOR), { refusal: 'not-found' })
})

t.test('an erasure that is repeated destroys a key that an old backup of the vault has brought back', async (t) => {
  const house = await openNodeFixture(t)
  const { userId } = await account(house)
  const restored = await house.cluster.vault.key(userId)
  allowed(await done(house, house.accountChanges.erase(userId, AUTHOR)))
  const [key, destroyKey] = [house.cluster.vault.key.bind(house.cluster.vault), house.cluster.vault.destroyKey.bind(house.cluster.vault)]
  let isBack = true
  house.cluster.vault.key = async (subject) => (isBack && subject === userId ? restored : key(subject))
  house.cluster.vault.destroyKey = async (subject) => {
    isBack &&= subject !== userId
    await destroyKey(subject)
  }
  t.ok(await house.cluster.vault.key(userId))
  allowed(await house.accountChanges.erase(userId, AUTHOR))
  t.equal(await house.cluster.vault.key(userId), undefined)
  t.equal(await count(house, 'KeyShredded'), 1)
})

t.test('somebody who was removed before is erased, too', async (t) => {
  const house = await openNodeFixture(t)
  const { userId } = await account(house)
  allowed(await done(house, house.accountChanges.remove(userId, AUTHOR)))
  allowed(await done(house, house.accountChanges.erase(userId, AUTHOR)))
  t.equal(await house.cluster.vault.key(userId), undefined)
})

t.test('people who send the erasure of themselves twice at once get the same answer twice', async (t) => {
  const house = await openNodeFixture(t)
  const { userId } = await account(house)
  const { caller } = await house.login(userId)
  const answers: unknown[] = []
  for (const _ of [1, 2]) void house.users.erase(caller, userId, ORIGIN).then((answer) => answers.push(answer))
  // The second one waits for the account's lease.
  for (let patience = 0; patience < 100 && answers.length < 2; patience++) await house.clock.advance(50)
  t.strictSame(answers, [userId, userId])
  t.equal(await count(house, 'UserErased'), 1)
  t.equal(await count(house, 'KeyShredded'), 1)
})

t.test('every node forgets the key that one of them has destroyed, although it opened a name with it in between', async (t) => {
  const house = await openNodeFixture(t)
  const other = await openNodeFixture(t, { cluster: house.cluster, node: 'two' })
  const { userId } = await account(house)
  const { account: known } = await house.commandHandler.load({ stream: userStream(userId), decider: user })
  const destroyKey = house.cluster.vault.destroyKey.bind(house.cluster.vault)
  const read: unknown[] = []
  house.cluster.vault.destroyKey = async (subject) => {
    if (known) read.push(await other.sealer.open(known.name))
    await destroyKey(subject)
  }
  allowed(await done(house, house.accountChanges.erase(userId, AUTHOR)))
  t.ok(read.includes('Somebody'))
  await opened(other)
  t.equal(known && (await other.sealer.open(known.name)), undefined)
})

t.test('a password that is set while its account is erased leaves no hash', async (t) => {
  const house = await openNodeFixture(t)
  const { userId } = await account(house)
  const written: number[] = []
  const putPasswordHash = house.cluster.vault.putPasswordHash.bind(house.cluster.vault)
  house.cluster.vault.putPasswordHash = async (id, version, hash) => {
    allowed(await house.accountChanges.erase(userId, AUTHOR))
    written.push(version)
    await putPasswordHash(id, version, hash)
  }
  const change = { password: 'the second one', ending: { except: null } }
  t.match(await house.accountChanges.setPassword(userId, change, AUTHOR), { refusal: 'not-found' })
  t.equal(await house.cluster.vault.passwordHash(userId, written[0] ?? 0), undefined)
})

t.test('an erasure that a crash cut short after its event is carried out by the reactor, and frees the address', async (t) => {
  const house = await openNodeFixture(t)
  const { userId, email } = await account(house)
  const erased = () => [{ type: 'UserErased', data: { userId } } as const]
  allowed(await house.commandHandler.execute({ stream: userStream(userId), decider: user }, erased, AUTHOR))
  for (let patience = 0; patience < 100 && (await house.cluster.vault.key(userId)); patience++) await house.clock.advance(10)
  t.equal(await house.cluster.vault.key(userId), undefined)
  t.notOk(isRefusal(await house.accounts.register({ email, name: 'Next', password: 'correct horse', role: 'user' }, AUTHOR)))
  t.match(await house.commandHandler.execute({ stream: userStream(userId), decider: user }, register({ userId } as never), AUTHOR), {
    events: [],
  })
})
