import t from 'tap'
import { refuse } from '../../../src/domain/refusal.ts'
import { admin, ADMIN_TOKEN, ANN_TOKEN, STREAM_TOKEN } from '../../fixtures/samples.ts'
import { startServer, type TestServerOptions } from '../http-server.ts'

const SIGN_IN = '/api/auth/sign-in/email'
const SIGN_OUT = '/api/auth/sign-out'
const right = { email: 'admin@localhost', password: 'right' }
const cookie = { cookie: `session_token=${ADMIN_TOKEN}` }

const refusing = (...refusal: Parameters<typeof refuse>): TestServerOptions => ({
  services: (services) => ({ ...services, signIns: { ...services.signIns, signIn: async () => refuse(...refusal) } }),
})

t.test('signing in answers in the shape of better-auth, with the token in header and cookie', async (t) => {
  const server = await startServer(t)
  const res = await server.anon('POST', SIGN_IN, { body: right })
  t.equal(res.status, 200)
  t.strictSame(res.json(), {
    redirect: false,
    token: ADMIN_TOKEN,
    user: {
      id: admin.userId,
      email: 'admin@localhost',
      name: 'Admin',
      role: 'admin',
      image: null,
      emailVerified: true,
      createdAt: '2026-01-02T12:00:00.000Z',
      updatedAt: '2026-01-02T12:00:00.000Z',
    },
  })
  t.equal(res.headers['set-auth-token'], ADMIN_TOKEN)
  t.equal(res.headers['set-cookie'], `session_token=${ADMIN_TOKEN}; Max-Age=604800; Path=/; HttpOnly; SameSite=Lax`)
  t.equal(res.headers['cache-control'], 'no-store')
})

t.test('a cookie that is not to be remembered has no Max-Age; on https it is Secure', async (t) => {
  const plain = await startServer(t)
  const forgotten = await plain.anon('POST', SIGN_IN, { body: { ...right, rememberMe: false } })
  t.equal(forgotten.headers['set-cookie'], `session_token=${ADMIN_TOKEN}; Path=/; HttpOnly; SameSite=Lax`)
  const secure = await startServer(t, { config: { publicUrl: 'https://films.example' } })
  t.equal(
    (await secure.anon('POST', SIGN_IN, { body: right })).headers['set-cookie'],
    `__Host-session_token=${ADMIN_TOKEN}; Max-Age=604800; Path=/; HttpOnly; Secure; SameSite=Lax`,
  )
})

