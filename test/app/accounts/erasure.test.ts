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
async function account(fixture: NodeFixture) {
  const made = await fixture.accounts.register({ email: EMAIL, name: 'Somebody', password: 'correct horse', role: 'user' }, AUTHOR)
  const { userId, position } = allowed(made)
  await fixture.readYourWrites.waitFor(position)
  return { userId, email: EMAIL }
}

/** A change, once it is visible. */
async function done(fixture: NodeFixture, change: Promise<unknown>) {
  const answer = await change
  await fixture.seen()
  return answer
}

const count = async (fixture: NodeFixture, wanted: EventType) => (await fixture.events()).filter(({ type }) => type === wanted).length

t.test('nobody can read an erased user any more, and the log still records the erasure', async (t) => {
  const fixture = await openNodeFixture(t)
  const { userId } = await account(fixture)
  await fixture.login(userId)
  allowed(await done(fixture, fixture.accountChanges.erase(userId, AUTHOR)))
  t.equal(await fixture.cluster.vault.key(userId), undefined)
  t.equal(await fixture.cluster.vault.passwordHash(userId, 1), undefined)
  t.equal(await count(fixture, 'UserErased'), 1)
  const registered = (await fixture.events()).find((event) => event.type === 'UserRegistered' && event.data.userId === userId)
  if (registered?.type !== 'UserRegistered') throw new Error('The registration is gone')
  t.equal(await fixture.accounts.open({ ...registered.data, id: userId } as never).then(({ name }) => name), 'erased user')
  const before = await fixture.events()
  // The first response may have been lost, or a crash may have come before the key was destroyed: repeating it must be correct.
  allowed(await fixture.accountChanges.erase(userId, AUTHOR))
  t.equal((await fixture.events()).length, before.length, 'nothing is recorded twice')
  t.match(await fixture.accountChanges.erase(named<'user'>('nobody'), AUTHOR), { refusal: 'not-found' })
})

t.test('an erasure that is repeated destroys a key that an old backup of the vault has brought back', async (t) => {
  const fixture = await openNodeFixture(t)
  const { userId } = await account(fixture)
  const restored = await fixture.cluster.vault.key(userId)
  allowed(await done(fixture, fixture.accountChanges.erase(userId, AUTHOR)))
  const [key, destroyKey] = [
    fixture.cluster.vault.key.bind(fixture.cluster.vault),
    fixture.cluster.vault.destroyKey.bind(fixture.cluster.vault),
  ]
  let isBack = true
  fixture.cluster.vault.key = async (subject) => (isBack && subject === userId ? restored : key(subject))
  fixture.cluster.vault.destroyKey = async (subject) => {
    isBack &&= subject !== userId
    await destroyKey(subject)
  }
  t.ok(await fixture.cluster.vault.key(userId))
  allowed(await fixture.accountChanges.erase(userId, AUTHOR))
  t.equal(await fixture.cluster.vault.key(userId), undefined)
  t.equal(await count(fixture, 'KeyShredded'), 1)
})

t.test('somebody who was removed before is erased, too', async (t) => {
  const fixture = await openNodeFixture(t)
  const { userId } = await account(fixture)
  allowed(await done(fixture, fixture.accountChanges.remove(userId, AUTHOR)))
  allowed(await done(fixture, fixture.accountChanges.erase(userId, AUTHOR)))
  t.equal(await fixture.cluster.vault.key(userId), undefined)
})

t.test('people who send the erasure of themselves twice at once get the same answer twice', async (t) => {
  const fixture = await openNodeFixture(t)
  const { userId } = await account(fixture)
  const { caller } = await fixture.login(userId)
  const answers: unknown[] = []
  for (const _ of [1, 2]) void fixture.users.erase(caller, userId, ORIGIN).then((answer) => answers.push(answer))
  // The second one waits for the account's lease.
  for (let patience = 0; patience < 100 && answers.length < 2; patience++) await fixture.clock.advance(50)
  t.strictSame(answers, [userId, userId])
  t.equal(await count(fixture, 'UserErased'), 1)
  t.equal(await count(fixture, 'KeyShredded'), 1)
})

t.test('every node forgets the key that one of them has destroyed, although it opened a name with it in between', async (t) => {
  const fixture = await openNodeFixture(t)
  const other = await openNodeFixture(t, { cluster: fixture.cluster, node: 'two' })
  const { userId } = await account(fixture)
  const { account: known } = await fixture.commandHandler.load({ stream: userStream(userId), decider: user })
  const destroyKey = fixture.cluster.vault.destroyKey.bind(fixture.cluster.vault)
  const read: unknown[] = []
  fixture.cluster.vault.destroyKey = async (subject) => {
    if (known) read.push(await other.sealer.open(known.name))
    await destroyKey(subject)
  }
  allowed(await done(fixture, fixture.accountChanges.erase(userId, AUTHOR)))
  t.ok(read.includes('Somebody'))
  await opened(other)
  t.equal(known && (await other.sealer.open(known.name)), undefined)
})

t.test('a password that is set while its account is erased leaves no hash', async (t) => {
  const fixture = await openNodeFixture(t)
  const { userId } = await account(fixture)
  const written: number[] = []
  const putPasswordHash = fixture.cluster.vault.putPasswordHash.bind(fixture.cluster.vault)
  fixture.cluster.vault.putPasswordHash = async (id, version, hash) => {
    allowed(await fixture.accountChanges.erase(userId, AUTHOR))
    written.push(version)
    await putPasswordHash(id, version, hash)
  }
  const change = { password: 'the second one', ending: { except: null } }
  t.match(await fixture.accountChanges.setPassword(userId, change, AUTHOR), { refusal: 'not-found' })
  t.equal(await fixture.cluster.vault.passwordHash(userId, written[0] ?? 0), undefined)
})

t.test('an erasure that a crash cut short after its event is carried out by the reactor, and frees the address', async (t) => {
  const fixture = await openNodeFixture(t)
  const { userId, email } = await account(fixture)
  const erased = () => [{ type: 'UserErased', data: { userId } } as const]
  allowed(await fixture.commandHandler.execute({ stream: userStream(userId), decider: user }, erased, AUTHOR))
  for (let patience = 0; patience < 100 && (await fixture.cluster.vault.key(userId)); patience++) await fixture.clock.advance(10)
  t.equal(await fixture.cluster.vault.key(userId), undefined)
  t.notOk(isRefusal(await fixture.accounts.register({ email, name: 'Next', password: 'correct horse', role: 'user' }, AUTHOR)))
  t.match(await fixture.commandHandler.execute({ stream: userStream(userId), decider: user }, register({ userId } as never), AUTHOR), {
    events: [],
  })
})

t.test('an account whose key was gone before it was erased leaves its address free', async (t) => {
  const fixture = await openNodeFixture(t)
  const { userId } = await account(fixture)
  // As after the restoration of a backup from before its erasure.
  await fixture.cluster.vault.destroyKey(userId)
  fixture.sealer.forget(userId)
  const again = () => fixture.accounts.register({ email: EMAIL, name: 'Another', password: 'correct horse', role: 'user' }, AUTHOR)
  t.match(await again(), { refusal: 'conflict' }, 'it might be about to change its address')
  allowed(await done(fixture, fixture.accountChanges.erase(userId, AUTHOR)))
  const made = allowed((await done(fixture, again())) as Awaited<ReturnType<typeof again>>)
  t.not(made.userId, userId)
  t.equal(await fixture.accounts.findByEmail(EMAIL), made.userId)
})
