/** Suspends an API node for a moment while a permission is revoked on another node and requests queue up here. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { startCluster } from '../cluster/cluster.ts'
import { startClusterServers } from '../cluster/servers.ts'
import { tellMissing } from '../../fixtures/programs.ts'
import { SETTINGS, signIn } from './server-process.ts'
import { testFolder } from '../../fixtures/test-folder.ts'

const ROUNDS = 3
const QUEUED = 10

t.test('requests that queued up while a node stood still are not answered by rights that were taken meanwhile', async (t) => {
  const servers = await startClusterServers()
  if ('missing' in servers) {
    for (const name of servers.missing) tellMissing(t, name)
    return
  }
  t.teardown(() => servers.stop())
  const secret = randomBytes(32).toString('hex')
  const cluster = await startCluster({ servers, secret, folder: join(testFolder(t), 'data'), env: SETTINGS, apis: 2, agents: 0 })
  t.teardown(() => cluster.end('SIGKILL'))
  await cluster.ready()
  const [one, two] = cluster.apis
  if (!one || !two) return

  for (let round = 0; round < ROUNDS; round++) {
    const caller = await signIn(one.url)
    const ask = () =>
      fetch(`${two.url}/v1/users/me`, { headers: { authorization: `Bearer ${caller.token}` }, signal: AbortSignal.timeout(20_000) })
    t.equal((await ask()).status, 200, 'the login holds on the other node')
    two.stop()
    await sleep(100)
    const signedOut = caller.send('POST', '/api/auth/sign-out')
    const queued = Array.from({ length: QUEUED }, ask)
    t.equal((await signedOut).status, 200)
    two.cont()
    const statuses = (await Promise.all(queued)).map(({ status }) => status)
    t.strictSame([...new Set(statuses)], [401], `round ${round + 1}: ${statuses.join(' ')}`)
  }
})
