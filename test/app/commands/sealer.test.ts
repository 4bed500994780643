import t from 'tap'
import { createMemoryVault } from '../../../src/adapters/memory/vault.ts'
import { createSealer } from '../../../src/app/commands/sealer.ts'
import { KeyDestroyed } from '../../../src/ports/vault.ts'

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

t.test('a key that is read while it is destroyed does not stay in memory', async (t) => {
  const vault = createMemoryVault()
  const sealed = await createSealer(vault).seal('ann', 'Ann')
  const sealer = createSealer({
    ...vault,
    async key(subject) {
      const key = await vault.key(subject)
      await vault.destroyKey(subject)
      sealer.forget(subject)
      return key
    },
  })
  t.equal(await sealer.open(sealed), 'Ann', 'read before')
  t.equal(await sealer.open(sealed), undefined)
})

t.test('what a subject says again is given as it was sealed, while the key is there', async (t) => {
  const vault = createMemoryVault()
  const sealer = createSealer(vault)
  const sealed = await sealer.sealAgain('ann', '192.0.2.1')
  t.equal(await sealer.sealAgain('ann', '192.0.2.1'), sealed)
  t.not(await sealer.sealAgain('ben', '192.0.2.1'), sealed, 'with the key of each')
  t.not(await sealer.seal('ann', '192.0.2.1'), sealed, 'and only where it was asked for')
  for (let n = 0; n < 10; n++) await sealer.sealAgain('ann', `192.0.2.${n + 2}`)
  const again = await sealer.sealAgain('ann', '192.0.2.1')
  t.not(again, sealed, 'only the last ones are kept')
  t.equal(await sealer.open(again), '192.0.2.1')
  await vault.destroyKey('ann')
  sealer.forget('ann')
  t.equal(await sealer.open(again), undefined)
  await t.rejects(sealer.sealAgain('ann', '192.0.2.1'), KeyDestroyed)
})
