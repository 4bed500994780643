import t from 'tap'
import { ADMIN_TOKEN, ANN_TOKEN } from '../../fixtures/samples.ts'
import { startServer } from '../http-server.ts'

const URL = '/v1/speedtest'
const upload = (raw: Buffer, type = 'application/octet-stream') => ({ raw, headers: { 'content-type': type } })

t.test('down: exactly so many random bytes, kept by nobody', async (t) => {
  const server = await startServer(t, { config: { speedtestRateLimit: 100 } })
  const [a, b] = [await server.ask('GET', `${URL}?bytes=600000`), await server.ask('GET', `${URL}?bytes=600000`)]
  t.match(a, {
    status: 200,
    headers: { 'content-type': 'application/octet-stream', 'content-length': '600000', 'cache-control': 'no-store', etag: undefined },
  })
  t.equal(a.bytes.length, 600_000)
  t.notOk(a.bytes.equals(b.bytes))
  t.equal((await server.ask('GET', URL)).bytes.length, 10_000_000)
  for (const bytes of ['0', '100000001', '-1', '1.5', '', 'x'])
    t.equal((await server.ask('GET', `${URL}?bytes=${bytes}`)).status, 422, bytes)
  t.equal((await server.anon('GET', URL)).status, 401)
})

t.test('up: returns how many bytes came and how fast; 1 MB at most', async (t) => {
  const server = await startServer(t, { config: { speedtestRateLimit: 100 } })
  const full = await server.ask('POST', URL, upload(Buffer.alloc(1_048_576)))
  t.match(full, { status: 200 })
  t.match(full.json(), { bytes: 1_048_576, seconds: Number, bitsPerSecond: Number })
  t.strictSame((await server.ask('POST', URL)).json(), { bytes: 0, seconds: 0, bitsPerSecond: 0 })
  t.equal((await server.ask('POST', URL, upload(Buffer.alloc(1_048_577)))).status, 413)
  t.equal((await server.ask('POST', URL, upload(Buffer.from('{}'), 'application/json'))).status, 415)
  const coded = await server.ask('POST', URL, {
    raw: Buffer.from('x'),
    headers: { 'content-type': 'application/octet-stream', 'content-encoding': 'gzip' },
  })
  t.equal(coded.status, 400)
})

t.test('three a minute for each user, up and down together, apart from all other requests; HEAD is free', async (t) => {
  const server = await startServer(t, { config: { rateLimit: 5 } })
  const down = () => server.ask('GET', `${URL}?bytes=10`)
  t.match((await down()).headers, { 'ratelimit-policy': '"speedtest";q=3;w=60', ratelimit: '"speedtest";r=2;t=60' })
  t.equal((await server.ask('POST', URL, upload(Buffer.alloc(10)))).status, 200)
  t.equal((await down()).status, 200)
  for (const refused of [await down(), await server.ask('POST', URL, upload(Buffer.alloc(10)))])
    t.match(refused, { status: 429, text: '{"error":"Too many requests"}', headers: { 'retry-after': '60' } })
  for (let n = 0; n < 9; n++) t.match(await server.ask('HEAD', `${URL}?bytes=10`), { status: 200, headers: { 'content-length': '10' } })
  t.match((await server.ask('GET', '/v1/movies')).headers, { ratelimit: '"default";r=4;t=60' })
  t.equal((await server.anon('GET', `${URL}?bytes=1`, { headers: { authorization: `Bearer ${ANN_TOKEN}` } })).status, 200, 'another user')
  t.equal((await server.anon('GET', `${URL}?bytes=1`, { headers: { cookie: `session_token=${ADMIN_TOKEN}` } })).status, 429, 'the same one')
  await server.clock.advance(60_000)
  t.equal((await down()).status, 200)
})
