import t from 'tap'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { signIn, startServer } from './server-process.ts'

t.test('a start that meets an event it cannot read says which one, and stays up with what works', async (t) => {
  const dataDir = t.testdir()
  const first = await startServer({ dataDir })
  const api = await signIn(first.url)
  for (const name of ['One', 'Two']) t.equal((await api.send('PATCH', '/v1/users/me', { name })).status, 200)
  await first.end('SIGTERM')
  const db = new DatabaseSync(join(dataDir, 'events.sqlite'))
  db.exec("update events set data = '{' where position = (select max(position) from events where type = 'SignedIn')")
  db.close()
  for (const name of readdirSync(dataDir)) if (name.startsWith('read-models')) writeFileSync(join(dataDir, name), 'no database any more')

  const second = await startServer({ dataDir })
  t.teardown(() => second.end('SIGKILL'))
  t.match(second.output(), /The event at position \d+ \(stream login-\S+, revision 0, SignedIn\) cannot be read: /)
  t.match(second.output(), /read-models\.sqlite was damaged: it is kept as \S+-damaged-\d{8}T\d{6}Z, and the read models are made anew/)
  const again = await signIn(second.url)
  t.equal((await again.send('GET', '/v1/users/me')).json['name'], 'Two')
  t.equal((await again.send('PATCH', '/v1/users/me', { name: 'Three' })).status, 200)
})

t.test('a damaged log stops the start with one line that names the file and what to do', async (t) => {
  const dataDir = t.testdir({ 'events.sqlite': 'no database '.repeat(1000) })
  await t.rejects(startServer({ dataDir }), {
    message: /\/events\.sqlite is damaged\. Stop Marquee, keep a copy of the file, and restore it from a backup/,
  })
})
