import { scryptSync } from 'node:crypto'
import t, { type Test } from 'tap'
import { createSignInRefusals } from '../../../src/app/accounts/sign-in-refusals.ts'
import { createSignIns } from '../../../src/app/accounts/sign-in.ts'
import { flushRecords } from '../../../src/wiring/flush-records.ts'
import { createTestIds } from '../../../src/adapters/memory/ids.ts'
import type { Refusal } from '../../../src/domain/refusal.ts'
import type { Position } from '../../../src/events/position.ts'
import type { Sealed } from '../../../src/events/sealed.ts'
import type { UserId } from '../../../src/vocabulary/id.ts'
import { allowed, openNodeFixture, ORIGIN, type NodeFixture } from '../../fixtures/node-fixture.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const PASSWORD = 'correct horse'
const account = { email: 'ann@example.org', name: 'Ann', password: PASSWORD, role: 'user' } as const

/** A node with an account that has a password. */
async function withAnn(node: NodeFixture) {
  const { position, userId } = allowed(await node.accounts.register(account, { actor: 'cli', command: 'test' }))
  await node.readYourWrites.waitFor(position)
  const signIn = (password: string, more: { readonly email?: string; readonly address?: string; readonly network?: string } = {}) =>
    node.signIns.signIn(
      { email: more.email ?? account.email, password, rememberMe: true },
      { ...ORIGIN, address: more.address ?? ORIGIN.address, ...(more.network === undefined ? {} : { network: more.network }) },
    )
  return { userId, signIn }
}

t.test('the right password opens a login at once, however the address is spelled', async (t) => {
  const node = await openNodeFixture(t)
  const { userId, signIn } = await withAnn(node)
  const answer = allowed(await signIn(PASSWORD, { email: ' ANN@Example.org ' }))
  if (!('token' in answer)) throw new Error('It asks for a code')
  t.match(answer, { token: String, account: { id: userId, email: 'ann@example.org', name: 'Ann' } })
  t.equal(node.signIns.authenticate(answer.token)?.userId, userId)
  t.match(node.access.logins.get(node.signIns.authenticate(answer.token)?.loginId ?? ''), { rememberMe: true })
})

t.test('only the audit distinguishes a wrong password from an unknown address', async (t) => {
  const node = await openNodeFixture(t)
  const { userId, signIn } = await withAnn(node)
  const wrong = await signIn('wrong horse')
  const unknown = await signIn(PASSWORD, { email: 'ben@example.org' })
  t.match(wrong, { refusal: 'unauthenticated', message: 'Invalid email or password' })
  t.strictSame(unknown, wrong)
  const refused = (await node.events()).filter(({ type }) => type === 'SignInRefused')
  t.match(refused, [{ data: { userId, reason: 'password' } }, { data: { userId: null, reason: 'unknown' } }])
  t.notMatch(JSON.stringify(refused), /ben@|ann@|192\.0\.2/, 'and it names nobody in plain text')
})

t.test('where people were refused themselves is sealed with their own keys, which go with them', async (t) => {
  const node = await openNodeFixture(t)
  const { userId, signIn } = await withAnn(node)
  await signIn('wrong horse')
  await signIn(PASSWORD, { email: 'ben@example.org' })
  const [own, unknown] = (await node.events()).filter(({ type }) => type === 'SignInRefused')
  const placesOf = ({ metadata: { address, client } }: NonNullable<typeof own>) => [address, client]
  if (!own || !unknown) throw new Error('Nobody was refused')
  for (const text of placesOf(own)) t.match(text, new RegExp(`^sealed:${userId}:`))
  for (const text of placesOf(unknown)) t.match(text, /^sealed:visitors:/)
  allowed(await node.accountChanges.erase(userId, { actor: 'cli', command: 'test' }))
  const opened = (texts: readonly (string | undefined)[]) => Promise.all(texts.map((text) => node.sealer.open(text as Sealed)))
  t.strictSame(await opened(placesOf(own)), [undefined, undefined])
  t.strictSame(await opened(placesOf(unknown)), [ORIGIN.address, ORIGIN.client])
})

