import t from 'tap'
import { account, admin, ADMIN_TOKEN, ANN_TOKEN, idOf, STREAM_TOKEN } from '../../fixtures/samples.ts'
import { startServer, type TestServerOptions } from '../http-server.ts'

const UNKNOWN = 'zzzzzzzzzzzzzzzzzzzzz'
const byAnn = { headers: { authorization: `Bearer ${ANN_TOKEN}` } }
const me = `/v1/users/${admin.userId}`
const newUser = { email: 'ann@example.org', name: 'Ann', password: 'correct horse' }

/** Records calls of one method of the users service, with its arguments after the caller. */
function noting(asked: unknown[]): TestServerOptions {
  return {
    services: (services) => ({
      ...services,
      users: {
        ...services.users,
        list: (request) => (asked.push(request), services.users.list(request)),
        create: (caller, user, origin) => (asked.push(user), services.users.create(caller, user, origin)),
        change: (caller, id, change, origin) => (asked.push(change), services.users.change(caller, id, change, origin)),
      },
    }),
  }
}

t.test('a user has exactly the documented members', async (t) => {
  const server = await startServer(t)
  const res = await server.ask('GET', me)
  t.equal(res.status, 200)
  t.strictSame(res.json(), {
    id: admin.userId,
    email: 'admin@localhost',
    name: 'Admin',
    role: 'admin',
    enabled: true,
    libraryAccess: 'all',
    libraryIds: [],
    maxConcurrentStreams: null,
    createdAt: account.createdAt,
    updatedAt: account.updatedAt,
    lastSeenAt: null,
  })
  t.equal((await server.ask('GET', `/v1/users/${UNKNOWN}`)).status, 404)
  t.equal((await server.ask('GET', '/v1/users/short')).status, 404)
})

t.test('users are for admins, whatever the id; me is for everybody', async (t) => {
  const server = await startServer(t)
  for (const [method, url] of [
    ['GET', '/v1/users'],
    ['POST', '/v1/users'],
    ['GET', '/v1/users/short'],
    ['PATCH', me],
    ['DELETE', `/v1/users/${UNKNOWN}`],
    ['PUT', `${me}/libraries`],
    ['POST', `${me}/password`],
    ['GET', `${me}/logins`],
    ['DELETE', `${me}/logins/short`],
  ] as const) {
    t.equal((await server.anon(method, url, byAnn)).status, 403, `${method} ${url}`)
    t.equal((await server.anon(method, url)).status, 401)
  }
})

t.test('the list takes its filters and its order, and walks by cursors that belong to them', async (t) => {
  const asked: unknown[] = []
  const server = await startServer(t, noting(asked))
  const first = await server.ask('GET', '/v1/users?limit=2&q=adm&role=admin&enabled=true&sort=lastSeenAt')
  t.match(first.json(), { items: [{ name: 'User 0' }, { name: 'User 1' }], nextCursor: /./ })
  const { nextCursor } = first.json<{ nextCursor: string }>()
  const more = `/v1/users?limit=2&role=admin&enabled=true&sort=lastSeenAt&cursor=${nextCursor}`
  t.match((await server.ask('GET', `${more}&q=adm`)).json(), { items: [{ name: 'User 2' }], nextCursor: null })
  t.match(await server.ask('GET', more), { status: 422, text: /"cursor"/ })
  t.match(asked[0], { text: 'adm', role: 'admin', enabled: true, sort: 'lastSeenAt', order: 'desc', limit: 2 })
  await server.ask('GET', '/v1/users')
  t.match(asked.at(-1), { sort: 'name', order: 'asc' })
  for (const [query, path] of [
    ['role=king', 'role'],
    ['enabled=yes', 'enabled'],
    ['sort=email', 'sort'],
    ['order=up', 'order'],
    ['q=', 'q'],
    ['limit=101', 'limit'],
  ] as const)
    t.match((await server.ask('GET', `/v1/users?${query}`)).json(), { details: [{ path }] }, query)
})

t.test('a created user has its rights, and the response its location', async (t) => {
  const asked: unknown[] = []
  const server = await startServer(t, noting(asked))
  const rights = { role: 'admin', libraryAccess: 'selected', libraryIds: [idOf('library')], maxConcurrentStreams: 2 }
  const res = await server.ask('POST', '/v1/users', { body: { ...newUser, ...rights, enabled: false, id: UNKNOWN } })
  t.match(res, { status: 201, headers: { location: me } })
  t.strictSame(asked, [{ ...newUser, ...rights }], 'only what is known of the body')
  t.equal((await server.ask('POST', '/v1/users', { body: { ...newUser, email: 'admin@localhost' } })).status, 409)
})

