/** Accounts that change while requests on them run. */
import t, { type Test } from 'tap'
import { KeyDestroyed } from '../../../src/ports/vault.ts'
import { openNodeFixture } from '../../fixtures/node-fixture.ts'
import { ann as annCaller, ANN_TOKEN } from '../../fixtures/samples.ts'
import { serveNode } from '../../fixtures/serve-node.ts'
import { startServer } from '../http-server.ts'

async function setUp(t: Test) {
  const node = await openNodeFixture(t)
  const app = await serveNode(t, node)
  const [admin, ann] = [await node.person({ role: 'admin' }), await node.person()]
  const send = (
    method: 'GET' | 'PATCH' | 'DELETE' | 'PUT',
    url: string,
    payload?: object,
    headers: Readonly<Record<string, string>> = {},
  ) => app.inject({ method, url, headers: { authorization: `Bearer ${admin.token}`, ...headers }, ...(payload ? { payload } : {}) })
  return { node, app, send, admin, ann, url: `/v1/users/${ann.caller.userId}` }
}

t.test('of several who change an account that they have read one succeeds', async (t) => {
  const { send, ann, url } = await setUp(t)
  for (const [path, token] of [
    [url, undefined],
    ['/v1/users/me', ann.token],
  ] as const) {
    const as = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const etag = String((await send('GET', path, undefined, as)).headers['etag'])
    const answers = await Promise.all(
      ['A', 'B', 'C'].map((name) => send('PATCH', path, { name: `${name} of ${path}` }, { ...as, 'if-match': etag })),
    )
    t.strictSame(
      answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b),
      [200, 412, 412],
      path,
    )
  }
  const etag = String((await send('GET', url)).headers['etag'])
  t.equal((await send('PATCH', url, { libraryAccess: 'selected' }, { 'if-match': etag })).statusCode, 200)
  t.equal((await send('DELETE', url, undefined, { 'if-match': etag })).statusCode, 412, 'what was read is no longer so')
  t.equal((await send('GET', url)).statusCode, 200)
})

t.test('a refused change leaves the administrator’s seat and the address as they were', async (t) => {
  const { node, send, admin } = await setUp(t)
  const other = await node.person({ role: 'admin' })
  await node.adminSeats.recover([admin.caller.userId, other.caller.userId])
  const url = `/v1/users/${other.caller.userId}`
  const stale = String((await send('GET', url)).headers['etag'])
  t.equal((await send('PATCH', url, { name: 'Other' })).statusCode, 200)
  const wanted = { role: 'user', email: 'next@example.org' }
  t.equal((await send('PATCH', url, wanted, { 'if-match': stale })).statusCode, 412)
  t.equal((await send('PATCH', url, wanted)).statusCode, 200)
  t.equal((await send('PATCH', `/v1/users/${admin.caller.userId}`, { role: 'user' })).statusCode, 409, 'the last one')
})

t.test('a request on an account that is erased meanwhile is answered as on one that never was', async (t) => {
  const erased = async (): Promise<never> => {
    throw new KeyDestroyed(annCaller.userId)
  }
  const server = await startServer(t, { services: (services) => ({ ...services, users: { ...services.users, change: erased } }) })
  const asked = { body: { name: 'Ann' } }
  t.equal((await server.ask('PATCH', `/v1/users/${annCaller.userId}`, asked)).status, 404)
  const byAnn = { ...asked, headers: { authorization: `Bearer ${ANN_TOKEN}` } }
  t.match(await server.ask('PATCH', '/v1/users/me', byAnn), { status: 401, text: '{"error":"This account was erased"}' })
})
