/** Access tokens over HTTP: the whole application on in-memory engines; only the streaming engine is a fake. */
import t, { type Test } from 'tap'
import type { AccessScope } from '../../../src/events/account-events.ts'
import { allowed, eventsIn, openNodeFixture, type NodeFixture } from '../../fixtures/node-fixture.ts'
import { serveNode } from '../../fixtures/serve-node.ts'

const URL = '/v1/users/me/access-tokens'
const PASSWORD = 'correct horse'
const DAY_MS = 86_400_000
const AUTHOR = { actor: 'system', command: 'test' }

async function open(t: Test) {
  const node = await openNodeFixture(t)
  node.mediaFiles.put('/films/Metropolis (1927)/Metropolis (1927).mkv')
  await node.scan(await node.newLibrary('/films'))
  const movie = await node.movieNamed('Metropolis')
  const app = await serveNode(t, node)
  async function send(token: string, method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, body?: object) {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await app.inject({ method, url, headers, ...(body ? { payload: body } : {}) })
    return {
      status: answer.statusCode,
      json: answer.body === '' ? undefined : (answer.json() as Record<string, unknown>),
      body: answer.body,
    }
  }
  return { node, app, movie, send, ann: await account(node, 'user'), admin: await account(node, 'admin') }
}

async function account(node: NodeFixture, role: 'user' | 'admin', name: string = role) {
  const { userId, position } = allowed(
    await node.accounts.register({ email: `${name}@example.org`, name, password: PASSWORD, role }, AUTHOR),
  )
  if (role === 'user') allowed(await node.accountChanges.change(userId, { libraryAccess: 'all' }, AUTHOR))
  await node.readYourWrites.waitFor(position)
  await node.seen()
  return node.login(userId)
}

type Opened = Awaited<ReturnType<typeof open>>

async function tokenOf({ send }: Opened, by: { readonly token: string }, scopes: readonly AccessScope[], days = 90) {
  const made = await send(by.token, 'POST', URL, { name: 'Script', scopes, expiresInDays: days, password: PASSWORD })
  if (made.status !== 201) throw new Error(made.body)
  return made.json as { readonly token: string; readonly accessToken: { readonly id: string } }
}

t.test('a token is made with the password, shown once, and listed without its text', async (t) => {
  const world = await open(t)
  const { send, ann, node } = world
  const wanted = { name: 'Home automation', scopes: ['playback'], expiresInDays: 30 }
  t.match(await send(ann.token, 'POST', URL, { ...wanted, password: 'wrong' }), { status: 422, json: { details: [{ path: 'password' }] } })
  t.strictSame((await send(ann.token, 'GET', URL)).json, { items: [] })
  const made = await send(ann.token, 'POST', URL, { ...wanted, password: PASSWORD })
  const accessToken = {
    ...wanted,
    expiresInDays: undefined,
    lastUsedAt: null,
    expiresAt: new Date(node.clock.now() + 30 * DAY_MS).toISOString(),
  }
  t.match(made, { status: 201, json: { token: /^mqt_[\w-]{20,}$/, accessToken: { name: 'Home automation', scopes: ['playback'] } } })
  const listed = await send(ann.token, 'GET', URL)
  t.match(listed.json, {
    items: [{ name: accessToken.name, scopes: accessToken.scopes, lastUsedAt: null, expiresAt: accessToken.expiresAt }],
  })
  t.notMatch(listed.body, String(made.json?.['token']))
  const log = JSON.stringify((await eventsIn(node.cluster.log)).filter(({ type }) => type === 'AccessTokenIssued'))
  t.notMatch(log, String(made.json?.['token']))
  t.notMatch(log, 'Home automation', 'its name is sealed')
})

t.test('wrong requests are refused with the reason', async (t) => {
  const { send, ann } = await open(t)
  const right = { name: 'Script', scopes: ['read'], password: PASSWORD }
  for (const wrong of [
    { ...right, scopes: [] },
    { ...right, scopes: ['root'] },
    { ...right, scopes: 'read' },
    { ...right, name: '' },
    { ...right, expiresInDays: 0 },
    { ...right, expiresInDays: 367 },
    { ...right, expiresInDays: 1.5 },
    { name: 'Script', scopes: ['read'] },
  ])
    t.match(await send(ann.token, 'POST', URL, wrong), { status: 422 }, JSON.stringify(wrong))
  t.match(await send(ann.token, 'POST', URL, { ...right, scopes: ['admin'] }), { status: 403, json: { error: /administrator/ } })
  const unknown = await send(ann.token, 'DELETE', `${URL}/zzzzzzzzzzzzzzzzzzzzz`)
  t.match(unknown, { status: 404, json: { error: 'There is no such access token' } })
})

