import { join } from 'node:path'
import t from 'tap'
import { createMemoryVault } from '../../src/adapters/memory/vault.ts'
import { createSqliteVault } from '../../src/adapters/sqlite/vault.ts'
import { vaultContract } from './vault-contract.ts'

const folder = t.testdir()
let files = 0

t.test('in memory', async (t) => {
  vaultContract(t, async () => {
    const vault = createMemoryVault()
    return { vault, other: vault, close: () => vault.close() }
  })
})

t.test('in a SQLite file', async (t) => {
  vaultContract(t, async () => {
    const file = join(folder, `vault-${files++}.sqlite`)
    const [vault, other] = [createSqliteVault({ file }), createSqliteVault({ file })]
    return { vault, other, close: async () => void (await Promise.all([vault.close(), other.close()])) }
  })
})
