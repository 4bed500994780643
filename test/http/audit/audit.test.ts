import t from 'tap'
import { ANN_TOKEN } from '../../fixtures/samples.ts'
import { named } from '../../fixtures/names.ts'
import { startServer } from '../http-server.ts'

t.test('an administrator walks through the audit log', async (t) => {
  const server = await startServer(t)
  const first = await server.ask('GET', '/v1/audit?limit=3')
  t.equal(first.status, 200)
  const { items, nextCursor } = first.json() as { items: { seq: number }[]; nextCursor: string }
  t.strictSame(
    items.map(({ seq }) => seq),
    [1, 2, 3],
  )
  const second = (await server.ask('GET', `/v1/audit?limit=3&cursor=${nextCursor}`)).json() as {
    items: { seq: number }[]
    nextCursor: null
  }
  t.strictSame([second.items.map(({ seq }) => seq), second.nextCursor], [[4, 5], null])
  t.equal((await server.ask('GET', `/v1/audit?order=asc&cursor=${nextCursor}`)).status, 422, 'the cursor is of another order')
})

t.test('a look at the audit of others is recorded once, before its first page', async (t) => {
  const looks: unknown[] = []
  const server = await startServer(t, {
    services: (services) => ({
      ...services,
      recordAuditLook: async ({ userId }, filter, { operation }) => void looks.push([userId, filter, operation]),
    }),
  })
  const { nextCursor } = (await server.ask('GET', `/v1/audit?limit=3&actorId=${named('ann')}`)).json<{ nextCursor: string }>()
  await server.ask('GET', `/v1/audit?limit=3&actorId=${named('ann')}&cursor=${nextCursor}`)
  await server.anon('GET', '/v1/audit', { headers: { authorization: `Bearer ${ANN_TOKEN}` } })
  t.strictSame(looks, [[named('admin'), { actorId: named('ann') }, 'GET /v1/audit']])
})

t.test('what cannot be asked for is a validation error', async (t) => {
  const server = await startServer(t)
  for (const [query, path] of [
    ['type=Nothing', 'type'],
    ['order=up', 'order'],
    ['from=yesterday', 'from'],
    ['to=2016-12-31T23:59:60Z', 'to'],
    ['from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', 'from'],
  ] as const) {
    const answer = await server.ask('GET', `/v1/audit?${query}`)
    t.match([answer.status, answer.json()], [422, { details: [{ path }] }], query)
  }
  for (const [url, path] of [
    ['proof?seq=6&size=5', 'seq'],
    ['proof?seq=1&size=6', 'size'],
    ['proof?seq=0&size=5', 'seq'],
    ['consistency?from=5&to=4', 'from'],
    ['consistency?from=1&to=6', 'to'],
  ] as const) {
    const answer = await server.ask('GET', `/v1/audit/${url}`)
    t.match([answer.status, answer.json()], [422, { details: [{ path }] }], url)
  }
})

t.test('a checkpoint is plain text and verifies; one that was changed does not', async (t) => {
  const server = await startServer(t)
  const answer = await server.ask('GET', '/v1/audit/checkpoint')
  t.match(answer.headers['content-type'], /^text\/plain/)
  const note = answer.text
  const verdict = async (checkpoint: string) => (await server.ask('POST', '/v1/audit/verify', { body: { checkpoint } })).json()
  t.match(await verdict(note), { valid: true, reason: null, size: 5 })
  t.match(await verdict(note.replace('\n5\n', '\n4\n')), { valid: false, reason: 'bad_signature', size: null })
  t.match((await server.ask('GET', '/v1/audit/key')).text, /^marquee\/[0-9a-f]{16}\+[0-9a-f]{8}\+[A-Za-z0-9+/]+=*\n$/)
})

t.test('nobody else reads any of it', async (t) => {
  const server = await startServer(t)
  for (const path of ['', '/checkpoint', '/key', '/proof?seq=1&size=5', '/consistency?from=1&to=5']) {
    t.equal((await server.anon('GET', `/v1/audit${path}`, { headers: { authorization: `Bearer ${ANN_TOKEN}` } })).status, 403, path)
    t.equal((await server.anon('GET', `/v1/audit${path}`)).status, 401, path)
  }
})

t.test('who reads entries through tiles is on record, as with any other look at everybody; hashes tell nothing', async (t) => {
  const looks: unknown[] = []
  const server = await startServer(t, {
    services: (services) => ({
      ...services,
      accessRecords: { ...services.accessRecords, followed: async (_, look) => void looks.push(look) },
      auditTiles: { get: async ({ width }) => (width === 5 ? new Uint8Array(width) : undefined) },
    }),
  })
  for (const path of ['0/000.p/5', 'entries/000', 'x']) await server.ask('GET', `/v1/audit/tile/${path}`)
  t.strictSame(looks, [], 'nothing was read')
  t.equal((await server.ask('GET', '/v1/audit/tile/entries/000.p/5')).status, 200)
  t.strictSame(looks, [{ userId: null, operation: 'GET /v1/audit/tile/entries' }])
})

t.test('tiles of the tree are bytes, under the paths of the standard', async (t) => {
  const server = await startServer(t)
  const tile = await server.ask('GET', '/v1/audit/tile/0/000.p/5')
  t.match([tile.status, tile.headers['content-type'], tile.bytes.length], [200, 'application/octet-stream', 5 * 32])
  for (const path of ['0/000', '0/000.p/6', '0/0', 'x', '0/..%2f..%2f000', ''])
    t.equal((await server.ask('GET', `/v1/audit/tile/${path}`)).status, 404, path)
  t.equal((await server.anon('GET', '/v1/audit/tile/0/000.p/5')).status, 401)
  t.equal((await server.anon('GET', '/v1/audit/tile/0/000.p/5', { headers: { authorization: `Bearer ${ANN_TOKEN}` } })).status, 403)
})
