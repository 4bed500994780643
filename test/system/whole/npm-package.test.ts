/** The npm package is packed, installed in an empty folder, and run by its command: the server, and the command line beside it. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { execa } from 'execa'
import t from 'tap'
import { isBuilt } from '../../fixtures/built.ts'
import { makeClip } from '../../fixtures/media-files.ts'
import { findProgram, tellMissing } from '../../fixtures/programs.ts'
import { testFolder } from '../../fixtures/test-folder.ts'
import { scannedMovies, SETTINGS, signIn, startProgram } from './server-process.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const INSTALL_MS = 300_000
t.setTimeout(2 * INSTALL_MS)

t.test('the package of npm starts the server and has the command line', { timeout: 2 * INSTALL_MS }, async (t) => {
  if (findProgram('npm') === undefined) return tellMissing(t, 'npm')
  const folder = testFolder(t)
  const [app, media] = [join(folder, 'app'), join(folder, 'media')]
  for (const path of [app, media]) mkdirSync(path)
  await makeClip({ path: join(media, 'A Clip (2020).mp4') })
  writeFileSync(join(app, 'package.json'), '{ "private": true }')
  const pack = ['pack', '--json', '--pack-destination', folder, ...(isBuilt ? ['--ignore-scripts'] : [])]
  const { stdout } = await execa('npm', pack, { cwd: ROOT, timeout: INSTALL_MS })
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf('[\n'))) as readonly {
    readonly filename: string
    readonly files: readonly { readonly path: string }[]
  }[]
  const paths = packed?.files.map(({ path }) => path) ?? []
  t.ok(paths.includes('dist/main.js') && paths.includes('web/dist/manifest.json'))
  t.strictSame(
    paths.filter((path) => /^(src|test|projections|transcode-agent|data)\/|\.env|\.tgz$/.test(path)),
    [],
    'neither sources nor data of this folder are in it',
  )
  const install = ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', join(folder, packed?.filename ?? '')]
  await execa('npm', install, { cwd: app, timeout: INSTALL_MS })

  const program = join(app, 'node_modules/marquee/build/marquee.js')
  const env = { PATH: process.env['PATH'], ...SETTINGS, MARQUEE_HOST: '127.0.0.1', MARQUEE_PORT: '0' }
  const run = (...args: readonly string[]) => execa(process.execPath, [program, ...args], { cwd: app, env, extendEnv: false })
  t.match((await run('--help')).stdout, /^ {2}marquee \[--media <folder>\]/m)
  const server = await startProgram({ program: process.execPath, args: [program, '--media', media], cwd: app, env })
  t.teardown(() => server.child.kill('SIGKILL'))
  const api = await signIn(server.url)
  t.ok((await scannedMovies(api)).has('A Clip'))
  t.match(await (await fetch(server.url, { headers: { accept: 'text/html' } })).text(), /<script type="module"/, 'with its web client')
  t.match((await run('library', 'list')).stdout, /media/)
  t.equal(await server.end('SIGTERM'), 0)
})

t.test('an old Node is told what is missing', async (t) => {
  const old = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => existsSync(path))
  const version = old && (await execa(old, ['--version'])).stdout
  if (!old || !version || Number(version.slice(1).split('.')[0]) >= 24) return t.comment('SKIPPED: there is no older Node')
  const ended = await execa(old, [join(ROOT, 'build/marquee.js')], { reject: false })
  t.equal(ended.exitCode, 1)
  t.match(ended.stderr, /^Marquee needs Node\.js 24 or newer, and this is \d+/)
})
