/**
 * A test program. It appends to the event log named by its first argument, as many events at a time as the second specifies. For each
 * acknowledged event it prints a line `stream revision position id`. It ends by being killed, or after as many appends as the third
 * argument
 * specifies (without closing the log).
 */
import { createSqliteEventLog } from '../../../src/adapters/sqlite/event-log.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { someEvent } from '../../fixtures/events.ts'

const [file = '', inFlight = '1', appends = 'Infinity'] = process.argv.slice(2)
const log = createSqliteEventLog({ file, clock: createSystemClock() })
let left = Number(appends)

async function appendOneByOne(stream: string): Promise<void> {
  for (let expected: number | 'absent' = 'absent'; left-- > 0;) {
    const event = someEvent({ after: expected })
    const { revision, position } = await log.append(stream, expected, [event])
    process.stdout.write(`${stream} ${revision} ${position} ${event.id}\n`)
    expected = revision
  }
}

await Promise.all(Array.from({ length: Number(inFlight) }, (_, number) => appendOneByOne(`load-${process.pid}-${number}`)))
