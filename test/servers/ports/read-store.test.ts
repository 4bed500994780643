import t from 'tap'
import { connectMongo } from '../../../src/adapters/mongodb/connection.ts'
import { createMongoReadStore } from '../../../src/adapters/mongodb/read-store.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { overEveryMongo } from '../../fakes/mongodb.ts'
import { contentChecksumContract } from '../../ports/content-checksum-contract.ts'
import { readStoreContract } from '../../ports/read-store-contract.ts'
import { readStoreCountsContract } from '../../ports/read-store-counts-contract.ts'
import { readStoreKeysContract } from '../../ports/read-store-keys-contract.ts'
import { readStoreTextsContract } from '../../ports/read-store-texts-contract.ts'
import { readStoreSumsContract } from '../../ports/read-store-sums-contract.ts'
import { readStoreFillingContract } from '../../ports/read-store-filling-contract.ts'
import { readStoreIndexesContract } from '../../ports/read-store-indexes-contract.ts'
import { viewGenerationsContract } from '../../ports/view-generations-contract.ts'
import { webhookDeliveriesContract } from '../../ports/webhook-deliveries-contract.ts'

t.test('in MongoDB', async (t) => {
  await overEveryMongo(t, (t, mongo) => {
    const make = async () => {
      const clock = createSystemClock()
      const connection = connectMongo({ url: mongo.url(), clock })
      const store = createMongoReadStore({ connection, clock })
      return { store, close: () => store.close().then(() => connection.close()) }
    }
    // FerretDB and the fake scan every document of a collection for each query.
    const pace = { part: mongo.isMongod ? 1 : 0.03 }
    contentChecksumContract(t, make)
    viewGenerationsContract(t, make)
    webhookDeliveriesContract(t, make)
    readStoreContract(t, make, pace)
    readStoreCountsContract(t, make, pace)
    readStoreKeysContract(t, make, pace)
    readStoreTextsContract(t, make, pace)
    readStoreSumsContract(t, make, pace)
    readStoreFillingContract(t, make, pace)
    readStoreIndexesContract(t, make, pace)
  })
})
