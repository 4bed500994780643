import t from 'tap'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ADMIN, signIn, startServer, type Api } from './server-process.ts'

const LOG = ['events.sqlite', 'events.sqlite-wal', 'events.sqlite-shm']

const nameOf = async (api: Api) => (await api.send('GET', '/v1/users/me')).json['name']
const rename = async (api: Api, name: string) => (await api.send('PATCH', '/v1/users/me', { name })).status

t.test('an older log beside newer views: the views are made anew, and what comes is not left out', async (t) => {
  const dataDir = t.testdir()
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
  t.match(third.output(), /The read models are not of this event log: [^\n]*\. They are made anew\./)
  const now = await signIn(third.url)
  t.equal(await nameOf(now), 'Old')
  t.equal(await rename(now, 'Again'), 200)
  t.equal(await nameOf(now), 'Again')
})

t.test('a log that is missing beside views and a vault begins anew, and the start says so', async (t) => {
  const dataDir = t.testdir()
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
