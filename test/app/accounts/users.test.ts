import t from 'tap'
import type { UserListRequest } from '../../../src/app/accounts/users.ts'
import { allowed, openNodeFixture, ORIGIN, type NodeFixture } from '../../fixtures/node-fixture.ts'

const AUTHOR = { actor: 'system', command: 'test' }
const BY_NAME = { sort: 'name', order: 'asc', limit: 20 } as const

async function make(node: NodeFixture, name: string, more: { readonly role?: 'admin' | 'user' } = {}) {
  const email = `${name.toLowerCase().replace(/\W/g, '')}@example.org`
  const { userId, position } = allowed(
    await node.accounts.register({ email, name, password: 'correct horse', role: 'user', ...more }, AUTHOR),
  )
  await node.readYourWrites.waitFor(position)
  node.clock.setNow(node.clock.now() + 1000)
  return userId
}

async function names(node: NodeFixture, request: Partial<UserListRequest> = {}) {
  return (await node.users.list({ ...BY_NAME, ...request })).items.map(({ name }) => name)
}

t.test('users are listed by name, time of making or time of being seen, those never seen last', async (t) => {
  const node = await openNodeFixture(t)
  const [, bob] = [await make(node, 'Zoë'), await make(node, 'bob'), await make(node, 'Ärne')]
  t.strictSame(await names(node), ['Ärne', 'bob', 'Zoë'])
  t.strictSame(await names(node, { order: 'desc' }), ['Zoë', 'bob', 'Ärne'])
  t.strictSame(await names(node, { sort: 'createdAt' }), ['Zoë', 'bob', 'Ärne'])
  await node.login(bob)
  t.equal((await names(node, { sort: 'lastSeenAt', order: 'desc' }))[0], 'bob')
  t.equal((await names(node, { sort: 'lastSeenAt', order: 'asc' }))[0], 'bob')
})

t.test('filters go together, and text is found in names and addresses without case and diacritics', async (t) => {
  const node = await openNodeFixture(t)
  const [zoe] = [await make(node, 'Zoë'), await make(node, 'Bob', { role: 'admin' }), await make(node, 'Ärne')]
  t.strictSame(await names(node, { text: 'ZOE' }), ['Zoë'])
  t.strictSame(await names(node, { text: 'example.org' }), ['Ärne', 'Bob', 'Zoë'])
  t.strictSame(await names(node, { role: 'admin' }), ['Bob'])
  allowed(await node.accountChanges.change(zoe, { enabled: false }, AUTHOR))
  await node.seen()
  t.strictSame(await names(node, { enabled: false }), ['Zoë'])
  t.strictSame(await names(node, { enabled: true, role: 'user' }), ['Ärne'])
})

t.test('a walk over pages meets everybody once, also where all keys are the same', async (t) => {
  const node = await openNodeFixture(t)
  for (let n = 0; n < 5; n++) await node.person()
  for (const sort of ['name', 'lastSeenAt'] as const) {
    const met: string[] = []
    for (let after: UserListRequest['after'] | null; after !== null;) {
      const page = await node.users.list({ sort, order: 'desc', limit: 2, ...(after ? { after } : {}) })
      met.push(...page.items.map(({ id }) => id))
      after = page.next
    }
    t.strictSame(met.toSorted(), [...node.access.users.keys()].toSorted(), sort)
  }
})

t.test('grants name libraries that are there, each once', async (t) => {
  const node = await openNodeFixture(t)
  const films = await node.newLibrary('/films')
  const { caller } = await node.person({ role: 'admin' })
  const ben = await make(node, 'Ben')
  const grant = (libraryIds: readonly string[]) => node.users.change(caller, ben, { libraryAccess: 'selected', libraryIds }, ORIGIN)
  t.match(await grant(['zzzzzzzzzzzzzzzzzzzzz']), { refusal: 'not-found' })
  t.match(await grant([films, films]), { libraryAccess: 'selected', libraryIds: [films] })
  const made = {
    email: 'new@example.org',
    name: 'New',
    password: 'correct horse',
    role: 'user',
    libraryIds: ['zzzzzzzzzzzzzzzzzzzzz'],
  } as const
  t.match(await node.users.create(caller, made, ORIGIN), { refusal: 'not-found' })

  // What was read of a user can be sent back, also if a library was removed meanwhile.
  const shows = await node.newLibrary('/shows')
  await grant([films, shows])
  t.equal(await node.libraries.remove(caller, films, ORIGIN), undefined)
  t.match(await grant([films, shows]), { libraryIds: [films, shows] })
  t.match(await grant([shows]), { libraryIds: [shows] })
  t.match(await grant([films, shows]), { refusal: 'not-found' })
})

t.test('an admin who sets a password ends the logins of that user, but not the one that asks', async (t) => {
  const node = await openNodeFixture(t)
  const { caller, token } = await node.person({ role: 'admin' })
  const other = await node.login(caller.userId)
  t.equal(await node.users.setPassword(caller, caller.userId, 'brand new horse', ORIGIN), undefined)
  t.ok(node.access.callerByToken(token))
  t.notOk(node.access.callerByToken(other.token))
})

t.test('a user cannot find out address after address who has an account', async (t) => {
  const node = await openNodeFixture(t)
  await make(node, 'Bob')
  const { caller } = await node.person()
  const change = (email: string) => node.users.change(caller, caller.userId, { email }, ORIGIN)
  for (const name of ['bob', 'bob', 'carl', 'bob', 'dora']) await change(`${name}@example.org`)
  t.match(await change('bob@example.org'), { refusal: 'too-many', retryAfterSeconds: 3600 })
  t.match(await change('DORA@example.org'), { email: 'dora@example.org' }, 'the own address is no try')
  t.match(await node.users.change(caller, caller.userId, { name: 'Dora' }, ORIGIN), { name: 'Dora' })
  await node.clock.advance(3_600_000)
  t.match(await change('bob@example.org'), { refusal: 'conflict' })
})

t.test('an address that only looks like another one is that one, or is refused', async (t) => {
  const node = await openNodeFixture(t)
  await make(node, 'Bob')
  const register = (email: string, name = 'Bob') => node.accounts.register({ email, name, password: 'correct horse', role: 'user' }, AUTHOR)
  for (const email of ['ｂｏｂ@example.org', 'bob＠example.org', 'BOB@EXAMPLE.ORG'])
    t.match(await register(email), { refusal: 'conflict' }, email)
  for (const hidden of ['\u200b', '\u200d', '\u202e', '\u2066', '\u00ad', '\ufe0f', '\u0000'])
    t.match(await register(`bo${hidden}b@example.org`), { refusal: 'invalid', path: 'email' }, encodeURI(hidden))
})

t.test('a name holds nothing that hides or reverses text', async (t) => {
  const node = await openNodeFixture(t)
  const register = (name: string) =>
    node.accounts.register({ email: 'eve@example.org', name, password: 'correct horse', role: 'user' }, AUTHOR)
  for (const hidden of ['\u0000', '\u202e', '\u2067', '\u200b', '\ufeff', '\n', '\u3164'])
    t.match(await register(`Ann${hidden}a`), { refusal: 'invalid', path: 'name' }, encodeURI(hidden))
  t.match(await register(' \u00a0'), { refusal: 'invalid', path: 'name' })
  t.match(await register("Zoë O'Brien-王 👩‍👧 نور"), { userId: String })
})
