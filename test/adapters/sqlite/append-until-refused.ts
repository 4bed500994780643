/**
 * A test program, run under a file size limit (`ulimit -f`). It appends large events until one is refused, then small ones. It prints
 * `refused` with the code, `stored` with the revision of the small one, and `there` with the number of events in the log.
 */
import { createSqliteEventLog } from '../../../src/adapters/sqlite/event-log.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { START } from '../../../src/events/position.ts'
import { someEvent } from '../../fixtures/events.ts'
import { take } from '../../fixtures/event-log-contract.ts'

const [file = ''] = process.argv.slice(2)
const log = createSqliteEventLog({ file, clock: createSystemClock() })
const large = { text: 'x'.repeat(1_000_000) }
let stored = 0
try {
  for (; stored < 100; stored++) await log.append(`large-${stored}`, 'absent', [someEvent(large)])
} catch (error) {
  console.log('refused', error instanceof Error && 'code' in error ? error.code : error)
}
const { revision } = await log.append('small', 'absent', [someEvent()])
console.log('stored', revision)
const events = await take(log, START, stored + 1)
console.log('there', events.length - stored)
await log.close()
