import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { connectMongo } from '../../../src/adapters/mongodb/connection.ts'
import { createMongoCounters } from '../../../src/adapters/mongodb/counters.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { overEveryMongo } from '../../fakes/mongodb.ts'
import { countersContract } from '../../ports/counters-contract.ts'

t.test('in MongoDB', async (t) => {
  await overEveryMongo(t, (t, mongo) => {
    countersContract(t, async () => {
      const url = mongo.url()
      const testClock = createTestClock()
      const systemClock = createSystemClock()
      // Time is frozen for the counters, but not for a node that waits for others.
      const clock = { ...testClock, sleep: (ms: number) => systemClock.sleep(ms) }
      const connections = [connectMongo({ url, clock: systemClock }), connectMongo({ url, clock: systemClock })] as const
      return {
        counters: createMongoCounters({ connection: connections[0], clock }),
        other: createMongoCounters({ connection: connections[1], clock }),
        elapse: (ms) => testClock.advance(ms),
        close: async () => void (await Promise.all(connections.map((connection) => connection.close()))),
      }
    })
  })
})
