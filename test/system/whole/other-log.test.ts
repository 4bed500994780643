import { randomBytes } from 'node:crypto'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { startEventStore } from '../../fakes/event-store.ts'
import { tellMissing } from '../../fixtures/programs.ts'
import { startCluster } from '../cluster/cluster.ts'
import { startClusterServers } from '../cluster/servers.ts'
import { ADMIN, SETTINGS, signIn, startServer, type Api } from './server-process.ts'
import { testFolder } from '../../fixtures/test-folder.ts'

const LOG = ['events.sqlite', 'events.sqlite-wal', 'events.sqlite-shm']

const nameOf = async (api: Api) => (await api.send('GET', '/v1/users/me')).json['name']
const rename = async (api: Api, name: string) => (await api.send('PATCH', '/v1/users/me', { name })).status

t.test('an older log beside newer views: the views are rebuilt, and what comes is not left out', async (t) => {
  const dataDir = testFolder(t)
  const backup = join(dataDir, 'backup.sqlite')
  const first = await startServer({ dataDir })
  t.equal(await rename(await signIn(first.url), 'Old'), 200)
  await first.end('SIGTERM')
  cpSync(join(dataDir, 'events.sqlite'), backup)
  const second = await startServer({ dataDir })
  const api = await signIn(second.url)
  for (const name of ['New', 'Newer', 'Newest']) t.equal(await rename(api, name), 200)
  await second.end('SIGTERM')
  for (const name of LOG) rmSync(join(dataDir, name), { force: true })
  cpSync(backup, join(dataDir, 'events.sqlite'))

  const third = await startServer({ dataDir })
  t.teardown(() => third.end('SIGKILL'))
  t.match(third.output(), /The read models do not belong to this event log: [^\n]*\. They are rebuilt\./)
  const now = await signIn(third.url)
  t.equal(await nameOf(now), 'Old')
  t.equal(await rename(now, 'Again'), 200)
  t.equal(await nameOf(now), 'Again')
})

t.test('a log that is missing beside views and a vault starts again, and the start reports it', async (t) => {
  const dataDir = testFolder(t)
  const first = await startServer({ dataDir })
  t.equal(await rename(await signIn(first.url), 'Old'), 200)
  await first.end('SIGTERM')
  for (const name of LOG) rmSync(join(dataDir, name), { force: true })
  const second = await startServer({ dataDir })
  t.teardown(() => second.end('SIGKILL'))
  t.match(second.output(), /The event log \(.*\) is empty, but the vault is not\./)
  t.equal(await nameOf(await signIn(second.url)), 'Administrator')
})

t.test('a vault that is missing or another one beside a log stops the start, and makes no account', async (t) => {
  const dataDir = t.testdir({ other: {} })
  const first = await startServer({ dataDir })
  await first.end('SIGTERM')
  const vault = join(dataDir, 'vault.sqlite')
  cpSync(vault, `${vault}.kept`)
  rmSync(vault)
  await t.rejects(startServer({ dataDir }), {
    message: /The vault \(MARQUEE_VAULT; [^\n]* is missing or empty, but the event log is not: [^\n]*\n$/,
  })
  const other = await startServer({ dataDir: join(dataDir, 'other') })
  await other.end('SIGTERM')
  cpSync(join(dataDir, 'other', 'vault.sqlite'), vault)
  await t.rejects(startServer({ dataDir }), { message: /is not the one that this event log was written with/ })
  cpSync(`${vault}.kept`, vault)
  const last = await startServer({ dataDir })
  t.teardown(() => last.end('SIGKILL'))
  t.notMatch(last.output(), 'The first account')
  t.ok((await signIn(last.url, ADMIN)).token)
})

t.test('a node that finds another log at its event store answers nobody, and says what is wrong', async (t) => {
  const store = await startEventStore()
  t.teardown(() => store.server.stop())
  const servers = await startClusterServers({ eventLogUrl: store.url })
  if ('missing' in servers) {
    for (const name of servers.missing) tellMissing(t, name)
    return
  }
  t.teardown(() => servers.stop())
  const secret = randomBytes(32).toString('hex')
  const cluster = await startCluster({ servers, secret, folder: join(testFolder(t), 'data'), env: SETTINGS, agents: 0 })
  t.teardown(() => cluster.end('SIGKILL'))
  await cluster.ready()
  const url = cluster.apis[0]?.url ?? ''
  const api = await signIn(url)
  t.equal(await rename(api, 'Old'), 200)

  await store.server.kill()
  rmSync(store.logFile, { recursive: true, force: true })
  await store.server.restart()
  const ready = async () => (await fetch(`${url}/readyz`)).text()
  const deadline = performance.now() + 60_000
  while (!/another|other (?:event )?log/i.test(await ready()) && performance.now() < deadline) await sleep(200)
  t.comment(await ready())
  t.match(await ready(), /log/)
  const answer = await api.send('GET', '/v1/users/me')
  t.equal(answer.status, 503)
  t.equal((await api.send('PATCH', '/v1/users/me', { name: 'Lost' })).status, 503)
})