t.test('what cannot be an account is refused with all its problems', async (t) => {
  const server = await startServer(t)
  const wrong = { email: 'ann', name: ' ', password: 'short', role: 'king', libraryIds: ['x'], maxConcurrentStreams: 0 }
  const details = (await server.ask('POST', '/v1/users', { body: wrong })).json<{ details: { path: string }[] }>().details
  t.strictSame(details.map(({ path }) => path).sort(), ['email', 'libraryIds.0', 'maxConcurrentStreams', 'name', 'password', 'role'])
  t.match((await server.ask('POST', '/v1/users', { body: {} })).json(), {
    details: [{ path: 'email' }, { path: 'name' }, { path: 'password' }],
  })
  t.equal((await server.ask('POST', '/v1/users', { body: { ...newUser, password: 'x'.repeat(129) } })).status, 422)
  t.equal((await server.ask('PATCH', me, { body: { enabled: 'yes' } })).status, 422)
  t.equal((await server.ask('PUT', `${me}/libraries`, { body: { libraryAccess: 'all' } })).status, 422)
})

t.test('names and addresses that are too long are reported together with all other problems', async (t) => {
  const asked: unknown[] = []
  const server = await startServer(t, noting(asked))
  const long = { email: `a@${'b'.repeat(300)}`, name: ` ${'\u{1F3AC}'.repeat(201)} ` }
  const email = { path: 'email', message: 'must be an e-mail address of 3 to 254 characters' }
  const name = { path: 'name', message: 'must have 1 to 200 characters, not only spaces, and none that hides or reverses text' }
  const refused = async (method: 'PATCH' | 'POST', url: string, body: object) =>
    (await server.ask(method, url, { body })).json<{ details: { path: string }[] }>().details.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  t.match(await refused('POST', '/v1/users', { ...long, password: 'short' }), [email, name, { path: 'password' }])
  t.strictSame(await refused('PATCH', me, long), [email, name])
  t.strictSame(await refused('PATCH', '/v1/users/me', long), [email, name])
  t.match(await refused('POST', '/v1/libraries', { name: long.name, paths: ['/a', '/b', '/a'] }), [name, { path: 'paths.2' }])
  t.strictSame(asked, [])
  const longest = { ...newUser, name: ` ${'\u{1F3AC}'.repeat(200)} `, email: `${' '.repeat(9)}a@${'b'.repeat(252)} ` }
  t.equal((await server.ask('POST', '/v1/users', { body: longest })).status, 201)
})

t.test('a change is merged, a null limit is a value, and nothing is a change, too', async (t) => {
  const asked: unknown[] = []
  const server = await startServer(t, noting(asked))
  t.match((await server.ask('PATCH', me, { body: { name: 'Renamed' } })).json(), { name: 'Renamed', email: 'admin@localhost' })
  await server.ask('PATCH', me, { body: { maxConcurrentStreams: null } })
  await server.ask('PATCH', me, { body: {} })
  t.strictSame(asked, [{ name: 'Renamed' }, { maxConcurrentStreams: null }, {}])
  t.equal((await server.ask('PATCH', me, { body: { role: 'user' } })).status, 409)
})

t.test('nobody makes herself more than she is', async (t) => {
  const asked: unknown[] = []
  const server = await startServer(t, noting(asked))
  const body = { name: 'Me', role: 'admin', enabled: true, libraryAccess: 'all', libraryIds: [], maxConcurrentStreams: null }
  await server.anon('PATCH', '/v1/users/me', { ...byAnn, body })
  t.strictSame(asked, [{ name: 'Me' }])
})

t.test('people erase themselves only with their password', async (t) => {
  const server = await startServer(t)
  const erase = async (body: object) => server.ask('POST', '/v1/users/me/erase', { body })
  t.match((await erase({})).json(), { details: [{ path: 'password' }] })
  t.match((await erase({ password: 'wrong' })).json(), { error: 'Validation error', details: [{ path: 'password' }] })
  const erased = await erase({ password: 'right' })
  t.match([erased.status, erased.json()], [202, { id: /^.{21}$/, userId: admin.userId, state: 'erased', receipt: null }])
  t.match(erased.headers, { location: `/v1/erasures/${erased.json<{ id: string }>().id}` })
})

t.test('removing is 204, erasing 202 with what to ask for later, the last admin 409', async (t) => {
  const server = await startServer(t)
  t.equal((await server.ask('DELETE', me)).status, 409)
  const erased = await server.ask('DELETE', `${me}?erase=true`)
  t.match(erased, { status: 202 })
  t.match(erased.json(), { id: /^.{21}$/, userId: admin.userId, state: 'erased' })
  t.equal((await server.ask('DELETE', `${me}?erase=1`)).status, 422)
  t.equal((await server.ask('DELETE', `/v1/users/${UNKNOWN}`)).status, 404)
})

t.test('a password is set without an answer', async (t) => {
  const server = await startServer(t)
  t.match(await server.ask('POST', `${me}/password`, { body: { password: 'Brand new horse' } }), { status: 204, text: '' })
  t.equal((await server.ask('POST', `${me}/password`, { body: { password: 'short' } })).status, 422)
})

