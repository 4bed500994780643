import t from 'tap'
import { flushRecords } from '../../../src/wiring/flush-records.ts'
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

t.test('what was only counted is written down at a stop', async (t) => {
  const node = await openNodeFixture(t)
  const { caller } = await node.person()
  for (let n = 0; n < 70; n++) await node.accessRecords.denied(caller, 'GET /v1/users', ORIGIN)
  await flushRecords(node)
  t.match((await denials(node)).at(-1)?.data, { times: 10 })
  await node.clock.advance(120_000)
  t.equal((await denials(node)).length, 61)
})

t.test("an administrator's look at the audit of somebody else is on record, a look at the own acts is not", async (t) => {
  const node = await openNodeFixture(t)
  const [{ caller: admin }, { caller: ann }] = [await node.person({ role: 'admin' }), await node.person()]
  const asked = { operation: 'GET /v1/audit', origin: ORIGIN }
  const library = await node.newLibrary('/films')
  for (const filter of [{ actorId: admin.userId }, { targetId: admin.userId }, { actorId: admin.userId, targetId: ann.userId }])
    await node.recordAuditLook(admin, filter, asked)
  t.strictSame(await looks(node), [])
  for (const filter of [
    { actorId: ann.userId },
    { targetId: ann.userId },
    { actorId: ann.userId, targetId: admin.userId },
    { targetId: library },
    {},
  ])
    await node.recordAuditLook(admin, filter, asked)
  const userIds = [ann.userId, ann.userId, ann.userId, null, null]
  t.strictSame(
    await looks(node),
    userIds.map((userId) => ({ userId, operation: 'GET /v1/audit', times: 1 })),
  )
  for (let n = 0; n < 100; n++) await node.recordAuditLook(admin, {}, asked)
  t.equal((await looks(node)).length, 60)
  await node.clock.advance(60_000)
  await node.seen()
  t.match((await looks(node)).slice(60), [{ userId: null, times: 45 }])
})

t.test('who follows everybody is on record once an hour for each login', async (t) => {
  const node = await openNodeFixture(t)
  const { caller: admin } = await node.person({ role: 'admin' })
  const look = { userId: null, operation: 'GET /api/events' }
  const follow = async ({ loginId } = admin) => node.accessRecords.followed({ ...admin, loginId }, look, ORIGIN)
  for (let n = 0; n < 3; n++) await follow()
  t.strictSame(await looks(node), [{ ...look, times: 1 }])
  await follow((await node.login(admin.userId)).caller)
  t.equal((await looks(node)).length, 2, 'another login')
  await node.accessRecords.followed(admin, { ...look, operation: 'GET /v1/audit/tile/entries' }, ORIGIN)
  t.equal((await looks(node)).length, 3, 'another operation')
  await node.clock.advance(3_600_000)
  for (let n = 0; n < 3; n++) await follow()
  t.equal((await looks(node)).length, 4)
})

const looks = async (node: NodeFixture) => (await node.events()).flatMap(({ type, data }) => (type === 'HistoryViewed' ? [data] : []))
