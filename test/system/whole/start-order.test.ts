/** Programs that are started while the servers that they need are away: each server may come at last, and all of them late. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { startCluster } from '../cluster/cluster.ts'
import { startClusterServers } from '../cluster/servers.ts'
import { tellMissing } from '../../fixtures/programs.ts'
import { SETTINGS } from './server-process.ts'

/** Long enough for every driver to have failed its first connect. */
const AWAY_MS = 6_000

for (const order of [
  ['eventLog', 'nats', 'mongodb'],
  ['mongodb', 'nats', 'eventLog'],
  ['mongodb', 'eventLog', 'nats'],
] as const) {
  t.test(`a start while all servers are away goes on when they come: ${order.join(', ')}`, { timeout: 120_000 }, async (t) => {
    const servers = await startClusterServers()
    if ('missing' in servers) {
      for (const name of servers.missing) tellMissing(t, name)
      return
    }
    t.teardown(() => servers.stop())
    await Promise.all(order.map((name) => servers[name].kill()))
    const secret = randomBytes(32).toString('hex')
    const cluster = await startCluster({ servers, secret, folder: join(t.testdir(), 'data'), env: SETTINGS, agents: 0 })
    t.teardown(() => cluster.end('SIGKILL'))
    const [api] = cluster.apis
    if (!api) return
    await api.printed(/Waiting for MongoDB at \S+ \(MARQUEE_VAULT\)/)
    t.equal((await fetch(`${api.url}/healthz`)).status, 200, 'a liveness check finds it alive')
    const ready = await fetch(`${api.url}/readyz`)
    t.equal(ready.status, 503)
    t.match(await ready.text(), /MARQUEE_EVENT_LOG.*MARQUEE_READ_STORE|MARQUEE_READ_STORE.*MARQUEE_EVENT_LOG/)
    await sleep(AWAY_MS)
    for (const name of order) await servers[name].restart()
    const backMs = performance.now()
    await cluster.ready()
    const seconds = (performance.now() - backMs) / 1000
    t.comment(`ready ${seconds.toFixed(1)} s after the last server came`)
    t.match(api.output(), /MongoDB at \S+ \(MARQUEE_READ_STORE\) is back after \d+ s/)
  })
}
