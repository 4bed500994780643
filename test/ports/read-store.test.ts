import { join } from 'node:path'
import t from 'tap'
import { createMemoryReadStore } from '../../src/adapters/memory/read-store.ts'
import { createSqliteReadStore } from '../../src/adapters/sqlite/read-store.ts'
import { readStoreContract } from './read-store-contract.ts'

const folder = t.testdir()
let files = 0

t.test('in memory', async (t) => {
  readStoreContract(t, async () => {
    const store = createMemoryReadStore()
    return { store, close: () => store.close() }
  })
})

t.test('in a SQLite file', async (t) => {
  readStoreContract(t, async () => {
    const store = createSqliteReadStore({ file: join(folder, `store-${files++}.sqlite`) })
    return { store, close: () => store.close() }
  })
})