t.test('what is no e-mail address is invalid, not wrong', async (t) => {
  const { signIns } = await openNodeFixture(t)
  for (const email of ['', 'ann', 'ann@', 'a b@c']) {
    t.match(await signIns.signIn({ email, password: PASSWORD, rememberMe: true }, ORIGIN), { refusal: 'invalid', path: 'email' })
  }
})

t.test('after ten failures the account is locked for that address for ten minutes, and for no other', async (t) => {
  const node = await openNodeFixture(t)
  const { signIn } = await withAnn(node)
  for (let failures = 0; failures < 10; failures++) t.match(await signIn('wrong horse'), { refusal: 'unauthenticated' })
  t.match(await signIn(PASSWORD), { refusal: 'too-many', retryAfterSeconds: 600 })
  t.ok('token' in (await signIn(PASSWORD, { address: '192.0.2.2' })))
  t.match(await signIn('wrong horse', { email: 'ben@example.org' }), { refusal: 'unauthenticated' })
  await node.clock.advance(599_999)
  t.match(await signIn(PASSWORD), { refusal: 'too-many', retryAfterSeconds: 1 })
  await node.clock.advance(1)
  t.ok('token' in (await signIn(PASSWORD)))
})

const kindOf = (answer: object | undefined): string => (answer && 'refusal' in answer ? String(answer.refusal) : 'right')

t.test('of wrong passwords at the same time no more than ten are checked, and right ones all pass', async (t) => {
  const node = await openNodeFixture(t)
  const { userId, signIn } = await withAnn(node)
  const right = await Promise.all(Array.from({ length: 16 }, () => signIn(PASSWORD)))
  t.strictSame(new Set(right.map(kindOf)), new Set(['right']))
  const wrong = (await Promise.all(Array.from({ length: 60 }, () => signIn('wrong horse')))).map(kindOf)
  t.equal(wrong.filter((kind) => kind === 'unauthenticated').length, 10)
  t.strictSame(new Set(wrong), new Set(['unauthenticated', 'too-many', 'unavailable']))
  t.match(await signIn(PASSWORD), { refusal: 'too-many' })

  const { caller } = await node.login(userId)
  const confirm = async (password: string) => kindOf((await node.signIns.confirmPassword(caller, password, ORIGIN)) ?? undefined)
  const confirmed = await Promise.all(Array.from({ length: 16 }, () => confirm(PASSWORD)))
  t.strictSame(new Set(confirmed), new Set(['right']))
  const mistaken = await Promise.all(Array.from({ length: 16 }, () => confirm('wrong horse')))
  t.equal(mistaken.filter((kind) => kind === 'invalid').length, 10)
  t.equal(await confirm(PASSWORD), 'too-many')
})

t.test('a password that could not be checked does not count', async (t) => {
  const node = await openNodeFixture(t)
  const { signIn } = await withAnn(node)
  const flood = () => Promise.all(Array.from({ length: 60 }, (_, n) => signIn('guess', { email: `guess-${n}@example.org` })))
  const [refused] = await Promise.all([flood(), Promise.all(Array.from({ length: 12 }, () => signIn('wrong horse')))])
  t.ok(refused.map(kindOf).includes('unavailable'))
  const failures = (await refusalsIn(node)).filter(({ userId, reason }) => userId !== null && reason === 'password').length
  for (let n = failures; n < 10; n++) t.match(await signIn('wrong horse'), { refusal: 'unauthenticated' })
  t.match(await signIn(PASSWORD), { refusal: 'too-many' })
})

t.test('an IPv6 household that changes its address for each try is locked all the same', async (t) => {
  const node = await openNodeFixture(t)
  const { signIn } = await withAnn(node)
  const from = (n: number) => ({ address: `2001:db8:1:2::${n}`, network: '2001:db8:1:2::' })
  for (let n = 1; n <= 10; n++) t.match(await signIn('wrong horse', from(n)), { refusal: 'unauthenticated' })
  t.match(await signIn(PASSWORD, from(11)), { refusal: 'too-many' })
  t.ok('token' in (await signIn(PASSWORD, { address: '2001:db8:1:3::1', network: '2001:db8:1:3::' })), 'the network beside it')
})

