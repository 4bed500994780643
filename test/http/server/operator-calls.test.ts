/** The API for the command line, on a whole node. */
import fastify from 'fastify'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import t, { type Test } from 'tap'
import { addOperatorCalls } from '../../../src/http/server/operator-calls.ts'
import { operatorCaller } from '../../../src/app/operator/operator-caller.ts'
import type { ApiAnswer, ApiAsk } from '../../../src/app/operator/operator-commands.ts'
import { isRefusal, type Refusal } from '../../../src/domain/refusal.ts'
import { createTestIds } from '../../../src/adapters/memory/ids.ts'
import { allowed, openNodeFixture, type NodeFixture } from '../../fixtures/node-fixture.ts'
import { serveNode } from '../../fixtures/serve-node.ts'

const never = new AbortController().signal

interface Opened {
  readonly node: NodeFixture
  readonly call: (method: ApiAsk['method'], path: string, body?: unknown) => Promise<ApiAnswer | Refusal>
}

async function open(t: Test, options: Parameters<typeof serveNode>[2] = {}): Promise<Opened> {
  const node = await openNodeFixture(t)
  await node.person({ role: 'admin' })
  const app = await serveNode(t, node, options)
  const caller = allowed(operatorCaller(node.access, createTestIds({ series: 'o' })))
  return {
    node,
    call: (method, path, body) =>
      app.callAsOperator({ method, path, body: body === undefined ? null : JSON.stringify(body) }, caller, never),
  }
}

/** The status and the parsed body. */
async function answerOf(answering: Promise<ApiAnswer | Refusal>): Promise<{ readonly status: number; readonly json: unknown }> {
  const answer = await answering
  if (isRefusal(answer)) throw new Error(answer.message)
  return { status: answer.status, json: answer.body === '' ? undefined : JSON.parse(answer.body) }
}

t.test('reads and changes what an administrator may, without a login', async (t) => {
  const { node, call } = await open(t)
  const logins = node.access.logins.size
  t.match(await answerOf(call('GET', '/v1/users')), { status: 200, json: { items: [{ role: 'admin' }] } })
  const made = await answerOf(call('POST', '/v1/libraries', { name: 'Films', paths: ['/films'] }))
  t.match(made, { status: 201, json: { name: 'Films' } })
  t.equal(node.access.logins.size, logins)
})

t.test('its events have the command line as their actor, as those of its other commands', async (t) => {
  const { node, call } = await open(t)
  await node.operators.addLibrary({ name: 'By command', paths: ['/a'] })
  await call('POST', '/v1/libraries', { name: 'By request', paths: ['/b'] })
  const { json } = await answerOf(call('GET', '/v1/audit?type=LibraryCreated'))
  const actor = { kind: 'cli', id: null, ip: null, client: null }
  t.match(json, { items: [{ actor }, { actor }] })
})

t.test('reading the history of whom it runs as is recorded, and lines of JSON are an answer', async (t) => {
  const { call } = await open(t)
  t.match(await answerOf(call('GET', '/v1/history')), { status: 200 })
  const { json } = await answerOf(call('GET', '/v1/audit?type=HistoryViewed'))
  t.match(json, { items: [{ actor: { kind: 'cli' } }] })
  t.match(await call('GET', '/v1/users/me/export'), { status: 200, body: /^\{.*\}\n/ })
})

t.test('its requests have no limit a minute', async (t) => {
  const { call } = await open(t, { rateLimit: 2 })
  const statuses = new Set<number>()
  for (let n = 0; n < 5; n++) statuses.add((await answerOf(call('GET', '/v1/libraries'))).status)
  t.strictSame([...statuses], [200])
})

t.test('errors of a route are answers', async (t) => {
  const { call } = await open(t)
  t.match(await answerOf(call('GET', '/v1/nothing')), { status: 404, json: { error: /./ } })
  t.match(await answerOf(call('GET', '/v1/movies?limit=a')), { status: 422, json: { details: [{ path: 'limit' }] } })
})

t.test('streams, files, sessions and what concerns the own login are refused', async (t) => {
  const { node, call } = await open(t)
  const id = 'a'.repeat(21)
  for (const path of ['/api/events', `/api/stream/${id}/master.m3u8`, `/api/stream/${id}/file`])
    t.match(await answerOf(call('GET', path)), { status: 403, json: { error: /use HTTP/ } }, path)
  t.match(await answerOf(call('POST', '/v1/playback/sessions', { movieId: id })), { status: 403, json: { error: /`play`/ } })
  t.match(await answerOf(call('GET', '/api/auth/list-sessions')), { status: 403, json: { error: /login/ } })
  t.match(await call('GET', '/v1/speedtest?bytes=1000'), { refusal: 'invalid', message: /use HTTP/ })
  t.equal(node.access.sessions.size, 0)
})

t.test('the token of a call ends with the call', async (t) => {
  const ids = createTestIds()
  const node = await openNodeFixture(t)
  await node.person({ role: 'admin' })
  const app = fastify().withTypeProvider<TypeBoxTypeProvider>()
  const operators = addOperatorCalls(app, ids)
  app.route({
    method: 'GET',
    url: '/v1/seen',
    handler: async (request) => ({ header: request.headers.authorization, isOperator: operators.callerOf(request) !== undefined }),
  })
  const caller = allowed(operatorCaller(node.access, ids))
  const { json } = await answerOf(app.callAsOperator({ method: 'GET', path: '/v1/seen', body: null }, caller, never))
  t.match(json, { header: /^Bearer ./, isOperator: true })
  const { header } = json as { readonly header: string }
  const after = await app.inject({ url: '/v1/seen', headers: { authorization: header } })
  t.strictSame(after.json(), { header, isOperator: false })
  await app.close()
})

t.test('an answer that is too long is refused', async (t) => {
  const ids = createTestIds()
  const node = await openNodeFixture(t)
  await node.person({ role: 'admin' })
  const app = fastify().withTypeProvider<TypeBoxTypeProvider>()
  addOperatorCalls(app, ids)
  app.route({ method: 'GET', url: '/v1/long', handler: async () => ({ text: 'x'.repeat(8 * 1024 * 1024) }) })
  const caller = allowed(operatorCaller(node.access, ids))
  const answer = await app.callAsOperator({ method: 'GET', path: '/v1/long', body: null }, caller, never)
  t.match(answer, { refusal: 'invalid', message: /longer than 7 MB/ })
  await app.close()
})
