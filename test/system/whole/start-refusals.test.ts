import t from 'tap'
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { unpackGoldenData } from '../../fixtures/golden-data.ts'
import { signIn, startServer } from './server-process.ts'
import { testFolder } from '../../fixtures/test-folder.ts'

t.test('a mistyped folder at --media stops the start with one line, and makes no library', async (t) => {
  const dataDir = testFolder(t)
  await t.rejects(startServer({ dataDir, media: '/no/such/films' }), {
    message: /--media \/no\/such\/films: it does not exist\. [^\n]*\n$/,
  })
  const server = await startServer({ dataDir })
  t.teardown(() => server.end('SIGKILL'))
  t.match(server.output(), 'The first account:', 'nothing was made by the first start')
  const { json } = await (await signIn(server.url)).send('GET', '/v1/libraries')
  t.strictSame(json['items'], [])
})

t.test('a folder of a library whose drive is away stops nothing', async (t) => {
  const dataDir = testFolder(t)
  const films = join(dataDir, 'films')
  mkdirSync(films)
  const first = await startServer({ dataDir, media: films })
  t.equal(await first.end('SIGTERM'), 0)
  renameSync(films, `${films}-away`)
  const server = await startServer({ dataDir, media: films })
  t.equal(await server.end('SIGTERM'), 0)
})

/** Everything that a server stores, without the lock and Node's compiled code. */
const storedIn = (dataDir: string) =>
  readdirSync(dataDir)
    .filter((name) => /^(events|vault|read-models|outcomes|formats|secret)/.test(name))
    .map((name) => [name, readFileSync(join(dataDir, name), 'base64')])

t.test('a data folder of a newer version stops the start with one line that says what to do, and stays as it was', async (t) => {
  const { dataDir } = await unpackGoldenData('08-history', testFolder(t))
  const db = new DatabaseSync(join(dataDir, 'vault.sqlite'))
  db.exec('pragma user_version = 2')
  db.close()
  const before = storedIn(dataDir)
  const refused =
    /was written by a newer version of Marquee: it holds vault\.sqlite of version 2 \(known here: 1\)\. Nothing was changed\. [^\n]+\n$/
  await t.rejects(startServer({ dataDir }), { message: refused })
  t.strictSame(storedIn(dataDir), before)
})

t.test('a data folder in which a newer version may have stored its own events stops the start, too', async (t) => {
  const { dataDir } = await unpackGoldenData('08-history', testFolder(t))
  writeFileSync(join(dataDir, 'formats.json'), JSON.stringify({ version: 1, writtenBy: '9.0.0', events: { MovieSung: 1 }, views: {} }))
  const before = storedIn(dataDir)
  const server = startServer({ dataDir })
  await t.rejects(server, {
    message: /a newer version of Marquee \(9\.0\.0\): it holds events MovieSung \(unknown here\)\. Nothing was changed\./,
  })
  t.strictSame(storedIn(dataDir), before)
})
