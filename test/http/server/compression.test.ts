import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { movie } from '../../fixtures/samples.ts'
import { startServer } from '../http-server.ts'

const gzip = { 'accept-encoding': 'gzip, deflate, br' }

t.test('JSON that is worth it is gzip-encoded for who takes it, and for nobody else', async (t) => {
  const server = await startServer(t)
  for (const url of ['/v1/openapi.json', '/docs/openapi.json']) {
    const plain = await server.ask('GET', url)
    const coded = await server.ask('GET', url, { headers: gzip })
    t.match(plain.headers, { 'content-encoding': undefined, vary: /Accept-Encoding/ }, url)
    t.match(coded.headers, { 'content-encoding': 'gzip', 'content-length': String(coded.bytes.length), vary: /Accept-Encoding/ }, url)
    t.equal(gunzipSync(coded.bytes).toString(), plain.text)
    t.ok(coded.bytes.length < plain.bytes.length / 4)
    const none = await server.ask('GET', url, { headers: { 'accept-encoding': 'br, gzip;q=0' } })
    t.equal(none.text, plain.text)
  }
  t.notOk((await server.ask('GET', '/v1/users/me', { headers: gzip })).headers['content-encoding'], 'small answers stay as they are')
})

t.test('the encoded form has a strong tag of its own, and either tag yields 304', async (t) => {
  const server = await startServer(t)
  const url = '/v1/openapi.json'
  const { etag: plain = '' } = (await server.ask('GET', url)).headers
  const { etag: coded = '' } = (await server.ask('GET', url, { headers: gzip })).headers
  t.match(plain, /^"/)
  t.equal(coded, plain.replace(/"$/, '.gzip"'))
  for (const etag of [plain, coded]) {
    const unchanged = await server.ask('GET', url, { headers: { ...gzip, 'if-none-match': etag } })
    t.match(unchanged, { status: 304, text: '', headers: { etag, 'content-encoding': undefined } })
  }
})

t.test('a write may depend on what was read in either form', async (t) => {
  const server = await startServer(t)
  const url = `/v1/movies/${movie.id}`
  const { etag = '' } = (await server.ask('GET', url)).headers
  const write = (tag: string) => server.ask('PATCH', url, { body: {}, headers: { 'if-match': tag } })
  t.equal((await write(etag.replace(/"$/, '.gzip"'))).status, 200)
  t.equal((await write('"other.gzip"')).status, 412)
})

t.test('HEAD returns what GET would send', async (t) => {
  const server = await startServer(t)
  const url = '/docs/openapi.json'
  const { headers } = await server.ask('GET', url, { headers: gzip })
  const head = await server.ask('HEAD', url, { headers: gzip })
  t.match(head, { status: 200, text: '' })
  t.equal(head.headers['content-encoding'], headers['content-encoding'])
  t.equal(head.headers['content-length'], headers['content-length'])
})

t.test('the copy of the description for the documentation is made and encoded once, and its owner gets 304', async (t) => {
  const server = await startServer(t)
  t.equal((await server.ask('GET', '/docs/yaml')).status, 200)
  let made = 0
  const getSchemas = server.app.getSchemas.bind(server.app)
  server.app.getSchemas = () => {
    made++
    return getSchemas()
  }
  for (const url of ['/docs/openapi.json', '/docs/json']) {
    for (const headers of [{}, gzip, gzip]) {
      const { status, headers: given } = await server.anon('GET', url, { headers })
      t.equal(status, 200)
      const unchanged = await server.anon('GET', url, { headers: { ...headers, 'if-none-match': given['etag'] ?? '' } })
      t.match(unchanged, { status: 304, text: '', headers: { etag: given['etag'] } })
    }
  }
  t.equal(made, 1)
})
