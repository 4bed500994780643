import t from 'tap'
import { createLogSeals } from '../../../src/app/audit/log-seals.ts'
import { openNodeFixture, type NodeFixture } from '../../fixtures/node-fixture.ts'

const sealed = async (node: NodeFixture) => (await node.events()).filter(({ type }) => type === 'LogSealed')

async function sealing(t: Parameters<typeof openNodeFixture>[0], keep?: (note: string) => Promise<void>) {
  const node = await openNodeFixture(t)
  await node.person()
  await node.seen()
  const kept: string[] = []
  const { auditTree: tree, checkpoints, commandHandler } = node
  const seals = createLogSeals({ tree, checkpoints, commandHandler, keep: keep ?? (async (note) => void kept.push(note)) })
  return { node, seals, kept }
}

t.test('a checkpoint is stored, and the log records it', async (t) => {
  const { node, seals, kept } = await sealing(t)
  const size = await node.auditTree.size()
  await seals.seal()
  t.match(await sealed(node), [{ data: { size } }])
  t.match(await node.checkpoints.verify(kept[0] ?? ''), { valid: true, tree: { size } })
})

t.test('nothing is sealed twice: the seal alone is nothing new', async (t) => {
  const { node, seals, kept } = await sealing(t)
  for (let hour = 0; hour < 5; hour++) {
    await seals.seal()
    await node.seen()
  }
  t.equal(kept.length, 1)
  await node.person()
  await node.seen()
  await seals.seal()
  t.equal(kept.length, 2)
  t.equal((await sealed(node)).length, 2)
})

t.test('what could not be kept is not sealed', async (t) => {
  const { node, seals } = await sealing(t, async () => {
    throw new Error('No space left')
  })
  await t.rejects(seals.seal(), { message: 'No space left' })
  t.strictSame(await sealed(node), [])
})
