import t from 'tap'
import { startEventStore } from '../../fakes/event-store.ts'
import { overMongo } from '../../fakes/mongodb.ts'
import { killErasures } from '../../fixtures/erasure-kills.ts'
import { testFolder } from '../../fixtures/test-folder.ts'

/** Each kill takes a process that opens all engines. On files, each call has one. */
const EVERY = 3
const TEST_MS = 900_000
t.setTimeout(TEST_MS)

// Not over the fake MongoDB: unlike real servers, it never aborts the open transaction of a killed process.
t.test('an erasure on servers completes once, whenever the process is killed', { timeout: TEST_MS }, async (t) => {
  await overMongo(t, async (t, mongo) => {
    t.setTimeout(TEST_MS)
    const eventStore = await startEventStore()
    t.teardown(() => eventStore.server.stop())
    const engines = { eventLog: eventStore.url, readStore: mongo.url(), vault: mongo.url() }
    await killErasures(t, { dataDir: testFolder(t), engines }, EVERY)
  })
})
