/** Single sign-on over HTTP, with a real provider: the whole application on in-memory engines; only the streaming engine is a fake. */
import t, { type Test } from 'tap'
import { createIdentityProvider } from '../../../src/adapters/openid-client/identity-provider.ts'
import type { SingleSignOnRules } from '../../../src/app/accounts/single-sign-on.ts'
import { codeAt, fromBase32, stepAt } from '../../../src/app/accounts/totp.ts'
import type { UserId } from '../../../src/vocabulary/id.ts'
import { CLIENT, startIdentityProvider, visitProvider, type Somebody } from '../../fixtures/identity-provider.ts'
import { allowed, createCluster, openNodeFixture } from '../../fixtures/node-fixture.ts'
import { serveNode } from '../../fixtures/serve-node.ts'

const PASSWORD = 'correct horse'
const CALLBACK = 'http://films.test:8420/api/auth/oidc/callback'
const ANN: Somebody = { sub: 'ann-1', email: 'ann@example.org', email_verified: true, name: 'Ann' }
const AUTHOR = { actor: 'system', command: 'test' }
const OPEN: SingleSignOnRules = {
  name: 'Fixture login',
  signUp: false,
  linkByEmail: false,
  groups: { users: undefined, admins: undefined, libraries: undefined },
}

type Rules = Partial<Omit<SingleSignOnRules, 'groups'>> & { readonly groups?: Partial<SingleSignOnRules['groups']> }

async function open(t: Test, rules: Rules = {}) {
  const provider = await startIdentityProvider(t, [CALLBACK])
  const cluster = createCluster({ startMs: Date.now() })
  const troubles: string[] = []
  const client = createIdentityProvider({
    ...CLIENT,
    issuer: provider.issuer,
    scopes: 'openid profile email groups',
    groupsClaim: 'groups',
    clock: cluster.clock,
    onError: (cause) => void troubles.push(String(cause)),
  })
  const all = { ...OPEN, ...rules, groups: { ...OPEN.groups, ...rules.groups } }
  const node = await openNodeFixture(t, { cluster, singleSignOn: { provider: client, rules: all } })
  const app = await serveNode(t, node, { publicUrl: 'http://films.test:8420' })

  /** A browser with its cookies. */
  function browser() {
    const jar = new Map<string, string>()
    return {
      jar,
      async send(method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH', url: string, body?: object) {
        const answer = await app.inject({ method, url, cookies: Object.fromEntries(jar), ...(body ? { payload: body } : {}) })
        for (const { name, value, maxAge } of answer.cookies) {
          if (maxAge === 0) jar.delete(name)
          else jar.set(name, value)
        }
        const json = answer.headers['content-type']?.toString().includes('json') ? answer.json<Record<string, unknown>>() : {}
        return { status: answer.statusCode, json, location: String(answer.headers.location), headers: answer.headers }
      },
      /** Signs in at the provider as this person; returns the answer to the callback. */
      async visit(somebody: Somebody | undefined, returnTo = '/watchlist', link = false) {
        provider.somebody = somebody
        const begun = await this.send('GET', `/api/auth/oidc/start?returnTo=${encodeURIComponent(returnTo)}&link=${link}`)
        const back = await visitProvider(begun.location, CALLBACK)
        return this.send('GET', back.slice('http://films.test:8420'.length))
      },
      async me() {
        return (await this.send('GET', '/v1/users/me')).json
      },
    }
  }

  async function account(email = 'ann@example.org', role: 'user' | 'admin' = 'user'): Promise<UserId> {
    const { userId } = allowed(await node.accounts.register({ email, name: 'Ann', password: PASSWORD, role }, AUTHOR))
    await node.seen()
    return userId
  }
  /** Begins a sign-in as this person; the browser is back from the provider once `finish` is called. */
  async function returning(somebody: Somebody) {
    const one = browser()
    provider.somebody = somebody
    const begun = await one.send('GET', '/api/auth/oidc/start?returnTo=/watchlist')
    const back = (await visitProvider(begun.location, CALLBACK)).slice('http://films.test:8420'.length)
    return { one, finish: () => one.send('GET', back) }
  }
  return { provider, cluster, node, browser, account, returning, troubles }
}

