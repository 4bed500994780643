import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { connectMongo } from '../../../src/adapters/mongodb/connection.ts'
import { createMongoIdempotencyStore } from '../../../src/adapters/mongodb/idempotency-store.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { overEveryMongo } from '../../fakes/mongodb.ts'
import { outcomesContract } from '../../ports/outcomes-contract.ts'

t.test('in MongoDB', async (t) => {
  await overEveryMongo(t, (t, mongo) => {
    outcomesContract(t, async () => {
      const clock = createTestClock()
      const connection = connectMongo({ url: mongo.url(), clock: createSystemClock() })
      const idempotencyStore = createMongoIdempotencyStore({ connection, clock, max: 5, maxOfOwner: 3 })
      return {
        idempotencyStore,
        elapse: (ms) => clock.advance(ms),
        jump: (ms) => clock.setNow(clock.now() + ms),
        close: () => connection.close(),
      }
    })
  })
})
