/** Kills a projector while a second one waits: commands continue after a moment. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { startCluster } from '../cluster/cluster.ts'
import { startClusterServers } from '../cluster/servers.ts'
import { tellMissing } from '../../fixtures/programs.ts'
import { SETTINGS, signIn } from './server-process.ts'
import { testFolder } from '../../fixtures/test-folder.ts'

/** Well below the 15 s of a lease, after which any projector takes over. An idle machine takes 2 s. */
const MOST_MS = 10_000

t.test('when the projector that keeps the views is killed, the waiting one takes over and reports it', async (t) => {
  const servers = await startClusterServers()
  if ('missing' in servers) {
    for (const name of servers.missing) tellMissing(t, name)
    return
  }
  t.teardown(() => servers.stop())
  const secret = randomBytes(32).toString('hex')
  const cluster = await startCluster({ servers, secret, folder: join(testFolder(t), 'data'), env: SETTINGS, projectors: 2, agents: 0 })
  t.teardown(() => cluster.end('SIGKILL'))
  await cluster.ready()
  const [api] = cluster.apis
  const [first, second] = cluster.projectors
  if (!api || !first || !second) throw new Error('One API node and two projectors were to be started')
  const caller = await signIn(api.url)
  let newest = 0
  // A command is answered before the audit view has its row: a new row appears only if a projector runs.
  const rename = async (name: string): Promise<boolean> => {
    if ((await caller.send('PATCH', '/v1/users/me', { name })).status !== 200) return false
    const { json } = await caller.send('GET', '/v1/audit?limit=1&type=UserProfileChanged')
    const [row] = (json as { items?: readonly { readonly seq: number }[] }).items ?? []
    const isThere = row !== undefined && row.seq > newest
    newest = row?.seq ?? newest
    return isThere
  }
  t.ok(await rename('Before'))

  // After the first kill it is known which one keeps the views; the other two certainly kill a projector that keeps views.
  for (const killed of [first, second, first]) {
    await killed.kill()
    const killedAt = performance.now()
    let refused = 0
    while (!(await rename(`After ${refused}`))) {
      refused++
      if (performance.now() - killedAt > MOST_MS) break
      await sleep(100)
    }
    const ms = Math.round(performance.now() - killedAt)
    t.comment(`${killed.name} was killed: commands and reads were answered after ${ms} ms, ${refused} refused`)
    t.ok(ms < MOST_MS, `${ms} ms`)
    killed.restart()
    await killed.printed(/projector is running/)
    // A projector that has just started leaves all views to an older one.
    await sleep(1_000)
  }
  // If a lease expires before the process is known to have ended, the takeover message is that of a free lease.
  t.match(`${first.output()}${second.output()}`, /(has ended; this one takes over its views|this one takes them over): .*movies/)
})