t.test('each scope opens what it names, and nothing else', async (t) => {
  const world = await open(t)
  const { send, ann, admin, movie } = world
  const calls = {
    read: () => ['GET', '/v1/movies'] as const,
    playback: () => ['PUT', `/v1/movies/${movie.id}/watched`, {}] as const,
    write: () => ['PUT', '/v1/users/me/preferences', {}] as const,
    admin: () => ['GET', '/v1/users'] as const,
    'sign-in': () => ['GET', '/api/auth/list-sessions'] as const,
  }
  const allows = {
    read: ['read'],
    playback: ['read', 'playback'],
    write: ['read', 'write'],
    admin: ['read', 'admin'],
  } as const
  for (const [scope, names] of Object.entries(allows)) {
    const { token } = await tokenOf(world, admin, [scope as AccessScope])
    for (const [name, call] of Object.entries(calls)) {
      const [method, url, body] = call()
      const { status, json } = await send(token, method, url, body)
      const isAllowed = (names as readonly string[]).includes(name)
      t.equal(status, isAllowed ? 200 : 403, `${scope}: ${method} ${url}`)
      if (!isAllowed) t.match(json?.['error'], name === 'sign-in' ? /sign in/ : new RegExp(`lacks the scope \`${name}\``))
    }
  }
  const { token } = await tokenOf(world, ann, ['read', 'playback', 'write'])
  t.match(await send(token, 'GET', '/v1/users'), { status: 403, json: { error: 'Only administrators may do this' } })
})

