import t from 'tap'
import { createMemoryVault } from '../../src/adapters/memory/vault.ts'
import { createSealer } from '../../src/app/sealer.ts'
import { KeyDestroyed } from '../../src/ports/vault.ts'

t.test('what one node seals another one opens, by the vault', async (t) => {
  const vault = createMemoryVault()
  const sealed = await createSealer(vault).seal('ann', 'ann@example.org')
  t.equal(await createSealer(vault).open(sealed), 'ann@example.org')
})

t.test('subjects have keys of their own', async (t) => {
  const vault = createMemoryVault()
  const sealer = createSealer(vault)
  const [ann, ben] = [await sealer.seal('ann', 'Ann'), await sealer.seal('ben', 'Ben')]
  await vault.destroyKey('ann')
  t.equal(await createSealer(vault).open(ann), undefined)
  t.equal(await createSealer(vault).open(ben), 'Ben')
})

t.test('a key that was destroyed opens nothing once this node has forgotten it, and seals nothing new', async (t) => {
  const vault = createMemoryVault()
  const sealer = createSealer(vault)
  const sealed = await sealer.seal('ann', 'Ann')
  await vault.destroyKey('ann')
  sealer.forget('ann')
  t.equal(await sealer.open(sealed), undefined)
  await t.rejects(sealer.seal('ann', 'Ann'), KeyDestroyed)
})