t.test('logins show where they were made, and no token', async (t) => {
  const server = await startServer(t)
  const { items } = (await server.ask('GET', `${me}/logins`)).json<{ items: object[] }>()
  t.match(items, [{ id: admin.loginId, userId: admin.userId, ipAddress: '192.0.2.7', userAgent: null }])
  t.strictSame(Object.keys(items[0] ?? {}), [
    'id',
    'userId',
    'createdAt',
    'updatedAt',
    'expiresAt',
    'ipAddress',
    'userAgent',
    'accessToken',
  ])
  t.match((await server.ask('GET', '/api/auth/list-sessions')).json(), [
    { id: admin.loginId, userId: admin.userId, ipAddress: '192.0.2.7', userAgent: null },
  ])
  t.equal((await server.ask('DELETE', `${me}/logins/${admin.loginId}`)).status, 204)
  t.equal((await server.ask('DELETE', `${me}/logins/${UNKNOWN}`)).status, 404)
  t.equal((await server.ask('DELETE', `${me}/logins/short`)).status, 404)
})

t.test('get-session is null without a login, and for a stream token', async (t) => {
  const server = await startServer(t)
  for (const headers of [{}, { authorization: `Bearer ${STREAM_TOKEN}` }, { authorization: 'Bearer nonsense' }]) {
    t.match(await server.anon('GET', '/api/auth/get-session', { headers }), { status: 200, text: 'null' })
  }
  const cookie = { headers: { cookie: `session_token=${ADMIN_TOKEN}` } }
  const told = await server.anon('GET', '/api/auth/get-session', cookie)
  t.match(told.json(), { session: { id: admin.loginId, ipAddress: '192.0.2.7' }, user: { email: 'admin@localhost', emailVerified: true } })
  t.match(told.headers['content-type'], /^application\/json/)
  t.notMatch(told.text, ADMIN_TOKEN)
  t.equal((await server.anon('GET', '/api/auth/list-sessions', { headers: { authorization: `Bearer ${STREAM_TOKEN}` } })).status, 401)
})

t.test('own logins are ended one by one, or all others at once, also without a body', async (t) => {
  const server = await startServer(t)
  const revoke = (id: string) => server.ask('POST', '/api/auth/revoke-session', { body: { id } })
  t.match(await revoke(admin.loginId), { status: 200, text: '{"status":true}' })
  t.equal((await revoke(UNKNOWN)).status, 404)
  t.equal((await revoke('short')).status, 422)
  t.match(await server.ask('POST', '/api/auth/revoke-other-sessions'), { status: 200, text: '{"status":true}' })
  t.equal((await server.anon('POST', '/api/auth/revoke-other-sessions')).status, 401)
})

t.test('the own password changes only with the current one', async (t) => {
  const server = await startServer(t)
  const change = (currentPassword: string, newPassword = 'Another horse') =>
    server.ask('POST', '/api/auth/change-password', { body: { currentPassword, newPassword } })
  t.match((await change('wrong')).json(), { error: 'Validation error', details: [{ path: 'currentPassword' }] })
  t.match((await change('right', 'short')).json(), { details: [{ path: 'newPassword' }] })
  const changed = await change('right')
  t.match(changed.json(), { token: null, user: { id: admin.userId } })
})

t.test('signing up is refused before its body is looked at, where it is off', async (t) => {
  const server = await startServer(t)
  t.equal((await server.anon('POST', '/api/auth/sign-up/email', { body: {} })).status, 403)
  const open = await startServer(t, {
    services: (services) => ({ ...services, signUps: { ...services.signUps, closed: () => undefined } }),
  })
  t.equal((await open.anon('POST', '/api/auth/sign-up/email', { body: {} })).status, 422)
  const res = await open.anon('POST', '/api/auth/sign-up/email', { body: newUser })
  t.match(res, { status: 200, headers: { 'set-auth-token': 'c'.repeat(43), 'set-cookie': /^session_token=c+; Max-Age=604800/ } })
  t.match(res.json(), { token: 'c'.repeat(43), user: { id: admin.userId } })
})

t.test('everybody may ask how to sign in or up; the answer is not kept, and counts for the address', async (t) => {
  const server = await startServer(t, {
    config: { rateLimit: 2 },
    services: (services) => ({ ...services, signUps: { ...services.signUps, options: () => ({ mode: 'first', needsSetupToken: true }) } }),
  })
  const ask = () => server.anon('GET', '/api/auth/options')
  const res = await ask()
  t.match(res, { status: 200, headers: { 'cache-control': 'no-store', etag: undefined } })
  t.strictSame(res.json(), { name: 'Marquee', signUp: 'first', singleSignOn: null, needsSetupToken: true })
  await ask()
  t.match(await ask(), { status: 429, headers: { 'retry-after': /^\d+$/ } })
})

t.test('an export is one JSON object a line', async (t) => {
  const server = await startServer(t)
  const res = await server.ask('GET', '/v1/users/me/export')
  t.match(res, { status: 200, headers: { 'content-type': 'application/x-ndjson', 'content-disposition': /attachment/ } })
  t.strictSame(
    res.text
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line)),
    [
      { type: 'account', id: admin.userId },
      { type: 'login', id: admin.loginId },
    ],
  )
})
