import t from 'tap'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { damagePages } from '../../fixtures/damaged-pages.ts'
import { signIn, startServer } from './server-process.ts'
import { testFolder } from '../../fixtures/test-folder.ts'

t.test('a start that meets an event it cannot read says which one, and stays up with what works', async (t) => {
  const dataDir = testFolder(t)
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
  t.match(second.output(), /read-models\.sqlite was damaged: it is kept as \S+-damaged-\d{8}T\d{6}Z, and the read models are rebuilt/)
  const again = await signIn(second.url)
  t.equal((await again.send('GET', '/v1/users/me')).json['name'], 'Two')
  t.equal((await again.send('PATCH', '/v1/users/me', { name: 'Three' })).status, 200)
})

t.test(
  'a start that meets events of a newer version, or with a body that no view understands, reports them and serves all others',
  async (t) => {
    const dataDir = testFolder(t)
    const first = await startServer({ dataDir })
    const api = await signIn(first.url)
    for (const name of ['One', 'Two', 'Three', 'Four']) t.equal((await api.send('PATCH', '/v1/users/me', { name })).status, 200)
    const bea = { email: 'bea@example.org', name: 'Bea', password: 'correct horse', role: 'user' }
    t.equal((await api.send('POST', '/v1/users', bea)).status, 201)
    await first.end('SIGTERM')
    const db = new DatabaseSync(join(dataDir, 'events.sqlite'))
    const renamed = db.prepare("select position from events where type = 'UserProfileChanged' order by position").all()
    const [one, , three, four] = renamed.map(({ position }) => Number(position))
    db.exec(`update events set metadata = json_set(metadata, '$.v', '2') where position = ${one};
    update events set data = '{}' where position = ${three};
    update events set data = '{' where position = ${four};
    update events set data = json_object('sessionId', 7) where type = 'SignedIn'`)
    db.close()
    for (const name of readdirSync(dataDir)) if (name.startsWith('read-models')) rmSync(join(dataDir, name))

    const second = await startServer({ dataDir })
    t.teardown(() => second.end('SIGKILL'))
    t.match(second.output(), new RegExp(`The event at position ${one} .*UserProfileChanged\\) cannot be read: its version 2 is not known`))
    t.match(second.output(), new RegExp(`The event at position ${four} .*UserProfileChanged\\) cannot be read: `))
    t.match(
      second.output(),
      /The view \w+ leaves out the event at position \d+ \(stream login-.*SignedIn\), which it cannot fold: It does not name/,
    )
    t.equal((await fetch(`${second.url}/readyz`)).status, 200)
    const again = await signIn(second.url, bea)
    t.equal((await again.send('PATCH', '/v1/users/me', { name: 'Beatrice' })).status, 200)
    t.equal((await again.send('GET', '/v1/movies')).status, 200)
  },
)

t.test('a damaged log stops the start with one line that names the file and what to do', async (t) => {
  const dataDir = t.testdir({ 'events.sqlite': 'no database '.repeat(1000) })
  await t.rejects(startServer({ dataDir }), {
    message: /\/events\.sqlite is damaged\. Stop Marquee, keep a copy of the file, and restore it from a backup/,
  })
})

for (const [file, part] of [
  ['events.sqlite', 'sqlite_autoindex_streams_1'],
  ['vault.sqlite', 'secrets'],
] as const) {
  t.test(`damage inside ${file} that the start meets ends it with such a line, too`, async (t) => {
    const dataDir = testFolder(t)
    const first = await startServer({ dataDir })
    await first.end('SIGTERM')
    damagePages(join(dataDir, file), part)
    await t.rejects(startServer({ dataDir }), {
      message: new RegExp(`:\\n\\S+/${file} is damaged\\. Stop Marquee, keep a copy of the file, and restore it from a backup`),
    })
  })
}

t.test('a damaged vault is named in the log and at /readyz, and requests that need it get 503', async (t) => {
  const dataDir = testFolder(t)
  const first = await startServer({ dataDir })
  await signIn(first.url)
  await first.end('SIGTERM')
  damagePages(join(dataDir, 'vault.sqlite'), 'password_hashes')

  const second = await startServer({ dataDir })
  t.teardown(() => second.end('SIGKILL'))
  await t.rejects(signIn(second.url), { message: /answered with 503 .*its administrator has to restore it/ })
  const ready = await fetch(`${second.url}/readyz`)
  t.equal(ready.status, 503)
  t.match(await ready.text(), /A file in the data folder is damaged/)
  t.match(second.output(), /vault\.sqlite is damaged\. Stop Marquee, keep a copy of the file, and restore it from a backup/)
})
