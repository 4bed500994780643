import t from 'tap'
import { connectMongo } from '../../../src/adapters/mongodb/connection.ts'
import { createMongoVault } from '../../../src/adapters/mongodb/vault.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { overEveryMongo } from '../../fakes/mongodb.ts'
import { vaultContract } from '../../ports/vault-contract.ts'

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
