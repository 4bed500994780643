import t from 'tap'
import { named } from '../../fixtures/names.ts'
import { openNodeFixture, ORIGIN, type NodeFixture } from '../../fixtures/node-fixture.ts'

const denials = async (node: NodeFixture) => (await node.events()).filter(({ type }) => type === 'AccessDenied')

t.test('a refused call is in the audit at once', async (t) => {
  const node = await openNodeFixture(t)
  const { caller } = await node.person()
  await node.accessRecords.denied(caller, 'GET /v1/users', { ...ORIGIN, requestId: named('request7') })
  const { items } = await node.auditLog.list({ type: 'AccessDenied' }, 'desc', { limit: 10 })
  t.match(items, [
    {
      actor: { kind: 'user', id: caller.userId, ip: ORIGIN.address },
      target: { kind: 'server', id: null },
      requestId: named('request7'),
      changes: [{ path: 'operation', from: null, to: 'GET /v1/users' }, {}],
    },
  ])
  t.equal(items.length, 1)
})

t.test('who is refused too often fills no log: the surplus is counted by one event', async (t) => {
  const node = await openNodeFixture(t)
  const { caller } = await node.person()
  for (let n = 0; n < 200; n++) await node.accessRecords.denied(caller, 'GET /v1/users', ORIGIN)
  t.equal((await denials(node)).length, 60)
  await node.clock.advance(61_000)
  await node.seen()
  const all = await denials(node)
  t.equal(all.length, 61)
  t.match(all.at(-1)?.data, { times: 140 })
  const { caller: other } = await node.person()
  await node.accessRecords.denied(other, 'GET /v1/users', ORIGIN)
  t.equal((await denials(node)).length, 62, 'others have a budget of their own')
})