t.test('a success forgets the failures before it', async (t) => {
  const node = await openNodeFixture(t)
  const { signIn } = await withAnn(node)
  for (const failures of [9, 1]) {
    for (let failed = 0; failed < failures; failed++) t.match(await signIn('wrong horse'), { refusal: 'unauthenticated' })
    t.ok('token' in (await signIn(PASSWORD)))
  }
})

t.test('only a request with the right password learns that the account is disabled', async (t) => {
  const node = await openNodeFixture(t)
  const { userId } = await withAnn(node)
  const document = node.access.users.get(userId)
  const users = new Map<string, NonNullable<typeof document>>(document ? [[userId, { ...document, enabled: false }]] : [])
  const { counters, clock, vault } = node.cluster
  const ids = createTestIds({ series: 'e' })
  const signIns = createSignIns({
    ...node,
    access: { ...node.access, users },
    counters,
    clock,
    vault,
    ids,
    refusals: createSignInRefusals({ ...node, clock, counters, ids, onError: (cause) => t.fail(String(cause)) }),
  })
  const request = { email: account.email, password: PASSWORD, rememberMe: true }
  t.match(await signIns.signIn(request, ORIGIN), { refusal: 'forbidden' })
  t.match(await signIns.signIn({ ...request, password: 'wrong horse' }, ORIGIN), { refusal: 'unauthenticated' })
  t.match(await refusalsIn(node), [
    { userId, reason: 'disabled', times: 1 },
    { userId, reason: 'password', times: 1 },
  ])
})

/** Sign-ins during which something happens: after the password was checked, or when the login is being stored. */
function meanwhile(t: Test, node: NodeFixture, when: 'checked' | 'stored', happens: () => Promise<unknown>) {
  const { counters, clock, vault } = node.cluster
  const ids = createTestIds({ series: 'e' })
  const { passwords, commandHandler } = node
  return createSignIns({
    ...node,
    counters,
    clock,
    vault,
    ids,
    refusals: createSignInRefusals({ ...node, clock, counters, ids, onError: (cause) => t.fail(String(cause)) }),
    passwords: {
      ...passwords,
      async verify(...asked) {
        const isRight = await passwords.verify(...asked)
        if (when === 'checked') await happens()
        return isRight
      },
    },
    commandHandler: {
      ...commandHandler,
      async execute(...asked) {
        if (when === 'stored' && asked[2].command === 'signIn') await happens()
        return commandHandler.execute(...asked)
      },
    },
  })
}

for (const when of ['checked', 'stored'] as const)
  t.test(`an account that changes when its password was ${when} is judged as it is then`, async (t) => {
    const author = { actor: 'cli', command: 'test' }
    const changes: Readonly<Record<string, (node: NodeFixture, userId: UserId) => Promise<Position | Refusal>>> = {
      unauthenticated: (node, userId) =>
        node.accountChanges.setPassword(userId, { password: 'another horse', ending: { except: null } }, author),
      forbidden: (node, userId) => node.accountChanges.change(userId, { enabled: false }, author),
    }
    for (const [refusal, change] of Object.entries(changes)) {
      const node = await openNodeFixture(t)
      const { userId } = await withAnn(node)
      const happens = async () => node.readYourWrites.waitFor(allowed(await change(node, userId)))
      const request = { email: account.email, password: PASSWORD, rememberMe: true }
      t.match(await meanwhile(t, node, when, happens).signIn(request, ORIGIN), { refusal })
      t.strictSame(
        [...node.access.logins.values()].filter((login) => login.userId === userId),
        [],
        'no login is open',
      )
    }
  })