t.test('an account is linked once with its password, and signs in at the provider from then on', async (t) => {
  const { browser, account, node } = await open(t)
  const userId = await account()
  const first = browser()
  const sent = await first.send('GET', '/api/auth/options')
  t.match(sent.json, { singleSignOn: 'Fixture login' })
  const asked = await first.visit(ANN)
  t.match(asked, { status: 302, location: '/watchlist#sign-in=link' })
  t.notOk(first.jar.get('session_token'), 'nobody is signed in by a verified address alone')
  t.equal((await first.send('POST', '/api/auth/sign-in/email', { email: ANN.email, password: PASSWORD })).status, 200)
  t.match(await first.send('POST', '/api/auth/oidc/link', { password: 'wrong' }), {
    status: 422,
    json: { details: [{ path: 'password' }] },
  })
  t.equal((await first.send('POST', '/api/auth/oidc/link', { password: PASSWORD })).status, 200)
  t.match((await first.send('GET', '/api/auth/oidc')).json, { name: 'Fixture login', linked: true })
  t.notOk(first.jar.get('oidc_ticket'))

  const second = browser()
  const answer = await second.visit({ ...ANN, email: 'ann.new@example.org' })
  t.match(answer, { status: 302, location: '/watchlist', headers: { 'cache-control': 'no-store', 'set-auth-token': undefined } })
  t.equal((await second.me())['id'], userId, 'the subject counts, not the address')
  t.notOk(second.jar.get('oidc_pending'))
  const events = await node.events()
  t.match(
    events.findLast(({ type }) => type === 'IdentityLinked'),
    { type: 'IdentityLinked', data: { userId } },
  )
  t.notMatch(JSON.stringify(await node.events()), 'ann-1', 'the subject is sealed')
})

t.test('nobody is signed in by a callback that is forged, old, another browser’s, or refused', async (t) => {
  const { browser, account, provider, cluster } = await open(t, { linkByEmail: true })
  await account()
  const expired = { status: 302, location: '/#sign-in=expired' }
  const [one, other] = [browser(), browser()]
  t.match(await one.send('GET', '/api/auth/oidc/callback?code=x&state=y'), expired)
  one.jar.set('oidc_pending', `oidc-pending:${Buffer.from('{}').toString('base64url')}:99999999999999:${'0'.repeat(64)}`)
  t.match(await one.send('GET', '/api/auth/oidc/callback?code=x&state=y'), expired)

  provider.somebody = ANN
  const begun = await one.send('GET', '/api/auth/oidc/start')
  const back = (await visitProvider(begun.location, CALLBACK)).slice('http://films.test:8420'.length)
  await other.send('GET', '/api/auth/oidc/start')
  t.match(await other.send('GET', back), { status: 302, location: '/#sign-in=refused' }, 'another browser’s state')
  t.match(await one.send('GET', `${back}x`), { status: 302 })
  t.notOk(one.jar.get('session_token'))

  t.match(await one.visit(undefined), { status: 302, location: '/watchlist#sign-in=cancelled' })
  await one.send('GET', '/api/auth/oidc/start')
  cluster.clock.setNow(cluster.clock.now() + 16 * 60_000)
  t.match(await one.send('GET', '/api/auth/oidc/callback?code=x&state=y'), expired)
  t.notOk([...one.jar.keys(), ...other.jar.keys()].includes('session_token'))
})

t.test('a page of another site is no place to return to', async (t) => {
  const { browser } = await open(t)
  for (const returnTo of ['https://evil.example', '//evil.example', String.raw`/\evil.example`, 'x', '/a b'])
    t.equal((await browser().send('GET', `/api/auth/oidc/start?returnTo=${encodeURIComponent(returnTo)}`)).status, 422, returnTo)
})

