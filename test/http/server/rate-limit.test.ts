import t from 'tap'
import type { Caller } from '../../../src/app/access/caller.ts'
import type { Counters } from '../../../src/ports/counters.ts'
import { ADMIN_TOKEN, ann, ANN_TOKEN, idOf, ownLogin } from '../../fixtures/samples.ts'
import { startServer, type TestServer } from '../http-server.ts'

const limited = { config: { rateLimit: 5 } }

async function statuses(count: number, ask: () => ReturnType<TestServer['ask']>): Promise<number[]> {
  const seen: number[] = []
  for (let n = 0; n < count; n++) seen.push((await ask()).status)
  return seen
}

t.test('beyond the budget it is 429 with Retry-After, and every answer contains the remaining budget', async (t) => {
  const server = await startServer(t, limited)
  const first = await server.ask('GET', '/v1/movies')
  t.match(first.headers, { 'ratelimit-policy': '"default";q=5;w=60', ratelimit: '"default";r=4;t=60' })
  t.strictSame(await statuses(6, () => server.ask('GET', '/v1/movies')), [200, 200, 200, 200, 429, 429])
  await server.clock.advance(20_000)
  const refused = await server.ask('GET', '/v1/movies')
  t.match(refused, {
    status: 429,
    text: '{"error":"Too many requests"}',
    headers: { 'retry-after': '40', ratelimit: '"default";r=0;t=40' },
  })
})

t.test('what only administrators may do is limited, too', async (t) => {
  const server = await startServer(t, limited)
  t.strictSame(await statuses(6, () => server.ask('GET', '/v1/users')), [200, 200, 200, 200, 200, 429])
})

t.test('the window slides: what was refused does not count, and steady requests are never refused', async (t) => {
  const server = await startServer(t, limited)
  for (let n = 0; n < 30; n++) {
    t.equal((await server.ask('GET', '/v1/movies')).status, 200)
    await server.clock.advance(12_000)
  }
  await server.clock.advance(60_000)
  t.strictSame(await statuses(7, () => server.ask('GET', '/v1/movies')), [200, 200, 200, 200, 200, 429, 429])
  await server.clock.advance(60_000)
  t.equal((await server.ask('GET', '/v1/movies')).status, 200, 'a minute after the last one that was taken')
})

t.test('the budget is that of the user, not of the address', async (t) => {
  const server = await startServer(t, limited)
  await statuses(5, () => server.ask('GET', '/v1/movies'))
  t.equal((await server.anon('GET', '/v1/movies', { headers: { cookie: `session_token=${ADMIN_TOKEN}` } })).status, 429, 'the same user')
  t.equal((await server.anon('GET', '/v1/movies', { headers: { authorization: `Bearer ${ANN_TOKEN}` } })).status, 200, 'another one')
})

t.test('without a good credential the address counts, also against guessing', async (t) => {
  const server = await startServer(t, limited)
  const guess = () => server.anon('GET', '/v1/movies', { headers: { authorization: 'Bearer guess' } })
  t.strictSame(await statuses(7, guess), [401, 401, 401, 401, 401, 429, 429])
  t.equal((await server.anon('POST', '/api/auth/sign-in/email', { body: {} })).status, 429)
  t.equal((await server.ask('GET', '/v1/movies')).status, 200, 'a user at the same address')
})

