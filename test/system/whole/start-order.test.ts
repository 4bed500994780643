/** Starts programs while the servers that they need are down: each server may come last, and all of them late. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { startCluster } from '../cluster/cluster.ts'
import { startClusterServers } from '../cluster/servers.ts'
import { randomBelow, seeds } from '../../fixtures/random-below.ts'
import { tellMissing } from '../../fixtures/programs.ts'
import { slowdown } from '../../fixtures/slowdown.ts'
import { SETTINGS } from './server-process.ts'
import { testFolder } from '../../fixtures/test-folder.ts'

/** Long enough that every driver's first connection attempt has failed. */
const AWAY_MS = 6_000

/** Limits after the last server came: for the best order on an idle machine (widened on a busy one), and for each order. */
const READY_S = 5
const LATE_S = 30

type Name = 'eventLog' | 'nats' | 'mongodb'
const ORDERS: readonly (readonly [Name, Name, Name])[] = [
  ['eventLog', 'nats', 'mongodb'],
  ['nats', 'eventLog', 'mongodb'],
  ['mongodb', 'nats', 'eventLog'],
  ['nats', 'mongodb', 'eventLog'],
  ['mongodb', 'eventLog', 'nats'],
  ['eventLog', 'mongodb', 'nats'],
]
/** One of two orders for each server that comes last; `MARQUEE_TEST_SEED=2` selects others, `MARQUEE_TEST_ORDERS=all` all six. */
const [seed = 1] = seeds(1)
const chance = randomBelow(seed)
const drawn = [0, 2, 4].map((pair) => ORDERS[pair + chance(2)]!)
const readyS: number[] = []

for (const order of process.env['MARQUEE_TEST_ORDERS'] === 'all' ? ORDERS : drawn) {
  t.test(`a start while all servers are away goes on when they come: ${order.join(', ')}`, { timeout: 120_000 }, async (t) => {
    const servers = await startClusterServers()
    if ('missing' in servers) {
      for (const name of servers.missing) tellMissing(t, name)
      return
    }
    t.teardown(() => servers.stop())
    await Promise.all(order.map((name) => servers[name].kill()))
    const secret = randomBytes(32).toString('hex')
    const cluster = await startCluster({ servers, secret, folder: join(testFolder(t), 'data'), env: SETTINGS, agents: 0 })
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
    readyS.push(seconds / slowdown())
    t.ok(seconds < LATE_S, `ready ${seconds.toFixed(1)} s after the last server came`)
    t.match(api.output(), /MongoDB at \S+ \(MARQUEE_READ_STORE\) is back after \d+ s/)
  })
}

t.test('the best of the orders is ready within five seconds of the last server', async (t) => {
  if (readyS.length === 0) return t.comment('no order was tried')
  t.ok(Math.min(...readyS) < READY_S, `${Math.min(...readyS).toFixed(1)} s`)
})