t.test('a verified address links an account if the operator says so; one that is not verified never does', async (t) => {
  const { browser, account } = await open(t, { linkByEmail: true, signUp: true })
  const userId = await account()
  t.match(await browser().visit({ ...ANN, email_verified: false }), { location: '/watchlist#sign-in=unverified' })
  const one = browser()
  t.match(await one.visit(ANN), { location: '/watchlist' })
  t.equal((await one.me())['id'], userId)
})

t.test('an address that belongs to another person now does not open the account that is linked to the former one', async (t) => {
  const { browser, allow, userId, linkedBy } = await openWithConsents(t, { linkByEmail: true })
  const former = browser()
  await former.visit(ANN)
  t.equal((await former.me())['id'], userId)
  const next = { ...ANN, sub: 'ann-2' }
  const one = browser()
  t.match(await one.visit(next), ASKED, 'the password is asked for')
  t.notOk(one.jar.get('session_token'))
  t.equal((await linkedBy()).length, 1)
  await allow()
  t.equal((await one.visit(next)).location, '/watchlist', 'an administrator may consent')
  t.equal((await one.me())['id'], userId)
  t.match(await browser().visit(ANN), ASKED, 'the former link is replaced')
})

t.test('of two sign-ins at once with the same address, one links the account', async (t) => {
  const { account, returning } = await open(t, { linkByEmail: true })
  const userId = await account()
  const all = [await returning(ANN), await returning({ ...ANN, sub: 'ann-2' })]
  await Promise.all(all.map(({ finish }) => finish()))
  const people = await Promise.all(all.map(async ({ one }) => (await one.me())['id']))
  t.equal(people.filter((id) => id === userId).length, 1)
})

t.test('several first sign-ins of one new person at once make one account, and each is signed in', async (t) => {
  const { node, returning } = await open(t, { signUp: true })
  const all = [await returning(ANN), await returning(ANN), await returning(ANN), await returning(ANN)]
  const answers = await Promise.all(all.map(({ finish }) => finish()))
  t.strictSame(
    answers.map(({ location }) => location),
    ['/watchlist', '/watchlist', '/watchlist', '/watchlist'],
  )
  const people = await Promise.all(all.map(async ({ one }) => (await one.me())['id']))
  t.equal(new Set(people).size, 1)
  t.equal((await node.events()).filter(({ type }) => type === 'UserRegistered').length, 1)
})

t.test('an ID token that is not signed by a key of the provider signs nobody in', async (t) => {
  const { browser, account, provider, troubles } = await open(t, { linkByEmail: true })
  await account()
  provider.publishOtherKey()
  const one = browser()
  t.match(await one.visit(ANN), { location: '/watchlist#sign-in=refused' })
  t.notOk(one.jar.get('session_token'))
  t.match(troubles, [/refused: invalid response/])
})

t.test('an error of the provider that it will answer again is a refusal; it is away only if it says so', async (t) => {
  const { browser, provider, troubles, node } = await open(t)
  for (const [error, reason] of [
    ['invalid_scope', 'refused'],
    ['unauthorized_client', 'refused'],
    ['server_error', 'away'],
    ['temporarily_unavailable', 'away'],
    ['access_denied', 'cancelled'],
  ] as const) {
    const one = browser()
    const begun = await one.send('GET', '/api/auth/oidc/start?returnTo=/watchlist')
    const query = new URLSearchParams({ error, state: new URL(begun.location).searchParams.get('state') ?? '', iss: provider.issuer })
    t.match(await one.send('GET', `/api/auth/oidc/callback?${query.toString()}`), { location: `/watchlist#sign-in=${reason}` }, error)
  }
  t.match(troubles, [/refused: invalid_scope/, /refused: unauthorized_client/])
  t.match(node.problems, [{ message: /server_error/ }, { message: /temporarily_unavailable/ }])
})

t.test('a group counts wherever it stands among the groups of the person', async (t) => {
  const { browser } = await open(t, { signUp: true, groups: { users: ['family'] } })
  const others = Array.from({ length: 600 }, (_, n) => `group ${n}`)
  t.equal((await browser().visit({ ...ANN, groups: [...others, 'family'] })).location, '/watchlist')
})

