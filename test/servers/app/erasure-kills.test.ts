import t from 'tap'
import { startEventStore } from '../../fakes/event-store.ts'
import { overEveryMongo } from '../../fakes/mongodb.ts'
import { killErasures } from '../../fixtures/erasure-kills.ts'

t.test('an erasure on servers comes to its end, once, whichever call the process is killed before', async (t) => {
  await overEveryMongo(t, async (t, mongo) => {
    const eventStore = await startEventStore()
    t.teardown(() => eventStore.server.stop())
    const engines = { eventLog: eventStore.url, readStore: mongo.url(), vault: mongo.url() }
    await killErasures(t, { dataDir: t.testdir(), engines })
  })
})
