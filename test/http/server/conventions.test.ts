import { request } from 'node:http'
import t, { type Test } from 'tap'
import type { HttpServices } from '../../../src/http/server/app.ts'
import { ADMIN_TOKEN, ANN_TOKEN, idOf } from '../../fixtures/samples.ts'
import { startServer, type Answer } from '../http-server.ts'

const MEGABYTE = 1_048_576
const SIGN_IN = '/api/auth/sign-in/email'
const MOVIE = `/v1/movies/${idOf('movie')}`

/** A sign-in body of exactly this many bytes. */
function padded(size: number): string {
  const body = JSON.stringify({ email: 'admin@localhost', password: 'right', pad: '' })
  return body.replace('"pad":""', `"pad":"${'x'.repeat(size - body.length)}"`)
}
const json = { 'content-type': 'application/json' }
const asAnn = { headers: { authorization: `Bearer ${ANN_TOKEN}` } }

const isError = (t: Test, res: Answer, status: number) => {
  t.equal(res.status, status)
  t.strictSame(Object.keys(res.json<object>()), ['error'])
  t.match(res.headers, { 'content-type': /^application\/json/, 'x-error-code': /^\w+$/, 'x-request-id': /^.{21}$/ })
}
const pathsOf = (res: Answer) => res.json<{ details: { path: string }[] }>().details.map(({ path }) => path)

t.test('a path that is not known is 404, under /v1 only for users', async (t) => {
  const server = await startServer(t)
  isError(t, await server.anon('GET', '/nothing'), 404)
  for (const url of ['/v1', '/v1/nothing', '/v1?x=1']) {
    isError(t, await server.anon('GET', url), 401)
    isError(t, await server.ask('GET', url), 404)
  }
  isError(t, await server.ask('GET', '/v1/movies/'), 404)
})

t.test('a body that nobody reads keeps the rules of one that is read', async (t) => {
  const server = await startServer(t)
  const url = '/v1/users/me'
  const get = (headers: Readonly<Record<string, string>>, raw: string) => server.ask('GET', url, { raw, headers })
  t.equal((await get(json, '{}')).status, 200)
  isError(t, await get({ 'content-type': 'text/xml' }, '<x/>'), 415)
  isError(t, await get({ ...json, 'content-encoding': 'gzip' }, '{}'), 400)
  isError(t, await get(json, '{"x'), 400)
  const origin = await server.listen()
  const chunked = async (bytes: number) => {
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
    const headers = { ...json, authorization: `Bearer ${ADMIN_TOKEN}`, 'transfer-encoding': 'chunked' }
    const sent = request(`${origin}${url}`, { method: 'GET', headers }, (answer) => resolve(answer.resume().statusCode)).once(
      'error',
      reject,
    )
    sent.end(padded(bytes))
    return promise
  }
  t.strictSame([await chunked(MEGABYTE), await chunked(MEGABYTE + 1)], [200, 413])
})

t.test('a text with half of a surrogate pair is no Unicode, in whatever member', async (t) => {
  const server = await startServer(t)
  for (const raw of ['{"name":"a\\ud800","path":"/films"}', '{"name":"a","path":"/films","x":[{"\\uDFFF":1}]}'])
    isError(t, await server.ask('POST', '/v1/libraries', { raw, headers: json }), 400)
  const whole = await server.ask('POST', '/v1/libraries', { raw: '{"name":"\\ud83d\\ude00","path":"/films"}', headers: json })
  t.equal(whole.status, 201)
})

t.test('a percent-encoded path meets the rules of the path that it stands for', async (t) => {
  const server = await startServer(t)
  const [plain, encoded] = ['/v1/movies', '/%76%31/movies']
  const shown = async (url: string) => {
    const { status, headers } = await server.ask('GET', url)
    return { status, cache: headers['cache-control'], vary: headers['vary'], tag: headers['etag'] !== undefined }
  }
  t.strictSame(await shown(encoded), await shown(plain))
  t.match(await shown(encoded), { status: 200, cache: 'private, no-cache', vary: /Authorization/, tag: true })
  isError(t, await server.anon('GET', '/%76%31/nothing'), 401)
  const unmatched = { body: { title: 'Other' }, headers: { 'if-match': '"no such tag"' } }
  isError(t, await server.ask('PATCH', MOVIE, unmatched), 412)
  isError(t, await server.ask('PATCH', MOVIE.replace('v1', '%76%31'), unmatched), 412)
})

