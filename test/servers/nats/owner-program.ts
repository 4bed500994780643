/**
 * Runs an owner of renditions as a separate process, which a test can suspend: `owner-program.ts <url of NATS>`. It accepts records on
 * `stream.owner.*`, and announces its state on `owner.state`.
 */
import { createNatsLeases } from '../../../src/adapters/nats/leases.ts'
import { connectNats } from '../../../src/adapters/nats/connection.ts'
import { createSplitBus } from '../../../src/adapters/nats/split-bus.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import type { Lease } from '../../../src/ports/leases.ts'

const [clock, problems] = [createSystemClock(), new Array<string>()]
const onError = (error: unknown): void => void problems.push(String(error))
const connection = connectNats({ url: process.argv[2] ?? '', name: 'owner', clock, onError })
const bus = createSplitBus({ connection, clock, onError, words: ['stream'] })
const leases = createNatsLeases({ connection, clock, bus, name: 'owner' })
let [records, connections] = [0, 0]
let lease: Lease | null = null

connection.follow(() => connections++)
await connection.engine.check()
await bus.respond('stream.owner.*', async () => ({ head: { records: ++records } })).ready
await bus.respond('owner.hold', async () => {
  lease = await leases.acquire('owner', 15)
  return { head: {} }
}).ready
await bus.respond('owner.state', async () => ({ head: { records, connections, holds: lease?.lost.aborted === false, problems } })).ready
console.log('ready')
