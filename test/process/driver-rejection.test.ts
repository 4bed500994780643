import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { join } from 'node:path'
import t from 'tap'
import { isServerAwayInDriver } from '../../src/process/driver-rejection.ts'

const thrownIn = (place: string, error: Error): Error => {
  error.stack = `${error.name}: ${error.message}\n    at something (${place}:45:11)\n    at async own (/srv/marquee/src/adapters/own.ts:1:1)`
  return error
}
const ESDB = '/srv/marquee/node_modules/@eventstore/db-client/dist/Client/discovery.js'

t.test('an outage that a driver reports is no bug', async (t) => {
  for (const [place, message] of [
    [ESDB, 'Failed to discover after 10 attempts.'],
    ['/srv/node_modules/@grpc/grpc-js/build/src/internal-channel.js', 'Channel has been shut down'],
    ['/srv/node_modules/@grpc/grpc-js/build/src/call.js', '14 UNAVAILABLE: read ECONNRESET'],
    ['C:\\srv\\node_modules\\mongodb\\lib\\sdam\\topology.js', 'Topology is closed'],
    ['/srv/node_modules/nats/lib/nats-base-client/protocol.js', 'CONNECTION_CLOSED'],
  ] as const) {
    t.equal(isServerAwayInDriver(thrownIn(place, new Error(message))), true, message)
  }
})

t.test('mistakes of the code are mistakes, wherever they show', async (t) => {
  const own = '/srv/marquee/src/adapters/esdb/appending.ts'
  for (const reason of [
    thrownIn(ESDB, new TypeError('undefined is not iterable: UNAVAILABLE')),
    thrownIn(ESDB, new Error('A revision is expected')),
    thrownIn(own, new Error('14 UNAVAILABLE: read ECONNRESET')),
    'UNAVAILABLE',
    undefined,
  ]) {
    t.equal(isServerAwayInDriver(reason), false, String(reason))
  }
})

t.test('a rejection that a driver left to nobody does not end the process, and one of our own does', async (t) => {
  const guard = join(import.meta.dirname, '../../src/process/guard.ts')
  const run = async (reason: string) => {
    const code = `
      import { guardProcess } from ${JSON.stringify(guard)}
      guardProcess()
      const error = new Error('Failed to discover after 10 attempts.')
      ${reason}
      void Promise.reject(error)
      setTimeout(() => console.log('goes on'), 0)`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', code])
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
    return { out, err }
  }
  const drivers = await run(`error.stack = 'Error: x\\n    at discoverEndpoint (${ESDB}:45:11)'`)
  t.equal(drivers.out, 'goes on\n')
  t.match(drivers.err, /^A call to a server failed inside its driver, and Marquee continues: Failed to discover/)
  const own = await run('')
  t.equal(own.out, '')
  t.match(own.err, /^Marquee is stopping after an unexpected error/)
})