const refusalsIn = async (node: NodeFixture) =>
  (await node.events()).flatMap((event) => (event.type === 'SignInRefused' ? [event.data] : []))

t.test('of each network 60 refusals a minute are events of their own, then one counts the rest', async (t) => {
  const node = await openNodeFixture(t)
  const { userId, signIn } = await withAnn(node)
  for (let n = 0; n < 200; n++) await signIn('wrong horse')
  const all = await refusalsIn(node)
  t.equal(all.length, 60)
  t.strictSame([all.filter(({ reason }) => reason === 'password').length, all.filter(({ reason }) => reason === 'locked').length], [10, 50])
  await node.clock.advance(60_000)
  await node.seen()
  t.match((await refusalsIn(node)).slice(60), [{ userId, reason: 'locked', times: 140 }])
  t.equal((await refusalsIn(node)).length, 61)
  await signIn('wrong horse', { address: '192.0.2.9' })
  t.equal((await refusalsIn(node)).length, 62, 'others have a budget of their own')
  for (let n = 0; n < 70; n++) await signIn('wrong horse', { email: `${n % 2 ? 'ann' : 'ben'}@example.org`, address: '192.0.2.9' })
  await flushRecords(node)
  t.match((await refusalsIn(node)).at(-1), { userId: null, emailHmac: null, reason: 'locked', times: 11 }, 'at a stop at once')
  const { length } = await refusalsIn(node)
  await node.clock.advance(120_000)
  t.equal((await refusalsIn(node)).length, length, 'and only once')
})

t.test('a wrong password of somebody who is signed in is on record, too', async (t) => {
  const node = await openNodeFixture(t)
  const { userId } = await withAnn(node)
  const { caller } = await node.login(userId)
  const change = { currentPassword: 'wrong horse', newPassword: 'another horse', endOthers: false }
  t.match(await node.signIns.changePassword(caller, change, ORIGIN), { refusal: 'invalid' })
  t.match(await node.signIns.confirmPassword(caller, 'wrong horse', ORIGIN), { refusal: 'invalid' })
  for (let n = 0; n < 8; n++) await node.signIns.confirmPassword(caller, 'wrong horse', ORIGIN)
  t.match(await node.signIns.confirmPassword(caller, PASSWORD, ORIGIN), { refusal: 'too-many' })
  const refused = await refusalsIn(node)
  t.equal(refused.length, 11)
  t.match(refused.at(0), { userId, emailHmac: null, reason: 'current-password', times: 1 })
  t.match(refused.at(-1), { userId, reason: 'locked' })
  const { items } = await node.ownAudit.list(userId, 'desc', { limit: 1 })
  t.match(items, [{ type: 'SignInRefused', actor: { kind: 'user', id: userId, ip: ORIGIN.address } }], 'and in the own audit')
})

t.test('activity after 24 hours extends a login, once for many requests at a time', async (t) => {
  const node = await openNodeFixture(t)
  const { caller, token } = await node.person()
  const touch = (): Promise<boolean> => node.signIns.touch(caller, () => ORIGIN)
  node.clock.setNow(node.clock.now() + DAY_MS - 1)
  t.equal(await touch(), false)
  node.clock.setNow(node.clock.now() + 1)
  const touched = await Promise.all(Array.from({ length: 20 }, touch))
  await node.seen()
  t.equal(touched.filter(Boolean).length, 1)
  t.equal((await node.events()).filter(({ type }) => type === 'LoginExtended').length, 1)
  node.clock.setNow(node.clock.now() + 7 * DAY_MS - 1)
  t.ok(node.signIns.authenticate(token))
  node.clock.setNow(node.clock.now() + 1)
  t.notOk(node.signIns.authenticate(token))
  t.equal(await touch(), false, 'an expired login is not brought back')
})

