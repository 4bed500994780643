import { join } from 'node:path'
import t from 'tap'
import { createMemoryEventLog } from '../../src/adapters/memory/event-log.ts'
import { createSqliteEventLog } from '../../src/adapters/sqlite/event-log.ts'
import { createSystemClock } from '../../src/adapters/node/clock.ts'
import { eventLogContract } from '../fixtures/event-log-contract.ts'

const folder = t.testdir()
let files = 0

t.test('in memory', async (t) => {
  eventLogContract(t, async () => {
    const log = createMemoryEventLog()
    return { log, close: () => log.close() }
  })
})

t.test('in a SQLite file', async (t) => {
  eventLogContract(t, async () => {
    const log = createSqliteEventLog({ file: join(folder, `log-${files++}.sqlite`), clock: createSystemClock() })
    return { log, close: () => log.close() }
  })
})