t.test('a known path asked with another method is 405 with its methods, also without credentials', async (t) => {
  const server = await startServer(t)
  for (const [method, url, allow] of [
    ['DELETE', '/v1/movies', 'GET, HEAD, OPTIONS'],
    ['POST', '/v1/movies/recently-added', 'GET, HEAD, OPTIONS'],
    ['PATCH', '/v1/movies/anchors', 'GET, HEAD, OPTIONS'],
    ['PATCH', '/v1/movies/marks', 'OPTIONS, POST'],
    ['POST', MOVIE, 'GET, HEAD, OPTIONS, PATCH'],
    ['PUT', '/v1/playback/sessions/active', 'GET, HEAD, OPTIONS'],
    ['POST', `${MOVIE}/watched`, 'DELETE, OPTIONS, PUT'],
    ['GET', SIGN_IN, 'OPTIONS, POST'],
    ['DELETE', `/api/stream/${idOf('session')}/file`, 'GET, HEAD, OPTIONS'],
    ['POST', '/docs', 'GET, HEAD, OPTIONS'],
  ] as const) {
    const res = await server.anon(method, url)
    isError(t, res, 405)
    t.equal(res.headers['allow'], allow, url)
  }
  const res = await server.app.inject({ method: 'PROPFIND' as 'GET', url: '/v1/movies' })
  t.equal(res.statusCode, 405, 'a method of WebDAV')
})

t.test('405 comes before the size of the body is looked at', async (t) => {
  const server = await startServer(t)
  isError(t, await server.anon('PATCH', '/v1/movies', { raw: padded(MEGABYTE + 1), headers: json }), 405)
})

t.test('OPTIONS lists the methods', async (t) => {
  const server = await startServer(t)
  const res = await server.anon('OPTIONS', '/v1/libraries')
  t.match(res, { status: 204, text: '', headers: { allow: 'GET, HEAD, OPTIONS, POST' } })
  t.equal((await server.anon('OPTIONS', '/docs/')).headers['allow'], 'GET, HEAD, OPTIONS')
})

t.test('HEAD answers as GET does, without a body', async (t) => {
  const server = await startServer(t)
  for (const url of ['/v1/movies', MOVIE, '/healthz', '/docs']) {
    const [get, head] = [await server.ask('GET', url), await server.ask('HEAD', url)]
    t.match(head, {
      status: 200,
      text: '',
      headers: { 'content-length': get.headers['content-length'], 'content-type': get.headers['content-type'] },
    })
  }
  t.match(await server.anon('HEAD', '/v1/movies'), { status: 401, text: '' })
})

t.test('a body of exactly 1,048,576 bytes is taken, one more is 413', async (t) => {
  const server = await startServer(t)
  t.equal((await server.anon('POST', SIGN_IN, { raw: padded(MEGABYTE), headers: json })).status, 200)
  const res = await server.anon('POST', SIGN_IN, { raw: padded(MEGABYTE + 1), headers: json })
  isError(t, res, 413)
  t.equal(res.headers['connection'], 'close')
})

t.test('too large a body is refused before the credentials are looked at, on every method', async (t) => {
  const server = await startServer(t)
  for (const [method, url] of [
    ['POST', '/v1/libraries'],
    ['PUT', `${MOVIE}/watched`],
    ['DELETE', `${MOVIE}/watched`],
    ['GET', '/v1/movies'],
  ] as const) {
    isError(t, await server.anon(method, url, { raw: padded(MEGABYTE + 1), headers: json }), 413)
  }
})

t.test('another media type than JSON with a body is 415; parameters and another case are taken', async (t) => {
  const server = await startServer(t)
  const raw = padded(200)
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    'nonsense',
  ]) {
    isError(t, await server.anon('POST', SIGN_IN, { raw, headers: { 'content-type': type } }), 415)
  }
  isError(t, await server.anon('POST', SIGN_IN, { raw: Buffer.from(raw) }), 415)
  for (const type of ['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset=UTF-8']) {
    t.equal((await server.anon('POST', SIGN_IN, { raw, headers: { 'content-type': type } })).status, 200, type)
  }
})

t.test('what is no JSON in UTF-8, and what is encoded, is 400', async (t) => {
  const server = await startServer(t)
  for (const raw of ['{', '{"email":}', 'null x', Buffer.from([0x22, 0xff, 0x22])]) {
    isError(t, await server.anon('POST', SIGN_IN, { raw, headers: json }), 400)
  }
  isError(t, await server.anon('POST', SIGN_IN, { raw: padded(200), headers: { ...json, 'content-encoding': 'gzip' } }), 400)
})

t.test('valid JSON of the wrong shape is 422, with every problem and its path', async (t) => {
  const server = await startServer(t)
  for (const [raw, paths] of [
    ['[]', ['']],
    ['null', ['']],
    ['"text"', ['']],
    ['{}', ['email', 'password']],
    ['{"email":5,"password":null}', ['email', 'password']],
    ['{"email":"nobody","password":"x","rememberMe":"yes"}', ['email', 'rememberMe']],
  ] as const) {
    const res = await server.anon('POST', SIGN_IN, { raw, headers: json })
    t.equal(res.status, 422, raw)
    t.strictSame(Object.keys(res.json<object>()), ['error', 'details'])
    t.equal(res.json<{ error: string }>().error, 'Validation error')
    t.strictSame(pathsOf(res).toSorted(), paths, raw)
  }
})

