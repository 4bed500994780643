import t from 'tap'
import { noteKey, openedCheckpoint } from '../../../src/app/audit/signed-note.ts'
import { erasureOf } from '../../../src/domain/accounts/erasure.ts'
import { isRefusal } from '../../../src/domain/refusal.ts'
import { leafHash, rootByInclusion } from '../../../src/events/merkle-tree.ts'
import { allowed, openNodeFixture, ORIGIN } from '../../fixtures/node-fixture.ts'
import { named } from '../../fixtures/names.ts'

t.test('the receipt of an erasure proves without the server that the key was destroyed', async (t) => {
  const node = await openNodeFixture(t)
  const [admin, { caller }] = [await node.person({ role: 'admin' }), await node.person()]
  allowed(await node.users.erase(admin.caller, caller.userId, ORIGIN))
  const receipt = allowed(await node.erasureReceipts.get(erasureOf(caller.userId)))
  t.match(receipt, { subject: caller.userId, keyId: caller.userId, erasedAt: new Date(node.clock.now()).toISOString() })
  const tree = openedCheckpoint(receipt.checkpoint, [noteKey(await node.cluster.vault.secret('checkpoint-key'))])
  if (typeof tree === 'string') throw new Error(tree)
  const root = rootByInclusion(receipt.seq - 1, tree.size, { hash: leafHash(receipt.entry), path: receipt.hashes })
  t.strictSame(root && Buffer.from(root), Buffer.from(tree.root))
  t.match(JSON.parse(receipt.entry), { type: 'KeyShredded', data: { userId: caller.userId } })
  await node.person()
  await node.seen()
  t.match(await node.checkpoints.verify(receipt.checkpoint), { valid: true }, 'the log still begins with it')
})

t.test('an erased person is "erased user" in the audit, and no address, name or e-mail can be read', async (t) => {
  const node = await openNodeFixture(t)
  const [admin, { caller }] = [await node.person({ role: 'admin' }), await node.person()]
  await node.accessRecords.denied(caller, 'GET /v1/users', { ...ORIGIN, address: '192.0.2.99', client: 'Canary/1.0' })
  const listed = async () => JSON.stringify((await node.auditLog.list({ actorId: caller.userId }, 'desc', { limit: 100 })).items)
  t.match(await listed(), /192\.0\.2\.99/)
  allowed(await node.users.erase(admin.caller, caller.userId, ORIGIN))
  t.notMatch(await listed(), /192\.0\.2\.99|Canary|Somebody/)
  t.match(await listed(), /erased user/)
  const { items } = await node.auditLog.list({ targetId: caller.userId, type: 'UserRegistered' }, 'desc', { limit: 1 })
  t.match(
    items[0]?.changes.find(({ path }) => path === 'email'),
    { to: null },
  )
})

t.test('after a crash between the erasure and the key, the next attempt does the rest', async (t) => {
  const node = await openNodeFixture(t)
  const { caller } = await node.person()
  const destroyKey = node.cluster.vault.destroyKey.bind(node.cluster.vault)
  node.cluster.vault.destroyKey = async () => {
    throw new Error('crash')
  }
  await t.rejects(node.accountChanges.erase(caller.userId, { actor: 'cli', command: 'eraseUser' }), { message: 'crash' })
  node.cluster.vault.destroyKey = destroyKey
  for (let n = 0; n < 60 && isRefusal(await node.erasureReceipts.get(erasureOf(caller.userId))); n++) await node.clock.advance(1_000)
  t.notOk(isRefusal(await node.erasureReceipts.get(erasureOf(caller.userId))), 'the reactors have done it')
  t.equal(await node.cluster.vault.key(caller.userId), undefined)
  t.equal((await node.events()).filter(({ type }) => type === 'KeyShredded').length, 1)
})

t.test('there is no receipt of what did not happen', async (t) => {
  const node = await openNodeFixture(t)
  const { caller } = await node.person()
  for (const id of [erasureOf(caller.userId), named('nothing'), 'x', '../x'])
    t.match(await node.erasureReceipts.get(id), { refusal: 'not-found' })
})
