import { join } from 'node:path'
import t from 'tap'
import { connectMongo } from '../../../src/adapters/mongodb/connection.ts'
import { createMongoReadStore } from '../../../src/adapters/mongodb/read-store.ts'
import { createMemoryReadStore } from '../../../src/adapters/memory/read-store.ts'
import { createSqliteReadStore } from '../../../src/adapters/sqlite/read-store.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { overEveryMongo } from '../../fakes/mongodb.ts'
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

t.test('in MongoDB', async (t) => {
  await overEveryMongo(t, (t, mongo) => {
    const make = async () => {
      const clock = createSystemClock()
      const connection = connectMongo({ url: mongo.url(), clock })
      const store = createMongoReadStore({ connection, clock })
      return { store, close: () => store.close().then(() => connection.close()) }
    }
    // FerretDB and the stand-in look at every document of a collection for each query.
    const pace = { part: mongo.isMongod ? 1 : 0.03 }
    readStoreContract(t, make, pace)
    readStoreCountsContract(t, make, pace)
    readStoreFillingContract(t, make, pace)
  })
})
