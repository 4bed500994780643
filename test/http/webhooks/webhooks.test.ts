import t from 'tap'
import { ANN_TOKEN } from '../../fixtures/samples.ts'
import { FAKE_SECRET, fakeDelivery, fakeWebhook } from '../../fixtures/fake-services/webhooks.ts'
import { startServer } from '../http-server.ts'

const URL = '/v1/admin/webhooks'
const ONE = `${URL}/${fakeWebhook.id}`
const BODY = { url: 'https://hooks.example.org/marquee', events: ['movie.added', 'scan.*'] }

t.test('the secret is in the answer that creates the webhook, and in no other', async (t) => {
  const server = await startServer(t)
  const added = await server.ask('POST', URL, { body: { ...BODY, secret: FAKE_SECRET } })
  t.match(added, { status: 201, headers: { location: ONE } })
  t.match(added.json(), { id: fakeWebhook.id, events: BODY.events, template: 'json', enabled: true, secret: FAKE_SECRET })
  const others = [
    await server.ask('GET', URL),
    await server.ask('GET', ONE),
    await server.ask('PATCH', ONE, { body: { secret: FAKE_SECRET } }),
    await server.ask('POST', `${ONE}/test`),
    await server.ask('GET', `${ONE}/deliveries`),
  ]
  for (const answer of others) {
    t.equal(answer.status, 200, answer.text)
    t.notMatch(answer.text, /secret|whsec/)
  }
})

t.test('a repeated request with the same key gets the first answer, secret included', async (t) => {
  const server = await startServer(t)
  const headers = { 'idempotency-key': 'one' }
  const first = await server.ask('POST', URL, { body: BODY, headers })
  const second = await server.ask('POST', URL, { body: BODY, headers })
  t.equal(second.headers['idempotency-replayed'], 'true')
  t.equal(second.text, first.text)
})

t.test('what is no webhook is refused with its path', async (t) => {
  const server = await startServer(t)
  const refused = async (body: object) => {
    const answer = await server.ask('POST', URL, { body: { ...BODY, ...body } })
    t.equal(answer.status, 422, JSON.stringify(body))
    return answer.json<{ details: { path: string }[] }>().details.map(({ path }) => path)
  }
  t.strictSame(await refused({ url: '' }), ['url'])
  t.strictSame(await refused({ url: 'http://127.0.0.1/' }), ['url'])
  t.strictSame(await refused({ events: [] }), ['events'])
  t.strictSame(await refused({ events: ['movie added'] }), ['events.0'])
  t.strictSame(await refused({ template: 'xml' }), ['template'])
})

t.test('a webhook is changed, tested and removed; one that does not exist is not found', async (t) => {
  const server = await startServer(t)
  t.match((await server.ask('PATCH', ONE, { body: { enabled: false } })).json(), { enabled: false, disabledBecause: 'asked' })
  t.strictSame((await server.ask('POST', `${ONE}/test`)).json(), { delivered: false, status: 500, reason: 'answered 500' })
  t.match(await server.ask('DELETE', ONE), { status: 204, text: '' })
  const unknown = `${URL}/zzzzzzzzzzzzzzzzzzzzz`
  t.equal((await server.ask('GET', unknown)).status, 404)
  t.equal((await server.ask('PATCH', unknown, { body: { enabled: true } })).status, 404)
  t.equal((await server.ask('DELETE', unknown)).status, 404)
  t.equal((await server.ask('POST', `${unknown}/test`)).status, 404)
})

t.test('deliveries are listed by their state, with the reason of a failure, and a parked one is tried again', async (t) => {
  const server = await startServer(t)
  const { items } = (await server.ask('GET', `${ONE}/deliveries?state=parked`)).json<{ items: object[] }>()
  t.match(items, [{ id: fakeDelivery.id, kind: 'movie.added', seq: '7', state: 'parked', tries: 20, status: 500, reason: 'answered 500' }])
  t.strictSame((await server.ask('GET', `${ONE}/deliveries?state=pending`)).json(), { items: [], nextCursor: null })
  t.equal((await server.ask('GET', `${ONE}/deliveries?state=lost`)).status, 422)
  t.match(await server.ask('POST', `${ONE}/deliveries/${fakeDelivery.id}/retry`), { status: 202, text: '' })
  t.equal((await server.ask('POST', `${ONE}/deliveries/zzzzzzzzzzzzzzzzzzzzz/retry`)).status, 404)
})

t.test('only administrators reach webhooks', async (t) => {
  const server = await startServer(t)
  const asAnn = { headers: { authorization: `Bearer ${ANN_TOKEN}` } }
  for (const [method, url] of [
    ['GET', URL],
    ['POST', URL],
    ['GET', `${ONE}/deliveries`],
  ] as const) {
    t.equal((await server.anon(method, url)).status, 401)
    t.equal((await server.anon(method, url, asAnn)).status, 403)
  }
})