t.test('what ends logins and tokens has a budget of each login, which nothing else uses up', async (t) => {
  const callers: Readonly<Record<string, Caller>> = {
    leaked: { ...ann, loginId: ownLogin.id, scopes: ['read'] },
    phone: { ...ann, loginId: idOf('phone') },
    tv: { ...ann, loginId: idOf('tv') },
  }
  const server = await startServer(t, {
    ...limited,
    services: (services) => ({ ...services, signIns: { ...services.signIns, authenticate: (text) => callers[text] } }),
  })
  const by = (login: string, method: 'GET' | 'POST' | 'DELETE', url: string) =>
    server.anon(method, url, { headers: { authorization: `Bearer ${login}` }, ...(method === 'POST' && { body: {} }) })
  const tokenUrl = `/v1/users/me/access-tokens/${ownLogin.id}`
  await statuses(5, () => by('leaked', 'GET', '/v1/movies'))
  t.strictSame(await statuses(7, () => by('leaked', 'DELETE', tokenUrl)), [403, 403, 403, 403, 403, 429, 429], 'its own tries are limited')
  t.equal((await by('phone', 'GET', '/v1/movies')).status, 429, 'all logins have one general budget')
  const asked = [
    ['GET', '/v1/users/me/access-tokens'],
    ['DELETE', tokenUrl],
    ['POST', '/api/auth/revoke-other-sessions'],
    ['POST', '/api/auth/sign-out'],
  ] as const
  for (const [method, url] of asked) t.ok((await by('phone', method, url)).status < 300, `${method} ${url}`)
  t.match((await by('phone', 'GET', '/api/auth/list-sessions')).headers, { 'ratelimit-policy': '"logins";q=5;w=60' })
  t.equal((await by('phone', 'GET', '/api/auth/list-sessions')).status, 429, 'it is limited, too')
  t.equal((await by('tv', 'POST', '/api/auth/sign-out')).status, 200, 'another login')
})

t.test('paths that are not known, other methods, streams, images, documentation and health are outside', async (t) => {
  const server = await startServer(t, limited)
  for (let n = 0; n < 6; n++) {
    await server.ask('GET', '/v1/nothing')
    await server.ask('DELETE', '/v1/movies')
    await server.ask('OPTIONS', '/v1/movies')
  }
  await statuses(5, () => server.ask('GET', '/v1/movies'))
  for (const [url, status] of [
    [`/api/stream/${idOf('session')}/master.m3u8`, 200],
    [`/api/images/${idOf('poster')}`, 200],
    ['/docs', 200],
    ['/docs/openapi.json', 200],
    ['/healthz', 200],
    ['/readyz', 200],
    ['/v1/movies', 429],
    ['/v1/openapi.json', 429],
  ] as const) {
    t.equal((await server.ask('GET', url)).status, status, url)
  }
})

t.test('a refused request changes nothing and keeps the cookie', async (t) => {
  const touched: string[] = []
  const server = await startServer(t, {
    ...limited,
    services: (services) => ({
      ...services,
      signIns: { ...services.signIns, touch: async (caller) => touched.push(caller.userId) > 0 },
    }),
  })
  await statuses(5, () => server.ask('GET', '/v1/movies'))
  const refused = await server.anon('PUT', `/v1/movies/${idOf('movie')}/watched`, { headers: { cookie: `session_token=${ADMIN_TOKEN}` } })
  t.match(refused, { status: 429, headers: { 'set-cookie': undefined } })
  t.equal(touched.length, 5)
})

t.test('the network of an IPv6 household is one address; an untrusted proxy is ignored', async (t) => {
  const keys: string[] = []
  const counters: Counters = {
    spend: async (key) => (keys.push(key), { allowed: true, remaining: 1, retryAfterMs: 0, resetAfterMs: 0 }),
    peek: async () => ({ allowed: true, remaining: 1, retryAfterMs: 0, resetAfterMs: 0 }),
    giveBack: async () => {},
    clear: async () => {},
  }
  const forwarded = { 'x-forwarded-for': '203.0.113.7' }
  const server = await startServer(t, { counters })
  for (const remoteAddress of ['2001:db8:1:2:3::4', '2001:db8:1:2:ffff::1', '::ffff:192.0.2.1']) {
    await server.app.inject({ url: '/v1/movies', remoteAddress, headers: forwarded })
  }
  const trusting = await startServer(t, { counters, config: { trustedProxies: ['192.0.2.0/24'] } })
  await trusting.app.inject({ url: '/v1/movies', remoteAddress: '192.0.2.1', headers: forwarded })
  await trusting.app.inject({ url: '/v1/movies', remoteAddress: '198.51.100.1', headers: forwarded })
  t.strictSame(keys, [
    'requests.address.2001:db8:1:2::',
    'requests.address.2001:db8:1:2::',
    'requests.address.192.0.2.1',
    'requests.address.203.0.113.7',
    'requests.address.198.51.100.1',
  ])
})
