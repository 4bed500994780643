import t from 'tap'
import { createEsdbEventLog } from '../../../src/adapters/esdb/event-log.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { startEventStore } from '../../fakes/event-store.ts'
import { eventLogContract } from '../../fixtures/event-log-contract.ts'

t.test('in EventStoreDB', async (t) => {
  const make = async () => {
    const eventStore = await startEventStore()
    const log = createEsdbEventLog({ url: eventStore.url, clock: createSystemClock() })
    return { log, close: () => log.close().then(() => eventStore.server.stop()) }
  }
  eventLogContract(t, make, { knowsAllIds: false })
})
