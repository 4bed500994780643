import { join } from 'node:path'
import t from 'tap'
import { createSystemClock } from '../../src/adapters/node/clock.ts'
import { createMemoryReadStore } from '../../src/adapters/memory/read-store.ts'
import { createSqliteReadStore } from '../../src/adapters/sqlite/read-store.ts'
import { contentChecksumContract } from './content-checksum-contract.ts'
import { readStoreContract } from './read-store-contract.ts'
import { readStoreCountsContract } from './read-store-counts-contract.ts'
import { readStoreIndexesContract } from './read-store-indexes-contract.ts'
import { readStoreKeysContract } from './read-store-keys-contract.ts'
import { readStoreTextsContract } from './read-store-texts-contract.ts'
import { readStoreSumsContract } from './read-store-sums-contract.ts'
import { readStoreFillingContract } from './read-store-filling-contract.ts'
import { viewGenerationsContract } from './view-generations-contract.ts'
import { webhookDeliveriesContract } from './webhook-deliveries-contract.ts'

const folder = t.testdir()
let files = 0

t.test('in memory', async (t) => {
  const make = async () => {
    const store = createMemoryReadStore()
    return { store, close: () => store.close() }
  }
  contentChecksumContract(t, make)
  viewGenerationsContract(t, make)
  webhookDeliveriesContract(t, make)
  readStoreContract(t, make)
  readStoreCountsContract(t, make)
  readStoreKeysContract(t, make)
  readStoreTextsContract(t, make)
  readStoreSumsContract(t, make)
  readStoreFillingContract(t, make)
  readStoreIndexesContract(t, make)
})

for (const clock of [undefined, createSystemClock()])
  t.test(`in a SQLite file${clock ? ', with commits that share transactions' : ''}`, async (t) => {
    const make = async () => {
      const store = createSqliteReadStore({ file: join(folder, `store-${files++}.sqlite`), clock })
      return { store, close: () => store.close() }
    }
    contentChecksumContract(t, make)
    viewGenerationsContract(t, make)
    webhookDeliveriesContract(t, make)
    readStoreContract(t, make)
    readStoreCountsContract(t, make)
    readStoreKeysContract(t, make)
    readStoreTextsContract(t, make)
    readStoreSumsContract(t, make)
    readStoreFillingContract(t, make)
    readStoreIndexesContract(t, make)
  })
