import { join } from 'node:path'
import t from 'tap'
import { createMemoryReadStore } from '../../src/adapters/memory/read-store.ts'
import { createSqliteReadStore } from '../../src/adapters/sqlite/read-store.ts'
import { readStoreContract } from './read-store-contract.ts'
import { readStoreCountsContract } from './read-store-counts-contract.ts'
import { readStoreFillingContract } from './read-store-filling-contract.ts'

const folder = t.testdir()
let files = 0

t.test('in memory', async (t) => {
  const make = async () => {
    const store = createMemoryReadStore()
    return { store, close: () => store.close() }
  }
  readStoreContract(t, make)
  readStoreCountsContract(t, make)
  readStoreFillingContract(t, make)
})

t.test('in a SQLite file', async (t) => {
  const make = async () => {
    const store = createSqliteReadStore({ file: join(folder, `store-${files++}.sqlite`) })
    return { store, close: () => store.close() }
  }
  readStoreContract(t, make)
  readStoreCountsContract(t, make)
  readStoreFillingContract(t, make)
})