t.test('a verified address is never enough for an administrator', async (t) => {
  const { browser, account } = await open(t, { linkByEmail: true })
  await account(ANN.email, 'admin')
  const one = browser()
  t.match(await one.visit(ANN), { location: '/watchlist#sign-in=link' }, 'the password is asked for')
  t.notOk(one.jar.get('session_token'))
})

const DAY_MS = 86_400_000
const ASKED = { status: 302, location: '/watchlist#sign-in=link' }

/** A signed-in administrator, an account with a password, and the requests about the consent to link it. */
async function openWithConsents(t: Test, rules: Rules = {}) {
  const opened = await open(t, rules)
  const { account, browser, node } = opened
  const adminId = await account('root@example.org', 'admin')
  const userId = await account()
  const admin = browser()
  await admin.send('POST', '/api/auth/sign-in/email', { email: 'root@example.org', password: PASSWORD })
  const path = `/v1/users/${userId}/single-sign-on/consent`
  const linkedBy = async () => (await node.events()).filter(({ type }) => type === 'IdentityLinked').map(({ metadata }) => metadata)
  return { ...opened, admin, adminId, userId, linkedBy, allow: () => admin.send('PUT', path), forbid: () => admin.send('DELETE', path) }
}

t.test('an administrator consents to the link of one account: the next verified sign-in links it, and uses the consent up', async (t) => {
  const { browser, account, admin, adminId, userId, allow, linkedBy, node, cluster } = await openWithConsents(t)
  await account('bob@example.org')
  t.match(await browser().visit(ANN), ASKED, 'without a consent the password is asked for')
  const given = await allow()
  const consentUntil = new Date(cluster.clock.now() + 7 * DAY_MS).toISOString()
  t.match(given, { status: 200, json: { linked: false, consentUntil } })
  t.match(
    (await node.events()).findLast(({ type }) => type === 'LinkConsentGiven'),
    { data: { userId, expiresAt: consentUntil }, metadata: { actor: `user:${adminId}`, command: 'giveLinkConsent' } },
    'who consented is in the log',
  )
  t.match(await browser().visit({ ...ANN, sub: 'bob-1', email: 'bob@example.org' }), ASKED, 'it is for one account')
  t.match(await browser().visit({ ...ANN, email_verified: false }), ASKED, 'an address that is not verified never links')
  t.match(await browser().visit({ sub: ANN.sub, email_verified: true }), ASKED, 'nor does none')
  t.strictSame(await linkedBy(), [])

  const one = browser()
  t.match(await one.visit(ANN), { location: '/watchlist' })
  t.equal((await one.me())['id'], userId)
  t.match(await linkedBy(), [{ actor: 'system', command: 'singleSignOn' }])
  t.match((await admin.send('GET', `/v1/users/${userId}/single-sign-on`)).json, { linked: true, consentUntil: null })
  t.match(await browser().visit({ ...ANN, sub: 'ann-2' }), ASKED, 'another account there with the same address is not linked by it')
  const again = browser()
  t.match(await again.visit(ANN), { location: '/watchlist' })
  t.equal((await linkedBy()).length, 1)
})

t.test('the audit shows who consented to a link and when, and how the consent ended', async (t) => {
  const { browser, admin, adminId, userId, allow, forbid, cluster } = await openWithConsents(t)
  const at = new Date(cluster.clock.now()).toISOString()
  await allow()
  await forbid()
  await allow()
  await browser().visit(ANN)
  const { items } = (await admin.send('GET', `/v1/audit?targetId=${userId}&limit=50`)).json as { items: readonly Record<string, unknown>[] }
  const about = items.filter(({ type }) => ['LinkConsentGiven', 'LinkConsentWithdrawn', 'IdentityLinked'].includes(String(type)))
  t.match(about.map(({ type }) => type).toReversed(), ['LinkConsentGiven', 'LinkConsentWithdrawn', 'LinkConsentGiven', 'IdentityLinked'])
  t.match(about.at(-1), { at, actor: { id: adminId }, changes: [{ path: 'singleSignOnConsent', from: null }] })
  t.match(about[0], {
    changes: [
      { path: 'singleSignOn', to: true },
      { path: 'singleSignOnConsent', to: null },
    ],
  })
})