t.test('bodies are not converted: null is no number, a text is none either', async (t) => {
  const server = await startServer(t)
  const url = `/v1/playback/sessions/${idOf('session')}/heartbeat`
  for (const position of [null, '5', -1, true, [], {}]) {
    const res = await server.ask('POST', url, { body: { position } })
    t.strictSame([res.status, pathsOf(res)], [422, ['position']], JSON.stringify(position))
  }
  const res = await server.ask('POST', url, { raw: '{"position":1e400}', headers: json })
  t.strictSame([res.status, pathsOf(res)], [422, ['position']], 'infinite')
  t.strictSame(pathsOf(await server.ask('POST', url, { body: {} })), ['position'], 'missing')
})

t.test('problems inside lists have dotted paths', async (t) => {
  const server = await startServer(t)
  const res = await server.ask('POST', '/v1/libraries', {
    body: { name: ' ', paths: ['/media', 5, '/x'.repeat(3000)], settings: { trickplay: 1 } },
  })
  t.strictSame(pathsOf(res).toSorted(), ['name', 'paths.1', 'paths.2', 'settings.trickplay'])
})

t.test('no body counts as {}, and unknown members and parameters mean nothing', async (t) => {
  const server = await startServer(t)
  t.equal((await server.ask('PUT', `${MOVIE}/watched`)).status, 200)
  t.equal((await server.ask('PUT', `${MOVIE}/watched`, { raw: '', headers: json })).status, 200)
  t.equal((await server.ask('PUT', `${MOVIE}/watched`, { body: { surprise: { deep: true }, __proto__: null } })).status, 200)
  t.equal((await server.ask('GET', '/v1/libraries?surprise=1&limit=5&surprise=2')).status, 200)
})

t.test('numbers in queries are plain, given once and not empty', async (t) => {
  const server = await startServer(t)
  for (const limit of [
    '0',
    '101',
    '-1',
    '1.5',
    '5.0',
    'abc',
    '',
    '+5',
    '%2B5',
    '1e1',
    '%205',
    '5%20',
    '0x5',
    '05',
    '5&limit=5',
    'null',
    'NaN',
  ]) {
    const res = await server.ask('GET', `/v1/movies?limit=${limit}`)
    t.strictSame([res.status, res.status === 422 && pathsOf(res)], [422, ['limit']], limit)
  }
  for (const limit of ['1', '100']) t.equal((await server.ask('GET', `/v1/movies?limit=${limit}`)).status, 200)
})

t.test('choices, identifiers and texts in queries are checked, all at once', async (t) => {
  const server = await startServer(t)
  const res = await server.ask('GET', `/v1/movies?sort=sideways&order=up&libraryId=short&libraryId=${idOf('library')}&q=&limit=0&cursor=`)
  t.strictSame([res.status, pathsOf(res).toSorted()], [422, ['cursor', 'libraryId', 'limit', 'order', 'q', 'sort']])
  t.equal((await server.ask('GET', `/v1/movies?q=a&q=b`)).status, 422, 'given twice')
  t.equal((await server.ask('GET', `/v1/movies?libraryId=${idOf('one')}&libraryId=${idOf('two')}&q=%D0%BA`)).status, 200)
})

t.test('an identifier of a wrong shape in a path is 404 and reaches no service', async (t) => {
  const asked: string[] = []
  const server = await startServer(t, {
    services: (services) => ({
      ...services,
      movies: { ...services.movies, get: async (caller, id) => (asked.push(id), services.movies.get(caller, id)) },
    }),
  })
  for (const id of [
    'x',
    'x'.repeat(22),
    `_${'x'.repeat(20)}`,
    'x'.repeat(5000),
    '%00'.repeat(21),
    '%2e%2e%2f',
    `${'x'.repeat(20)}%C3%BC`,
    "'; drop",
  ]) {
    isError(t, await server.ask('GET', `/v1/movies/${encodeURI(decodeURIComponent(id))}`), 404)
  }
  t.strictSame(asked, [])
  isError(t, await server.ask('GET', `/v1/movies/${idOf('unknown')}`), 404)
  t.strictSame(asked, [idOf('unknown')])
})

t.test('a URL that cannot be decoded is 400', async (t) => {
  const server = await startServer(t)
  for (const url of ['/v1/%zz', '/v1/movies/%', '/%E0%A4%A', '/api/stream/%ff/file']) isError(t, await server.anon('GET', url), 400)
})

