import t from 'tap'
import { redact } from '../../../src/http/server/redaction.ts'
import { admin, ADMIN_TOKEN, idOf, session, STREAM_TOKEN } from '../../fixtures/samples.ts'
import { startServer } from '../http-server.ts'

const SECRET = 'S3cretS3cretS3cret'
const HMAC = '0f'.repeat(32)

t.test('a token is redacted however it is spelled', (t) => {
  for (const text of [
    `/api/stream/x/master.m3u8?token=${SECRET}`,
    `?a=1&token=${SECRET}&b=2`,
    `?TOKEN=${SECRET}`,
    `?%74oken=${SECRET}`,
    `?%74%6F%6b%65%6E=${SECRET}`,
    `?%54OKEN=${SECRET}`,
    `?token%3D${SECRET}`,
    `%3Ftoken%3d${SECRET}`,
    `?%2574oken=${SECRET}`,
    `;token=${SECRET}`,
    `#token=${SECRET}`,
    `session_token=${SECRET}; Path=/`,
    `{"token":"${SECRET}"}`,
    `{\\"streamToken\\":\\"${SECRET}\\"}`,
    `{"authorization":"Basic ${SECRET}"}`,
    `Authorization: Bearer ${SECRET}`,
    `authorization: bearer ${SECRET}`,
    `{"password": "${SECRET}"}`,
    `{"cookie":"a=b; session_token=${SECRET}"}`,
  ]) {
    t.notMatch(redact(text), SECRET, text)
    t.match(redact(text), '[redacted]', text)
  }
  for (const token of [STREAM_TOKEN, STREAM_TOKEN.replaceAll(':', '%3A')]) t.notMatch(redact(`the URL with ${token} in it`), HMAC)
  t.end()
})

t.test('what is no secret stays, also around one', (t) => {
  t.equal(redact(`/a?x=1&token=${SECRET}&y=2`), '/a?x=1&token=[redacted]&y=2')
  for (const text of ['{"level":30,"path":"/v1/movies","ms":1.5}', 'tokens are counted', 'Film: The Token (1999)'])
    t.equal(redact(text), text)
  t.end()
})

t.test('each request is one line: method, path without its query, status, time, request and user', async (t) => {
  const server = await startServer(t)
  for (const [url, status, userId] of [
    ['/v1/movies?limit=5&q=private', 200, admin.userId],
    [`/v1/movies/${idOf('unknown')}`, 404, admin.userId],
    [`/api/stream/${session.id}/master.m3u8`, 200, admin.userId],
    ['/nothing#x', 404, admin.userId],
  ] as const) {
    server.lines.length = 0
    const res = await server.ask('GET', url)
    t.equal(server.lines.length, 1, url)
    const line = JSON.parse(server.lines[0] ?? '')
    t.match(line, {
      level: 30,
      method: 'GET',
      path: url.split(/[?#]/)[0],
      status,
      ms: Number,
      userId,
      requestId: res.headers['x-request-id'],
      msg: 'request',
    })
  }
})

t.test('signing in names the user in its line, and no password', async (t) => {
  const server = await startServer(t)
  await server.anon('POST', '/api/auth/sign-in/email', { body: { email: 'admin@localhost', password: 'right' } })
  t.match(JSON.parse(server.lines[0] ?? ''), { userId: admin.userId })
  t.notMatch(server.lines.join(), /right|localhost"/)
})

t.test('no token reaches a line: not from query, header, cookie, path or the text of an error', async (t) => {
  const server = await startServer(t, {
    services: (services) => ({
      ...services,
      libraries: {
        ...services.libraries,
        list: () => Promise.reject(new Error(`GET /x?token=${SECRET} with Bearer ${SECRET} failed`, { cause: STREAM_TOKEN })),
      },
    }),
  })
  await server.anon('GET', `/api/stream/${session.id}/master.m3u8?token=${STREAM_TOKEN}`)
  await server.anon('GET', `/api/stream/${session.id}/master.m3u8?%74oken=${SECRET}`)
  await server.anon('GET', `/v1/movies?TOKEN=${SECRET}`, { headers: { cookie: `session_token=${SECRET}` } })
  await server.anon('GET', `/v1/movies%3Ftoken=${SECRET}`)
  await server.anon('GET', `/v1/%zz?token=${SECRET}`)
  t.equal((await server.ask('GET', '/v1/libraries')).status, 500)
  const log = server.lines.join('\n')
  t.equal(server.lines.length, 6)
  for (const secret of [SECRET, HMAC, ADMIN_TOKEN]) t.notMatch(log, secret)
  t.match(log, /request failed/)
})

t.test('a refusal is no failure: its line is like any other', async (t) => {
  const server = await startServer(t)
  await server.anon('GET', '/v1/movies')
  await server.anon('POST', '/api/auth/sign-in/email', { raw: '{', headers: { 'content-type': 'application/json' } })
  t.strictSame(
    server.lines.map((line) => JSON.parse(line).level),
    [30, 30],
  )
})
