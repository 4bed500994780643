import t from 'tap'
import { mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { signIn, startServer } from './server-process.ts'

t.test('a mistyped folder at --media stops the start with one line, and makes no library', async (t) => {
  const dataDir = t.testdir()
  await t.rejects(startServer({ dataDir, media: '/no/such/films' }), {
    message: /--media \/no\/such\/films: there is no such folder\. [^\n]*\n$/,
  })
  const server = await startServer({ dataDir })
  t.teardown(() => server.end('SIGKILL'))
  t.match(server.output(), 'The first account:', 'nothing was made by the first start')
  const { json } = await (await signIn(server.url)).send('GET', '/v1/libraries')
  t.strictSame(json['items'], [])
})

t.test('a folder of a library whose drive is away stops nothing', async (t) => {
  const dataDir = t.testdir()
  const films = join(dataDir, 'films')
  mkdirSync(films)
  const first = await startServer({ dataDir, media: films })
  t.equal(await first.end('SIGTERM'), 0)
  renameSync(films, `${films}-away`)
  const server = await startServer({ dataDir, media: films })
  t.equal(await server.end('SIGTERM'), 0)
})
