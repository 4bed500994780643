/**
 * The Debian package is built, installed, started as its unit says, upgraded, removed and purged. There is no systemd: the test starts the
 * unit's command line under the unit's user with its environment, without the sandbox.
 *
 * This changes the machine: it runs as root, if `MARQUEE_TEST_DEBIAN=1`, and if no Marquee is installed there.
 */
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { execa } from 'execa'
import t, { type Test } from 'tap'
import { isBuilt } from '../../fixtures/built.ts'
import { makeClip } from '../../fixtures/media-files.ts'
import { findProgram, tellMissing } from '../../fixtures/programs.ts'
import { testFolder } from '../../fixtures/test-folder.ts'
import { ADMIN, scannedMovies, SETTINGS, signIn, startProgram, type ServerProcess } from './server-process.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const DATA = '/var/lib/marquee'
const CONFIGURATION = '/etc/marquee/marquee.env'
const UNIT = '/usr/lib/systemd/system/marquee.service'
const NEXT = '99.0.0'
const BUILD_MS = 600_000
const MODE = 0o777

t.test(
  'the package is installed, started, upgraded and removed, and the data of the household stays',
  { timeout: BUILD_MS * 2 },
  async (t) => {
    if (process.env['MARQUEE_TEST_DEBIAN'] !== '1') return t.comment('SKIPPED: MARQUEE_TEST_DEBIAN=1 lets it change this machine')
    if (findProgram('dpkg-deb') === undefined) return tellMissing(t, 'dpkg-deb')
    if (existsSync(DATA)) return t.fail(`${DATA} exists: the test would change what is in it`)
    const folder = testFolder(t)
    const films = join(folder, 'films')
    t.teardown(clean)
    const file = await buildPackage()
    const next = await nextPackage(file, folder)
    await makeClip({ path: join(films, 'A Clip (2020).mp4') })
    await execa('chmod', ['-R', 'a+rX', folder])

    await execa('dpkg', ['-i', file])
    t.equal(statSync(DATA).mode & MODE, 0o700)
    t.equal(statSync(DATA).uid, Number((await execa('id', ['-u', 'marquee'])).stdout))
    t.equal(statSync(CONFIGURATION).mode & MODE, 0o640, 'settings may hold secrets')
    writeFileSync(
      CONFIGURATION,
      `${Object.entries({ ...SETTINGS, MARQUEE_HOST: '127.0.0.1', MARQUEE_PORT: '0' })
        .map((pair) => pair.join('='))
        .join('\n')}\n`,
    )

    const server = await startInstalled(t)
    await marquee('library', 'add', 'Films', films)
    const { libraries } = JSON.parse(await marquee('library', 'list', '--json')) as {
      readonly libraries: readonly { readonly id: string }[]
    }
    const api = await signIn(server.url)
    await api.send('POST', `/v1/libraries/${libraries[0]?.id}/scan`, {})
    const movie = (await scannedMovies(api)).get('A Clip')
    t.equal((await api.send('PUT', `/v1/movies/${movie?.id}/watched`, {})).status, 200)
    t.match(await marquee('help'), /^marquee <command>/)
    t.match(await marquee('completion', 'bash'), 'marquee')
    await server.end('SIGTERM')

    await execa('dpkg', ['-i', next])
    t.match(readFileSync(CONFIGURATION, 'utf8'), `MARQUEE_ADMIN_PASSWORD=${ADMIN.password}`, 'an upgrade keeps the settings')
    const upgraded = await startInstalled(t)
    const after = await signIn(upgraded.url)
    t.match((await after.send('GET', `/v1/movies/${movie?.id}`)).json, { title: 'A Clip', watched: true })
    await upgraded.end('SIGTERM')
    t.match(JSON.parse(await marquee('verify', '--json')), { first: null })

    const settings = readFileSync(CONFIGURATION)
    rmSync(CONFIGURATION)
    await execa('dpkg', ['-i', next])
    t.match(await marquee('help'), /^marquee <command>/, 'an upgrade works although the settings were removed')
    writeFileSync(CONFIGURATION, settings, { mode: 0o600 })
    await execa('dpkg', ['-i', next])
    t.equal(statSync(CONFIGURATION).mode & MODE, 0o640, 'the command line can read settings that an administrator has written anew')

    await execa('dpkg', ['-r', 'marquee'])
    t.notOk(existsSync('/usr/bin/marquee'))
    t.notOk(existsSync('/usr/lib/marquee'))
    t.ok(existsSync(CONFIGURATION))
    const { stdout } = await execa('dpkg', ['-P', 'marquee'])
    t.match(stdout, `rm -r ${DATA}`)
    t.notOk(existsSync('/etc/marquee'))
    t.ok(existsSync(join(DATA, 'events.sqlite')), 'what is not a setting stays')
  },
)

async function buildPackage(): Promise<string> {
  if (!isBuilt) await execa('node', [join(ROOT, 'build/programs.ts')])
  const { stdout } = await execa('node', [join(ROOT, 'build/debian.ts'), '--level', 'none'], { timeout: BUILD_MS })
  return stdout.trim().split('\n').at(-1)?.split(',')[0] ?? ''
}

/** The same with another version. */
async function nextPackage(file: string, folder: string): Promise<string> {
  const tree = join(folder, 'next')
  await execa('dpkg-deb', ['-R', file, tree])
  const control = join(tree, 'DEBIAN/control')
  writeFileSync(control, readFileSync(control, 'utf8').replace(/^Version: .*$/m, `Version: ${NEXT}`))
  const next = join(folder, 'next.deb')
  await execa('dpkg-deb', ['--root-owner-group', '-Znone', '-b', tree, next])
  return next
}

/** As systemd would, by what the unit says. */
async function startInstalled(t: Test): Promise<ServerProcess> {
  const unit = readFileSync(UNIT, 'utf8')
  const valueOf = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? ''
  const settings = parseEnv(readFileSync(valueOf('EnvironmentFile').replace(/^-/, ''), 'utf8'))
  const environment = Object.fromEntries(
    valueOf('Environment')
      .split(' ')
      .map((pair) => pair.split('=') as [string, string]),
  )
  const [program = '', ...args] = valueOf('ExecStart').split(' ')
  const server = await startProgram({
    program: 'setpriv',
    args: ['--reuid', valueOf('User'), '--regid', valueOf('Group'), '--clear-groups', '--no-new-privs', program, ...args],
    cwd: valueOf('WorkingDirectory'),
    env: { PATH: process.env['PATH'], ...environment, ...settings },
  })
  t.teardown(() => server.end('SIGKILL'))
  return server
}

const marquee = async (...args: readonly string[]): Promise<string> =>
  (await execa('marquee', args, { cwd: '/', env: { PATH: process.env['PATH'] }, extendEnv: false })).stdout

async function clean(): Promise<void> {
  await execa('dpkg', ['-P', 'marquee'], { reject: false })
  rmSync(DATA, { recursive: true, force: true })
  await execa('deluser', ['marquee'], { reject: false })
}
