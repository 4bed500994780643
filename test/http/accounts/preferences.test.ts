/** Preferences over the whole application on in-memory engines. */
import t, { type Test } from 'tap'
import { openNodeFixture } from '../../fixtures/node-fixture.ts'
import { serveNode } from '../../fixtures/serve-node.ts'

const URL = '/v1/users/me/preferences'

async function setUp(t: Test) {
  const node = await openNodeFixture(t)
  const app = await serveNode(t, node, { series: 'd' })
  const ann = await node.person()
  const send = (method: 'GET' | 'PUT', payload?: string, headers: Readonly<Record<string, string>> = {}) =>
    app.inject({
      method,
      url: URL,
      headers: {
        authorization: `Bearer ${ann.token}`,
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(payload === undefined ? {} : { payload }),
    })
  return { node, send, stranger: await node.person() }
}

t.test('what is put is what is read, member by member, with a strong tag that both answers have', async (t) => {
  const { send, stranger } = await setUp(t)
  const empty = await send('GET')
  t.equal(empty.body, '{}')
  t.match(empty.headers['etag'], /^"[\w-]{22}\.[\w-]{8}"$/)
  for (const json of [
    '{"a":[1,2.5,null,{"b":"ö \\" \\u2028"}],"__proto__":{"x":1},"toJSON":1,"constructor":"c","":true}',
    '{}',
    '{"a":"\\ud83d\\ude00"}',
  ]) {
    const put = await send('PUT', json)
    t.equal(put.statusCode, 200)
    const got = await send('GET')
    t.equal(got.body, JSON.stringify(JSON.parse(json)))
    t.match(put, { body: got.body, headers: { etag: got.headers['etag'], 'content-location': URL } })
    const known = { 'if-none-match': String(got.headers['etag']) }
    t.equal((await send('GET', undefined, known)).statusCode, 304)
    t.equal((await send('PUT', json, known)).statusCode, 200, 'a write is never answered as unchanged')
  }
  t.equal((await send('GET', undefined, { authorization: `Bearer ${stranger.token}` })).body, '{}')
})

t.test('what is no JSON object, or too large, is refused and changes nothing', async (t) => {
  const { send } = await setUp(t)
  await send('PUT', '{"kept":true}')
  for (const json of ['[]', 'null', '"text"', '5', 'true', JSON.stringify({ text: 'x'.repeat(16_384) })]) {
    const res = await send('PUT', json)
    t.match(res.json(), { error: 'Validation error', details: [{ path: '' }] }, json.slice(0, 20))
    t.equal(res.statusCode, 422)
  }
  t.equal((await send('PUT', '{"a":')).statusCode, 400)
  t.equal((await send('PUT', 'a=1', { 'content-type': 'application/x-www-form-urlencoded' })).statusCode, 415)
  t.equal((await send('GET')).body, '{"kept":true}')
})

t.test('a write that depends on what was read is refused once another one has changed it', async (t) => {
  const { send } = await setUp(t)
  const first = String((await send('GET')).headers['etag'])
  const put = await send('PUT', '{"n":1}', { 'if-match': first })
  t.equal(put.statusCode, 200)
  t.equal((await send('PUT', '{"n":2}', { 'if-match': first })).statusCode, 412)
  t.equal((await send('PUT', '{"n":2}', { 'if-match': `W/${put.headers['etag']}` })).statusCode, 412, 'a weak tag matches nothing')
  t.equal((await send('PUT', '{"n":2}', { 'if-match': String(put.headers['etag']) })).statusCode, 200, 'the tag of a write serves the next')
  t.equal((await send('PUT', '{"n":3}', { 'if-match': '*' })).statusCode, 200)
})

t.test('of several that write at the same time after the same read exactly one is taken', async (t) => {
  const { send } = await setUp(t)
  const etag = String((await send('GET')).headers['etag'])
  const answers = await Promise.all([1, 2, 3, 4].map((n) => send('PUT', `{"n":${n}}`, { 'if-match': etag })))
  const taken = answers.filter(({ statusCode }) => statusCode === 200)
  t.equal(taken.length, 1)
  t.equal(answers.filter(({ statusCode }) => statusCode === 412).length, 3)
  t.equal((await send('GET')).body, taken[0]?.body)
})