t.test('a caller without the right is refused before the body is read', async (t) => {
  const server = await startServer(t)
  isError(t, await server.ask('POST', '/v1/libraries', { ...asAnn, raw: '{' }), 403)
  isError(t, await server.ask('POST', `/v1/libraries/${idOf('unknown')}/scan`, asAnn), 403)
  isError(t, await server.ask('GET', '/v1/playback/sessions/active?scope=all&limit=0', asAnn), 403)
  t.equal((await server.ask('GET', '/v1/playback/sessions/active', asAnn)).status, 200)
})

t.test('an internal error is 500 and reveals nothing; a transient one is 503 with Retry-After', async (t) => {
  const failing = (fault: Error) => ({
    services: (services: HttpServices) => ({
      ...services,
      libraries: { ...services.libraries, get: () => Promise.reject(fault) },
    }),
  })
  const url = `/v1/libraries/${idOf('library')}`
  const broken = await startServer(t, failing(new Error('secret detail at /srv/films')))
  const res = await broken.ask('GET', url)
  isError(t, res, 500)
  t.equal(res.text, '{"error":"Internal server error"}')
  t.match(broken.lines.join(''), /"level":50.*secret detail/)

  for (const code of ['outcome-unknown', 'reply-timeout', 'no-responder', 'conflict', 'views-behind']) {
    const server = await startServer(t, failing(Object.assign(new Error('detail'), { code })))
    const res = await server.ask('GET', url)
    isError(t, res, 503)
    t.match(res.headers['retry-after'], /^[1-9]\d*$/, code)
    t.notMatch(res.text, /detail/)
    t.equal(res.headers['x-outcome'], code === 'views-behind' ? 'stored' : undefined)
  }
})

t.test('every answer names its request, each another one', async (t) => {
  const server = await startServer(t)
  const ids = new Set<unknown>()
  for (const url of ['/v1/movies', '/nothing', '/healthz', '/v1/%zz', '/docs'])
    ids.add((await server.anon('GET', url)).headers['x-request-id'])
  t.equal(ids.size, 5)
  t.notOk(ids.has(undefined))
  const forged = await server.anon('GET', '/healthz', { headers: { 'x-request-id': 'mine', 'request-id': 'mine' } })
  t.not(forged.headers['x-request-id'], 'mine')
})

t.test('reads of /v1 are kept by nobody but the caller', async (t) => {
  const server = await startServer(t)
  t.match((await server.ask('GET', '/v1/movies')).headers, {
    'cache-control': 'private, no-cache',
    vary: 'Authorization, Cookie, Accept-Encoding',
  })
  t.match((await server.anon('GET', '/v1/movies')).headers, { 'cache-control': 'no-store' })
  t.match((await server.ask('PUT', `${MOVIE}/watched`)).headers, { 'cache-control': 'no-store' })
})

t.test('no answer lets a page use camera, microphone or place', async (t) => {
  const server = await startServer(t)
  for (const [method, url] of [
    ['GET', '/docs'],
    ['GET', '/healthz'],
    ['GET', '/v1/movies'],
    ['POST', '/nowhere'],
    ['POST', '/api/auth/sign-out'],
    ['DELETE', '/v1/movies'],
  ] as const)
    t.equal((await server.anon(method, url)).headers['permissions-policy'], 'camera=(), microphone=(), geolocation=()', `${method} ${url}`)
})

t.test('security headers ask no browser for https on a plain address', async (t) => {
  const plain = (await (await startServer(t)).anon('GET', '/docs')).headers
  t.notMatch(plain['content-security-policy'], /upgrade-insecure-requests/)
  t.match(plain, { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'x-frame-options': 'SAMEORIGIN' })
  t.equal(plain['strict-transport-security'], undefined)
  const secure = await startServer(t, { config: { publicUrl: 'https://films.example' } })
  t.match((await secure.anon('GET', '/healthz')).headers['strict-transport-security'], /max-age=/)
})

t.test('a library may be made with path in place of paths; without either, paths is missing', async (t) => {
  const server = await startServer(t)
  const one = await server.ask('POST', '/v1/libraries', { body: { name: 'Films', path: '/media/films' } })
  t.match(one, { status: 201, headers: { location: `/v1/libraries/${idOf('library')}` } })
  t.match(one.json(), { paths: ['/media/films'] })
  t.strictSame(pathsOf(await server.ask('POST', '/v1/libraries', { body: {} })).toSorted(), ['name', 'paths'])
})

t.test('the token of an admin is needed for nothing but what is an admin’s', async (t) => {
  const server = await startServer(t)
  t.equal((await server.anon('GET', '/v1/libraries', { headers: { authorization: `bEaReR ${ADMIN_TOKEN}` } })).status, 200)
  t.match((await server.ask('GET', '/v1/libraries', asAnn)).json(), { items: [{ paths: null, roots: null }] })
})