t.test('on https the cookie that only this host can set decides, and a sign-in leaves no other one behind', async (t) => {
  const server = await startServer(t, { config: { publicUrl: 'https://films.example' } })
  const statusOf = async (cookie: string) => (await server.anon('GET', '/v1/movies', { headers: { cookie } })).status
  for (const [text, status] of [
    [`__Host-session_token=${ADMIN_TOKEN}`, 200],
    [`session_token=${ADMIN_TOKEN}`, 200],
    [`session_token=planted; __Host-session_token=${ADMIN_TOKEN}`, 200],
    [`session_token=${ADMIN_TOKEN}; __Host-session_token=old`, 401],
    ['__Host-session_token=', 401],
  ] as const)
    t.equal(await statusOf(text), status, text)
  const again = await server.anon('POST', SIGN_IN, { body: right, headers: { cookie: `session_token=${ANN_TOKEN}` } })
  t.match(again.headers['set-cookie'], /^__Host-session_token=a+; .*,session_token=; Max-Age=0; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  const signedOut = await server.anon('POST', SIGN_OUT, { headers: { cookie: `__Host-session_token=${ADMIN_TOKEN}` } })
  t.equal(signedOut.status, 200)
  t.equal(await statusOf(`session_token=${ADMIN_TOKEN}`), 401, 'the login itself has ended')
})

t.test('a wrong password is 401 with the scheme, whatever text it is', async (t) => {
  const server = await startServer(t)
  for (const password of ['wrong', 'x', 'x'.repeat(1024)]) {
    const res = await server.anon('POST', SIGN_IN, { body: { ...right, password } })
    t.match(res, { status: 401, text: '{"error":"Invalid email or password"}', headers: { 'www-authenticate': 'Bearer' } })
  }
})

t.test('an e-mail has one @, no white space inside and at least 3 characters; no dot is required', async (t) => {
  const server = await startServer(t)
  const status = async (email: string) => (await server.anon('POST', SIGN_IN, { body: { email, password: 'x' } })).status
  for (const email of ['a@b', 'admin@localhost', ' ann@example.org ', `a@${'b'.repeat(252)}`]) t.equal(await status(email), 401, email)
  for (const email of ['', 'ab', 'a@@b', 'a@b@c', '@b.c', 'a@', 'a b@c', 'a@b\u0000']) t.equal(await status(email), 422, email)
  t.equal((await server.anon('POST', SIGN_IN, { body: { ...right, password: '' } })).status, 422)
  t.equal((await server.anon('POST', SIGN_IN, { body: { ...right, password: 'x'.repeat(1025) } })).status, 422)
})

t.test('what sign-in refuses keeps its kind: disabled 403, too many 429', async (t) => {
  const disabled = await startServer(t, refusing('forbidden', 'This account is disabled'))
  t.match(await disabled.anon('POST', SIGN_IN, { body: right }), { status: 403, text: '{"error":"This account is disabled"}' })
  const locked = await startServer(t, refusing('too-many', 'Too many failed sign-ins', { retryAfterSeconds: 599.2 }))
  t.match(await locked.anon('POST', SIGN_IN, { body: right }), { status: 429, headers: { 'retry-after': '600' } })
})

t.test('signing out is 200 always, and clears the cookie', async (t) => {
  const server = await startServer(t)
  for (const [headers, raw] of [
    [{}, undefined],
    [{ authorization: 'Bearer unknown' }, undefined],
    [{ 'content-type': 'text/plain' }, 'beacon'],
    [{ 'content-type': 'application/json' }, '{'],
    [cookie, undefined],
    [cookie, undefined],
  ] as const) {
    const res = await server.anon('POST', SIGN_OUT, { headers, ...(raw === undefined ? {} : { raw }) })
    t.match(res, { status: 200, text: '{"success":true}', headers: { 'set-cookie': /^session_token=; Max-Age=0; Path=\// } })
    t.match(res.headers, {
      'set-cookie': /,__Host-session_token=; Max-Age=0; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      'clear-site-data': '"cache"',
    })
  }
  t.equal((await server.ask('GET', '/v1/movies')).status, 401, 'the login of the cookie is over')
})

t.test('the header decides over the cookie, and a bad one is not made good by it', async (t) => {
  const server = await startServer(t)
  t.equal((await server.anon('GET', '/v1/movies', { headers: cookie })).status, 200)
  for (const authorization of ['Bearer nonsense', 'Basic YTpi', 'Bearer', `Bearer ${STREAM_TOKEN}`, `Bearer a ${ADMIN_TOKEN}`]) {
    t.equal((await server.anon('GET', '/v1/movies', { headers: { ...cookie, authorization } })).status, 401, authorization)
  }
  t.equal((await server.anon('GET', '/v1/movies', { headers: { cookie: 'session_token=' } })).status, 401)
})

t.test('/v1 never reads a token from the query', async (t) => {
  const server = await startServer(t)
  for (const token of [ADMIN_TOKEN, STREAM_TOKEN]) t.equal((await server.anon('GET', `/v1/movies?token=${token}`)).status, 401)
})

t.test('a cookie caller writes from the own origin only; reading and signing out are free', async (t) => {
  const server = await startServer(t, { config: { publicUrl: 'https://films.example:8443' } })
  const write = async (origin?: string) =>
    (await server.anon('POST', '/v1/libraries', { body: {}, headers: { ...cookie, host: 'localhost:80', ...(origin ? { origin } : {}) } }))
      .status
  for (const origin of ['http://elsewhere.example', 'null', 'https://films.example', 'http://localhost:81', 'nonsense'])
    t.equal(await write(origin), 403, origin)
  for (const origin of [undefined, 'https://films.example:8443', 'http://localhost'])
    t.equal(await write(origin), 422, origin ?? 'no origin')
  const elsewhere = { ...cookie, origin: 'http://elsewhere.example' }
  t.equal((await server.anon('GET', '/v1/movies', { headers: elsewhere })).status, 200)
  t.equal(
    (await server.anon('POST', '/v1/libraries', { body: {}, headers: { ...elsewhere, authorization: `Bearer ${ADMIN_TOKEN}` } })).status,
    422,
  )
  t.equal((await server.anon('POST', SIGN_OUT, { headers: elsewhere })).status, 200)
})

t.test('an origin is that of the public URL by its port, too', async (t) => {
  const server = await startServer(t, { config: { publicUrl: 'https://films.example' } })
  const write = async (origin: string, host = 'inside:8420') =>
    (await server.anon('POST', '/v1/libraries', { body: {}, headers: { ...cookie, host, origin } })).status
  t.equal(await write('https://films.example'), 422)
  for (const origin of [
    'http://films.example',
    'https://films.example:8443',
    'http://films.example:443',
    'http://inside',
    'http://inside:8421',
  ])
    t.equal(await write(origin), 403, origin)
  t.equal(await write('http://inside:8420'), 422, 'who asked past the proxy')
  t.equal(await write('https://inside', 'inside'), 422, 'a proxy in front of it may speak https')
})

t.test('a cookie caller whose browser says that a page elsewhere asks does not write, also without an origin', async (t) => {
  const server = await startServer(t)
  const ask = async (method: 'GET' | 'POST', headers: Readonly<Record<string, string>>, url = '/v1/libraries') =>
    (await server.anon(method, url, { ...(method === 'POST' ? { body: {} } : {}), headers: { host: 'localhost', ...headers } })).status
  for (const site of ['cross-site', 'same-site']) {
    const headers = { 'sec-fetch-site': site }
    t.equal(await ask('POST', { ...cookie, ...headers }), 403, site)
    t.equal(await ask('GET', { ...cookie, ...headers }), 200, `${site}: reading is free`)
    t.equal(await ask('POST', { authorization: `Bearer ${ADMIN_TOKEN}`, ...headers }), 422, `${site}: a token is no cookie`)
    t.equal(await ask('POST', { ...cookie, ...headers, origin: 'http://localhost' }), 422, `${site}: an origin says more`)
  }
  for (const site of ['same-origin', 'none']) t.equal(await ask('POST', { ...cookie, 'sec-fetch-site': site }), 422, site)
  t.equal(await ask('POST', { ...cookie, 'sec-fetch-site': 'cross-site' }, SIGN_OUT), 200, 'signing out is free')
})

t.test('the origin is looked at before the role', async (t) => {
  const server = await startServer(t)
  const headers = { cookie: `session_token=${ANN_TOKEN}`, origin: 'http://elsewhere.example' }
  t.match((await server.anon('POST', '/v1/libraries', { body: {}, headers })).text, /origin/)
})

t.test('activity extends the login; the cookie is sent again as it was', async (t) => {
  const touched: unknown[] = []
  const extending = (rememberMe: boolean): TestServerOptions => ({
    services: (services) => ({
      ...services,
      signIns: {
        ...services.signIns,
        authenticate: (token) => (token === ADMIN_TOKEN ? { ...admin, rememberMe } : undefined),
        touch: async (caller, origin) => touched.push([caller.userId, origin().address]) > 0,
      },
    }),
  })
  const server = await startServer(t, extending(true))
  t.match(
    (await server.anon('GET', '/v1/movies', { headers: cookie })).headers['set-cookie'],
    new RegExp(`^session_token=${ADMIN_TOKEN}; Max-Age=604800`),
  )
  t.equal((await server.ask('GET', '/v1/movies')).headers['set-cookie'], undefined, 'by header there is no cookie')
  t.strictSame(touched, [
    [admin.userId, '127.0.0.1'],
    [admin.userId, '127.0.0.1'],
  ])
  const brief = await startServer(t, extending(false))
  t.notMatch((await brief.anon('GET', '/v1/movies', { headers: cookie })).headers['set-cookie'], /Max-Age/)
})

t.test('a login that cannot be extended just now does not refuse the request', async (t) => {
  const server = await startServer(t, {
    services: (services) => ({ ...services, signIns: { ...services.signIns, touch: () => Promise.reject(new Error('the log is away')) } }),
  })
  t.equal((await server.ask('GET', '/v1/movies')).status, 200)
  t.match(server.lines.join(''), /the log is away/)
})