t.test('signing out ends the login and, soon after, its sessions; doing it again is no fault', async (t) => {
  const node = await openNodeFixture(t)
  const [phone, other] = [await node.person(), await node.person()]
  node.mediaFiles.put('/films/Metropolis (1927).mkv')
  await node.scan(await node.newLibrary('/films'))
  const { id: movieId } = await node.movieNamed('Metropolis')
  const tv = await node.login(phone.caller.userId)
  for (const { caller } of [phone, tv, other]) allowed(await node.playback.start(caller, { movieId }, ORIGIN))
  await node.signIns.signOut(phone.caller, ORIGIN)
  t.notOk(node.signIns.authenticate(phone.token))
  await node.signIns.signOut(phone.caller, ORIGIN)
  await node.clock.settle()
  await node.seen()
  const ended = (await node.events()).filter((event) => event.type === 'PlaybackEnded')
  t.match(ended, [{ data: { reason: 'signed_out', userId: phone.caller.userId }, metadata: { actor: `user:${phone.caller.userId}` } }])
  t.equal(ended.length, 1)
  t.strictSame([...node.access.sessions.values()].map(({ loginId }) => loginId).sort(), [other.caller.loginId, tv.caller.loginId].sort())
})

t.test('a hash with parameters of before is replaced at the next sign-in, and no login ends for it', async (t) => {
  const node = await openNodeFixture(t)
  const { userId, signIn } = await withAnn(node)
  const { vault } = node.cluster
  const legacy = await legacyHashOf(PASSWORD)
  await vault.putPasswordHash(userId, 1, legacy)
  const phone = await node.login(userId)
  t.match(await signIn('wrong horse'), { refusal: 'unauthenticated' })
  t.equal(await vault.passwordHash(userId, 1), legacy, 'a wrong password changes nothing')
  allowed(await signIn(PASSWORD))
  t.match(await vault.passwordHash(userId, 1), /^\$scrypt\$ln=4,r=1,p=1\$/)
  t.ok(node.signIns.authenticate(phone.token))
  t.notOk((await node.events()).some(({ type }) => type === 'UserPasswordChanged'))
  allowed(await signIn(PASSWORD))
  t.match(await signIn('wrong horse'), { refusal: 'unauthenticated' })
})

t.test('a hash that is replaced while its account is erased, or gets another password, does not come back', async (t) => {
  const node = await openNodeFixture(t)
  const { userId } = await withAnn(node)
  const { vault } = node.cluster
  const author = { actor: 'cli', command: 'test' }
  const changed = await node.accountChanges.setPassword(userId, { password: 'another horse', ending: 'none' }, author)
  allowed(changed)
  await node.accountChanges.rehash(userId, { password: PASSWORD, version: 1 }, null)
  t.equal(await vault.passwordHash(userId, 1), undefined)
  await node.seen()
  const version = node.access.users.get(userId)?.passwordVersion ?? 0
  t.ok(await vault.passwordHash(userId, version))
  allowed(await node.accountChanges.erase(userId, author))
  await node.accountChanges.rehash(userId, { password: 'another horse', version }, null)
  t.equal(await vault.passwordHash(userId, version), undefined)
})

t.test('sixty sign-ins at once from one address do not keep another household from signing in', async (t) => {
  const node = await openNodeFixture(t)
  const { signIn } = await withAnn(node)
  const flood = Array.from({ length: 60 }, (_, n) => signIn('guess', { email: `guess-${n}@example.org`, address: '198.51.100.7' }))
  const family = await Promise.all(Array.from({ length: 4 }, () => signIn(PASSWORD)))
  for (const answer of family) t.ok('token' in answer)
  const refusals = (await Promise.all(flood)).map((answer) => ('refusal' in answer ? answer.refusal : 'signed in'))
  t.ok(refusals.every((kind) => kind === 'unauthenticated' || kind === 'unavailable'))
})

/** The format of an earlier version. */
async function legacyHashOf(password: string): Promise<string> {
  const salt = Buffer.alloc(16, 7)
  const hash = scryptSync(password, salt, 32, { N: 2 ** 14, r: 16, p: 1, maxmem: 64 * 1024 * 1024 })
  return `scrypt$${salt.toString('base64url')}$${hash.toString('base64url')}`
}