t.test('a consent ends with its time, by withdrawal, and by another address', async (t) => {
  const { browser, admin, allow, forbid, userId, cluster, linkedBy, node } = await openWithConsents(t)
  await allow()
  cluster.clock.setNow(cluster.clock.now() + 7 * DAY_MS)
  t.match(await browser().visit(ANN), ASKED, 'after seven days')
  await admin.send('POST', '/api/auth/sign-in/email', { email: 'root@example.org', password: PASSWORD })
  await allow()
  t.equal((await forbid()).status, 204)
  t.equal((await forbid()).status, 204, 'a repeat changes nothing')
  t.match(await browser().visit(ANN), ASKED, 'withdrawn')
  await allow()
  allowed(await node.accountChanges.change(userId, { email: 'ann.new@example.org' }, AUTHOR))
  await node.seen()
  t.match(await browser().visit({ ...ANN, email: 'ann.new@example.org' }), ASKED, 'the consent was for the other address')
  t.strictSame(await linkedBy(), [])
  await allow()
  t.match(await browser().visit({ ...ANN, email: 'ann.new@example.org' }), { location: '/watchlist' })
  t.equal((await linkedBy()).length, 1)
})

t.test('nobody can consent to the link of an administrator, and a consent does not outlast becoming one', async (t) => {
  const { browser, admin, adminId, allow, userId, node, linkedBy } = await openWithConsents(t)
  t.match(await admin.send('PUT', `/v1/users/${adminId}/single-sign-on/consent`), { status: 409, json: { error: /with the password/ } })
  await allow()
  allowed(await node.accountChanges.change(userId, { role: 'admin' }, AUTHOR))
  await node.seen()
  t.match(await browser().visit(ANN), ASKED)
  t.strictSame(await linkedBy(), [])
})

t.test('a disabled account is linked by a consent, but stays out', async (t) => {
  const { browser, allow, userId, node, linkedBy } = await openWithConsents(t)
  await allow()
  allowed(await node.accountChanges.change(userId, { enabled: false }, AUTHOR))
  await node.seen()
  const one = browser()
  t.match(await one.visit(ANN), { location: '/watchlist#sign-in=disabled' })
  t.notOk(one.jar.get('session_token'))
  t.equal((await linkedBy()).length, 1)
})

t.test('of two sign-ins at once, one uses the consent up; the same person is signed in by both', async (t) => {
  const { allow, userId, linkedBy, returning } = await openWithConsents(t)
  await allow()
  const all = [await returning(ANN), await returning(ANN), await returning({ ...ANN, sub: 'ann-2' })] as const
  const answers = await Promise.all(all.map(({ finish }) => finish()))
  t.equal((await linkedBy()).length, 1)
  const people = await Promise.all(all.map(async ({ one }) => (await one.me())['id']))
  const isIn = people.map((id) => id === userId)
  t.ok(
    [true, true, false].every((is, n) => is === isIn[n]) || [false, false, true].every((is, n) => is === isIn[n]),
    JSON.stringify(answers),
  )
})

t.test('somebody unknown gets an account if the operator says so, with the role and the libraries of the groups', async (t) => {
  const { browser, node, account } = await open(t, {
    signUp: true,
    groups: { users: ['family'], admins: ['bosses'], libraries: [{ group: 'kids', library: 'CARTOONS' }] },
  })
  await node.newLibrary('/films')
  const cartoons = await node.newLibrary('/cartoons')
  const admin = await node.person({ role: 'admin' })
  allowed(await node.libraries.change(admin.caller, cartoons, { name: 'Cartoons' }, { requestId: 'r', address: null, client: null }))
  await node.seen()
  t.match(await browser().visit({ ...ANN, groups: ['neighbours'] }), { location: '/watchlist#sign-in=denied' })
  const child = browser()
  t.match(await child.visit({ ...ANN, name: '', groups: ['family', 'kids'] }), { location: '/watchlist' })
  t.match(await child.me(), { name: 'ann', email: ANN.email, role: 'user', libraryAccess: 'selected', libraryIds: [cartoons] })
  t.match(await child.visit({ ...ANN, groups: ['bosses'] }), { location: '/watchlist' })
  t.match(await child.me(), { role: 'admin', libraryIds: [] })
  await child.visit({ ...ANN, groups: ['family'] })
  t.match(await child.me(), { role: 'admin' }, 'the last administrator stays one')
  await account('root@example.org', 'admin')
  await child.visit({ ...ANN, groups: ['family'] })
  t.match(await child.me(), { role: 'user' })
})

