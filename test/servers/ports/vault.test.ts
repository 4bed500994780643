import { join } from 'node:path'
import t from 'tap'
import { createMemoryVault } from '../../../src/adapters/memory/vault.ts'
import { connectMongo } from '../../../src/adapters/mongodb/connection.ts'
import { createMongoVault } from '../../../src/adapters/mongodb/vault.ts'
import { createSqliteVault } from '../../../src/adapters/sqlite/vault.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { overEveryMongo } from '../../fakes/mongodb.ts'
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

t.test('in MongoDB', async (t) => {
  await overEveryMongo(t, (t, mongo) => {
    vaultContract(t, async () => {
      const url = mongo.url()
      const connections = [connectMongo({ url, clock: createSystemClock() }), connectMongo({ url, clock: createSystemClock() })] as const
      const [vault, other] = [createMongoVault({ connection: connections[0] }), createMongoVault({ connection: connections[1] })]
      return { vault, other, close: async () => void (await Promise.all(connections.map((connection) => connection.close()))) }
    })
  })
})
