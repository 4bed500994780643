/** Erasures over HTTP, on a real node. */
import t from 'tap'
import { noteKey, openedCheckpoint } from '../../../src/app/audit/signed-note.ts'
import { leafHash, rootByInclusion } from '../../../src/events/merkle-tree.ts'
import { allowed, createCluster, ORIGIN } from '../../fixtures/node-fixture.ts'
import { openNode } from '../server/two-nodes.ts'

const PASSWORD = 'correct horse'
const AUTHOR = { actor: 'cli', command: 'test' }

interface Answer {
  readonly id: string
  readonly receipt: { readonly checkpoint: string; readonly entry: string; readonly seq: number; readonly hashes: readonly string[] }
}

t.test('people who erase themselves get the receipt, which proves it and which an administrator reads again', async (t) => {
  const node = await openNode(t, { cluster: createCluster(), name: 'one' })
  const { fixture } = node
  const admin = await fixture.person({ role: 'admin' })
  const account = { email: 'ann@example.org', name: 'Ann', password: PASSWORD, role: 'user' } as const
  const { userId, position } = allowed(await fixture.accounts.register(account, AUTHOR))
  await fixture.readYourWrites.waitFor(position)
  const { token } = await fixture.login(userId)
  const answer = await node.ask('POST', '/v1/users/me/erase', { token, body: { password: PASSWORD } })
  t.equal(answer.status, 202)
  const { id, receipt }: Answer = JSON.parse(answer.body)
  t.match(receipt, { id, subject: userId, keyId: userId })
  const tree = openedCheckpoint(receipt.checkpoint, [noteKey(await fixture.cluster.vault.secret('checkpoint-key'))])
  if (typeof tree === 'string') throw new Error(tree)
  const path = receipt.hashes.map((hash) => Buffer.from(hash, 'base64'))
  const root = rootByInclusion(receipt.seq - 1, tree.size, { hash: leafHash(receipt.entry), path })
  t.strictSame(root && Buffer.from(root), Buffer.from(tree.root))
  t.equal((await node.ask('GET', '/v1/users/me', { token })).status, 401)
  const read = await node.ask('GET', `/v1/erasures/${id}`, { token: admin.token })
  t.match(JSON.parse(read.body), { id, seq: receipt.seq, entry: receipt.entry })
})

t.test('an erasure is answered the same however often it is asked for', async (t) => {
  const node = await openNode(t, { cluster: createCluster(), name: 'one' })
  const [admin, ann] = [await node.fixture.person({ role: 'admin' }), await node.fixture.person()]
  const erase = () => node.ask('DELETE', `/v1/users/${ann.caller.userId}?erase=true`, { token: admin.token })
  const [first, again] = [await erase(), await erase()]
  t.strictSame([first.status, again.status], [202, 202])
  t.match(JSON.parse(again.body), { id: JSON.parse(first.body).id, userId: ann.caller.userId, state: 'erased' })
  t.equal((await node.ask('DELETE', '/v1/users/zzzzzzzzzzzzzzzzzzzzz?erase=true', { token: admin.token })).status, 404)
  t.equal(((await node.fixture.users.erase(admin.caller, 'x', ORIGIN)) as { refusal?: string }).refusal, 'not-found')
})