t.test('the second factor is asked for as well, and a disabled account stays out', async (t) => {
  const { browser, account, node, cluster } = await open(t, { linkByEmail: true })
  const userId = await account()
  const one = browser()
  await one.visit(ANN)
  const { json } = await one.send('POST', '/api/auth/two-factor/enable', { password: PASSWORD })
  const code = () => codeAt(fromBase32(String(json['secret'])), stepAt(cluster.clock.now()))
  t.equal((await one.send('POST', '/api/auth/two-factor/activate', { code: code() })).status, 200)
  cluster.clock.setNow(cluster.clock.now() + 60_000)
  const two = browser()
  const { location } = await two.visit(ANN)
  const [, challenge = ''] = /^\/watchlist#challenge=(.+)$/.exec(location) ?? []
  t.notOk(two.jar.get('session_token'))
  const signedIn = await two.send('POST', '/api/auth/two-factor/verify', { challenge: decodeURIComponent(challenge), code: code() })
  t.equal(signedIn.status, 200)
  t.equal((await two.me())['id'], userId)

  allowed(await node.accountChanges.change(userId, { enabled: false }, AUTHOR))
  await node.seen()
  t.match(await browser().visit(ANN), { location: '/watchlist#sign-in=disabled' })
  t.match(
    (await node.events()).findLast(({ type }) => type === 'SignInRefused'),
    { data: { userId, reason: 'disabled' } },
  )
})

t.test('an account at the provider belongs to one user, and is free again after it was unlinked or its user removed', async (t) => {
  const { browser, account, node } = await open(t)
  const [ann, bob] = [await account(), await account('bob@example.org')]
  const link = async (email: string) => {
    const one = browser()
    await one.send('POST', '/api/auth/sign-in/email', { email, password: PASSWORD })
    t.match(await one.visit(ANN, '/settings/logins', true), { location: '/settings/logins#sign-in=link' })
    return { one, answer: await one.send('POST', '/api/auth/oidc/link', { password: PASSWORD }) }
  }
  const { one } = await link('ann@example.org')
  const ticket = browser()
  await ticket.send('POST', '/api/auth/sign-in/email', { email: 'bob@example.org', password: PASSWORD })
  t.equal((await ticket.send('POST', '/api/auth/oidc/link', { password: PASSWORD })).status, 409, 'without a sign-in at the provider')
  t.equal((await one.send('DELETE', '/api/auth/oidc/link')).status, 204)
  t.match((await one.send('GET', '/api/auth/oidc')).json, { linked: false })
  t.equal((await link('bob@example.org')).answer.status, 200)
  const taken = browser()
  await taken.visit(ANN)
  t.equal((await taken.me())['id'], bob)
  t.equal((await link('ann@example.org')).answer.status, 409, 'it is another user’s')
  allowed(await node.accountChanges.remove(bob, AUTHOR))
  await node.seen()
  t.match(await browser().visit(ANN), { location: '/watchlist#sign-in=link' })
  t.equal((await link('ann@example.org')).answer.status, 200)
  t.ok(await node.singleSignOn?.isLinked(ann))
})

t.test('a provider that is away is said in words', async (t) => {
  const { browser, node, provider } = await open(t)
  await provider.stop()
  t.match(await browser().send('GET', '/api/auth/oidc/start?returnTo=/sign-in'), { status: 302, location: '/sign-in#sign-in=away' })
  t.match(node.problems, [{ message: /cannot be asked: .*ECONNREFUSED/ }])
})