t.test('without its scope `admin`, the token of an administrator sees of other people and of folders what anybody sees', async (t) => {
  const world = await open(t)
  const { send, ann, admin, movie } = world
  t.equal((await send(ann.token, 'PUT', `/v1/movies/${movie.id}/watched`, {})).status, 200)
  const every = { own: (await tokenOf(world, admin, ['admin'])).token, some: (await tokenOf(world, admin, ['playback', 'write'])).token }
  const viewings = async (token: string) => (await send(token, 'GET', `/v1/movies/${movie.id}/history`)).json as { items: { id: string }[] }
  const [viewing] = (await viewings(admin.token)).items
  t.ok(viewing)
  // In turns, since answers are cached.
  for (const [token, sees] of [every.own, every.some, admin.token, every.some].map((token) => [token, token !== every.some] as const)) {
    t.equal((await viewings(token)).items.length, sees ? 1 : 0)
    t.equal((await send(token, 'GET', `/v1/history/${viewing?.id}/timeline`)).status, sees ? 200 : 404)
    const life = (await send(token, 'GET', `/v1/movies/${movie.id}/life`)).body
    t.equal(life.includes('"kind":"viewing"'), sees)
    for (const url of ['/v1/libraries', `/v1/movies/${movie.id}/file-stats`, `/v1/movies/${movie.id}/life`]) {
      const { status, body } = await send(token, 'GET', url)
      t.equal(status, 200, url)
      t.equal(/"(?:paths?|from|to)":\[?"\/films/.test(body), sees, url)
    }
  }
})

t.test('no token, whatever its scopes, reaches the security of an account', async (t) => {
  const world = await open(t)
  const { send, admin, ann } = world
  const { token, accessToken } = await tokenOf(world, admin, ['read', 'playback', 'write', 'admin'])
  const wanted = { name: 'Another', scopes: ['admin'], password: PASSWORD }
  for (const [method, url, body] of [
    ['POST', URL, wanted],
    ['GET', URL],
    ['DELETE', `${URL}/${accessToken.id}`],
    ['POST', '/api/auth/change-password', { currentPassword: PASSWORD, newPassword: 'another horse' }],
    ['POST', '/api/auth/revoke-other-sessions', {}],
    ['PATCH', '/v1/users/me', { email: 'mallory@example.org' }],
    ['POST', '/v1/users/me/erase', { password: PASSWORD }],
    ['POST', `/v1/users/${admin.caller.userId}/password`, { password: 'another horse' }],
    ['DELETE', `/v1/users/${ann.caller.userId}`],
    ['POST', '/v1/users', { email: 'mallory@example.org', name: 'Mallory', password: PASSWORD, role: 'admin' }],
    ['PATCH', `/v1/users/${admin.caller.userId}`, { email: 'mallory@example.org' }],
    ['PATCH', `/v1/users/${ann.caller.userId}`, { role: 'admin' }],
    ['GET', '/v1/users/me/export'],
    ['GET', '/v1/users/me/audit'],
    ['GET', `/v1/users/${ann.caller.userId}/logins`],
    ['DELETE', `/v1/users/${ann.caller.userId}/logins/${ann.caller.loginId}`],
  ] as const)
    t.match(await send(token, method, url, body), { status: 403, json: { error: /sign in/ } }, `${method} ${url}`)
  t.equal((await send(ann.token, 'GET', '/v1/users/me')).status, 200, 'nothing happened')
})

t.test('a token ends when it is revoked, expires, or its user is disabled or ends all other logins', async (t) => {
  const world = await open(t)
  const { send, ann, admin, node } = world
  const works = async (token: string) => (await send(token, 'GET', '/v1/movies')).status === 200
  const [first, second, short] = [
    await tokenOf(world, ann, ['read']),
    await tokenOf(world, ann, ['read']),
    await tokenOf(world, ann, ['read'], 1),
  ]
  t.equal((await send(admin.token, 'DELETE', `${URL}/${first.accessToken.id}`)).status, 404, "another user's token is not there")
  t.ok(await works(first.token))
  t.equal((await send(ann.token, 'DELETE', `${URL}/${first.accessToken.id}`)).status, 204)
  t.notOk(await works(first.token))
  node.clock.setNow(node.clock.now() + DAY_MS)
  t.notOk(await works(short.token), 'expired, although it was used')
  t.ok(await works(second.token))
  const list = `/v1/users/${ann.caller.userId}/logins`
  const { items } = (await send(admin.token, 'GET', list)).json as { items: { id: string; accessToken: string | null }[] }
  t.strictSame(
    new Map(items.map(({ id, accessToken }) => [id, accessToken])),
    new Map([
      [ann.caller.loginId, null],
      [second.accessToken.id, 'Script'],
    ]),
  )
  const third = await tokenOf(world, ann, ['read'])
  t.equal((await send(admin.token, 'DELETE', `${list}/${third.accessToken.id}`)).status, 204, 'an administrator ends it')
  t.notOk(await works(third.token))
  t.equal((await send(ann.token, 'POST', '/api/auth/revoke-other-sessions', {})).status, 200)
  t.notOk(await works(second.token))
  const last = await tokenOf(world, ann, ['read'])
  t.equal((await send(admin.token, 'PATCH', `/v1/users/${ann.caller.userId}`, { enabled: false })).status, 200)
  t.notOk(await works(last.token))
  t.equal((await send(admin.token, 'PATCH', `/v1/users/${ann.caller.userId}`, { enabled: true })).status, 200)
  t.notOk(await works(last.token), 'for good')
})

t.test('who is no administrator any more has no use for the scope', async (t) => {
  const world = await open(t)
  const { send, admin } = world
  const other = await account(world.node, 'admin', 'other')
  const { token } = await tokenOf(world, admin, ['admin'])
  t.equal((await send(token, 'GET', '/v1/users')).status, 200)
  t.equal((await send(other.token, 'PATCH', `/v1/users/${admin.caller.userId}`, { role: 'user' })).status, 200)
  t.equal((await send(token, 'GET', '/v1/users')).status, 403)
})

t.test('a token is no cookie, and opens streams and events by its scope', async (t) => {
  const world = await open(t)
  const { app, send, ann, movie } = world
  const [reader, player] = [await tokenOf(world, ann, ['read']), await tokenOf(world, ann, ['playback'])]
  const cookie = `session_token=${player.token}`
  t.equal((await app.inject({ method: 'GET', url: '/v1/movies', headers: { cookie } })).statusCode, 401)
  t.equal((await send(reader.token, 'POST', '/v1/playback/sessions', { movieId: movie.id })).status, 403)
  const session = await send(player.token, 'POST', '/v1/playback/sessions', { movieId: movie.id })
  t.equal(session.status, 201)
  const master = `/api/stream/${String(session.json?.['id'])}/master.m3u8`
  const asked = async (token: string) => (await app.inject({ method: 'GET', url: `${master}?token=${token}` })).statusCode
  t.strictSame([await asked(player.token), await asked(reader.token)], [200, 403])
  const events = async (query: string) => {
    const answer = await app.inject({ method: 'GET', url: `/api/events?${query}`, payloadAsStream: true })
    answer.stream().destroy()
    return answer.statusCode
  }
  t.equal(await events(`token=${reader.token}`), 200)
  t.equal((await send(ann.token, 'DELETE', `${URL}/${player.accessToken.id}`)).status, 204)
  t.equal(await asked(player.token), 401)
  t.equal((await send(ann.token, 'GET', `/v1/playback/sessions/${String(session.json?.['id'])}`)).status, 404, 'its session is over')
})

t.test('its use is recorded once a day, and does not extend it', async (t) => {
  const world = await open(t)
  const { send, ann, node } = world
  const { token } = await tokenOf(world, ann, ['read'], 10)
  const used = async () => (await eventsIn(node.cluster.log)).filter(({ type }) => type === 'AccessTokenUsed').length
  await send(token, 'GET', '/v1/movies')
  await send(token, 'GET', '/v1/movies')
  await node.seen()
  t.equal(await used(), 1)
  t.match((await send(ann.token, 'GET', URL)).json, { items: [{ lastUsedAt: new Date(node.clock.now()).toISOString() }] })
  node.clock.setNow(node.clock.now() + DAY_MS)
  await send(token, 'GET', '/v1/movies')
  t.equal(await used(), 2)
  node.clock.setNow(node.clock.now() + 9 * DAY_MS)
  t.equal((await send(token, 'GET', '/v1/movies')).status, 401)
})

t.test('the audit names who made a token, what it may do, and what was refused to it', async (t) => {
  const world = await open(t)
  const { send, admin, ann } = world
  const { token } = await tokenOf(world, ann, ['read'])
  await send(token, 'PUT', '/v1/users/me/preferences', {})
  const audit = async (type: string) => (await send(admin.token, 'GET', `/v1/audit?type=${type}`)).json
  t.match(await audit('AccessTokenIssued'), { items: [{ actor: { id: ann.caller.userId, ip: String } }] })
  t.notMatch(JSON.stringify(await audit('AccessTokenIssued')), /tokenHash/)
  t.match(await audit('AccessDenied'), { items: [{ actor: { id: ann.caller.userId } }] })
})

t.test('a person has a hundred of them at most', { timeout: 120_000 }, async (t) => {
  const { node, send, ann } = await open(t)
  const wanted = { name: 'Script', scopes: ['read'] as const, expiresInDays: 1 }
  for (let n = 0; n < 100; n++) allowed(await node.accessTokens.issue(ann.caller.userId, wanted, AUTHOR))
  t.match(await send(ann.token, 'POST', URL, { ...wanted, password: PASSWORD }), { status: 409, json: { error: /revoke one/ } })
  node.clock.setNow(node.clock.now() + DAY_MS)
  t.equal(
    (await send((await node.login(ann.caller.userId)).token, 'POST', URL, { ...wanted, password: PASSWORD })).status,
    201,
    'expired ones do not count',
  )
})

t.test(
  'without its scope `admin`, the token of an administrator may ask for their own history and figures, not for those of others',
  async (t) => {
    const world = await open(t)
    const { send, ann, admin } = world
    const { token: some } = await tokenOf(world, admin, ['read', 'playback', 'write'])
    const { token: every } = await tokenOf(world, admin, ['admin'])
    const figures = ['overview', 'plays', 'top', 'concurrency', 'finish', 'rewatched', 'year/2026'].map((name) => `/v1/analytics/${name}`)
    for (const path of ['/v1/history', '/v1/history/export', ...figures]) {
      t.equal((await send(some, 'GET', path)).status, 200, path)
      for (const query of ['scope=all', `userId=${ann.caller.userId}`]) {
        t.match(
          await send(some, 'GET', `${path}?${query}`),
          { status: 403, json: { error: /lacks the scope `admin`/ } },
          `${path}?${query}`,
        )
        t.equal((await send(every, 'GET', `${path}?${query}`)).status, 200)
      }
    }
    const players = '/v1/playback/sessions/active'
    t.equal((await send(some, 'GET', players)).status, 200)
    t.match(await send(some, 'GET', `${players}?scope=all`), { status: 403, json: { error: /lacks the scope `admin`/ } })
    t.equal((await send(every, 'GET', `${players}?scope=all`)).status, 200)
  },
)
