/**
 * Tests the reasons given for an unavailable server: with errors of the real drivers, and with recorded errors of servers that are not
 * available here.
 */
import { createServer } from 'node:net'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { createSystemClock } from '../../src/adapters/node/clock.ts'
import { openEventLog, openMessaging, openReadStore } from '../../src/wiring/adapters.ts'
import { reasonOf, serversAway } from '../../src/wiring/wait-for-servers.ts'
import { outageReason } from '../../src/wiring/outage-reason.ts'
import { ServerUnavailable } from '../../src/ports/server.ts'
import { startEventStore } from '../fakes/event-store.ts'

const HERE = { eventLog: 'sqlite:', readStore: 'sqlite:', vault: 'sqlite:', bus: 'local:' }
const clock = createSystemClock()
const optionsOf = (config: Partial<typeof HERE>) => ({ config: { ...HERE, ...config }, clock, name: 'test', onError: () => {} })

/** A port of this machine on which nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

type Part = Awaited<ReturnType<typeof openEventLog | typeof openReadStore | typeof openMessaging>>

/** The reason given for the part's server; the driver gets a moment to find out. */
async function said(opening: Promise<Part>): Promise<string> {
  const part = await opening
  try {
    const servers = part.engine ? [part.engine] : []
    await serversAway(servers)
    return (await serversAway(servers)).map(({ name, reason }) => `${name}: ${reason}`).join()
  } finally {
    await part.close()
  }
}

t.test('a closed port, an unknown host and a TLS mismatch are distinguished, with the setting and the address', async (t) => {
  const port = await closedPort()
  const refused = 'nothing listens there. Start the server, or correct the address'
  const opened = {
    [`EventStoreDB at 127.0.0.1:${port} (MARQUEE_EVENT_LOG)`]: openEventLog(optionsOf({ eventLog: `esdb://127.0.0.1:${port}?tls=false` })),
    [`MongoDB at 127.0.0.1:${port} (MARQUEE_READ_STORE)`]: openReadStore(optionsOf({ readStore: `mongodb://ann:pw@127.0.0.1:${port}/m` })),
    [`NATS at 127.0.0.1:${port} (MARQUEE_BUS)`]: openMessaging(optionsOf({ bus: `nats://ann:pw@127.0.0.1:${port}` })),
  }
  for (const [name, opening] of Object.entries(opened)) t.equal(await said(opening), `${name}: ${refused}`)
  const unknown = openReadStore(optionsOf({ readStore: 'mongodb://no-such-host.invalid:27017/m' }))
  t.match(await said(unknown), /at no-such-host\.invalid:27017 \(MARQUEE_READ_STORE\): the host name is unknown here/)
  const { server } = await startEventStore()
  t.teardown(() => server.stop())
  const withTls = openEventLog(optionsOf({ eventLog: server.url.replace('?tls=false', '') }))
  t.match(await said(withTls), /this side speaks TLS and the server does not.*tls=false/)
})

t.test('an option that a driver does not take is named with its setting, and no password is', async (t) => {
  const opening = openReadStore(optionsOf({ readStore: 'mongodb://ann:canary@127.0.0.1:1/m?nosuch=1' }))
  await t.rejects(opening, {
    message: 'MARQUEE_READ_STORE: The driver of MongoDB does not take its address: option nosuch is not supported',
  })
  const quoting = openReadStore(optionsOf({ readStore: 'mongodb://ann:canary@127.0.0.1:1/m?appName=canary&nosuch=canary' }))
  const told = await quoting.then(String, String)
  t.match(told, /MARQUEE_READ_STORE/)
  t.notMatch(told, /canary/)
})

const server = (error: unknown, type = 'Unknown') => ({ type, error })
const topology = (type: string, ...servers: readonly unknown[]) => ({ type, servers: new Map(servers.map((one, n) => [`${n}`, one])) })
const away = (reason: unknown) => new ServerUnavailable('MongoDB', { cause: Object.assign(new Error('No answer to a ping'), { reason }) })
const coded = (code: number | string, message = 'failed') => Object.assign(new Error(message), { code })

for (const [name, cause, reason] of [
  ['a wrong password', away(topology('Unknown', server(coded(18, 'Authentication failed.')))), /refuses the name or the password/],
  ['a user without rights', coded(13, 'not authorized on marquee to execute command'), /has no right/],
  ['an EventStoreDB user without rights', coded(7, '7 PERMISSION_DENIED: Access Denied'), /has no right/],
  ['a replica set of another name', away(topology('ReplicaSetNoPrimary')), /belongs to another replica set/],
  ['a set that is not initiated', away(topology('ReplicaSetNoPrimary', server(null, 'RSGhost'))), /is not initiated/],
  ['a set without a primary', away(topology('ReplicaSetNoPrimary', server(null, 'RSSecondary'))), /has no primary/],
  [
    'an unknown authority',
    coded('SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate in certificate chain'),
    /certificate is not trusted/,
  ],
  ['a server that wants TLS', coded('ECONNRESET', 'read ECONNRESET'), /one side speaks TLS and the other does not/],
  ['NATS without the TLS that is asked for', coded('SERVER_OPT_NA', 'tls'), /this side speaks TLS/],
  ['NATS with a wrong password', coded('AUTHORIZATION_VIOLATION', "'Authorization Violation'"), /refuses the name or the password/],
  ['nothing at all', new ServerUnavailable('NATS'), /does not answer in time/],
] as const) {
  t.test(`${name} is reported as such`, async (t) => t.match(outageReason(cause), reason))
}

t.test('a caller of readyz does not learn where the servers are', async (t) => {
  const check = async () => {
    throw new ServerUnavailable('MongoDB', { cause: coded('ECONNREFUSED') })
  }
  const seen = await serversAway([{ name: 'MongoDB', setting: 'MARQUEE_VAULT', address: 'secret-host:27017', check }])
  t.match(reasonOf(seen), /^No answer from MongoDB \(MARQUEE_VAULT\): nothing listens there/)
  t.notMatch(reasonOf(seen), /secret-host/)
})
