import t from 'tap'
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const source = join(import.meta.dirname, '../../src')

interface Run {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
}

function run(program: string, args: readonly string[], { cwd, env = {} }: Run): Promise<{ code: number; stdout: string; stderr: string }> {
  // A program that spins takes no other signal.
  const options = { cwd, env: { PATH: process.env['PATH'], ...env }, timeout: 20_000, killSignal: 'SIGKILL' } as const
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [join(source, program), ...args], options, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}

t.test('the help of the server and of the command line need nothing', async (t) => {
  const cwd = t.testdir({ '.env': 'MARQUEE_PORT=wrong' })
  t.match(await run('main.ts', ['--help'], { cwd }), { code: 0, stdout: /MARQUEE_TMDB_URL/, stderr: '' })
  t.match(await run('cli.ts', ['help'], { cwd }), { code: 0, stdout: /user add/, stderr: '' })
})

t.test('both print the version of package.json, whatever the settings', async (t) => {
  const cwd = t.testdir({ '.env': 'MARQUEE_PORT=wrong' })
  const { version } = JSON.parse(readFileSync(join(source, '../package.json'), 'utf8')) as { readonly version: string }
  for (const program of ['main.ts', 'cli.ts'])
    t.strictSame(await run(program, ['--version'], { cwd }), { code: 0, stdout: `${version}\n`, stderr: '' })
})

t.test('a wrong setting, also one in a .env file, stops the start with one line and without a data folder', async (t) => {
  const cwd = t.testdir()
  const server = await run('main.ts', [], { cwd, env: { MARQUEE_PORT: '70000' } })
  t.strictSame(server, { code: 1, stdout: '', stderr: 'MARQUEE_PORT=70000 is invalid: give a whole number from 0 to 65535.\n' })
  t.notOk(existsSync(join(cwd, 'data')))
  const written = t.testdir({ '.env': 'MARQUEE_SESSION_IDLE_SECONDS=soon\n' })
  t.match(await run('main.ts', [], { cwd: written }), { code: 1, stderr: /^MARQUEE_SESSION_IDLE_SECONDS=soon is invalid: [^\n]*\n$/ })
})

t.test('a path that is no ffmpeg, or no folder, stops the start, too', async (t) => {
  const cwd = t.testdir({ file: 'a file' })
  for (const [name, value] of [
    ['FFMPEG_PATH', '/nowhere/ffmpeg'],
    ['FFPROBE_PATH', '/bin/ls'],
    ['MARQUEE_BLOBS', join(cwd, 'file')],
  ] as const) {
    const { code, stderr } = await run('main.ts', [], { cwd, env: { MARQUEE_PORT: '0', MARQUEE_HOST: '127.0.0.1', [name]: value } })
    t.equal(code, 1)
    t.match(stderr, new RegExp(`^${name}[=:] ?${value.replaceAll('/', '\\/')} [^\\n]*\\n$`))
  }
})

t.test(
  'a data folder below /proc, where nothing can be made, ends the start, and a move to it',
  { skip: existsSync('/proc/self') ? false : 'no /proc' },
  async (t) => {
    const cwd = t.testdir()
    const dataDir = '/proc/marquee'
    const { code, stderr } = await run('main.ts', [], {
      cwd,
      env: { MARQUEE_PORT: '0', MARQUEE_HOST: '127.0.0.1', MARQUEE_DATA_DIR: dataDir },
    })
    t.equal(code, 1)
    t.match(stderr, /^The data folder \/proc\/marquee cannot be used \(ENOENT[^\n]*MARQUEE_DATA_DIR\.\n$/)
    const moved = await run('cli.ts', ['move-log', 'sqlite:', dataDir, '--finish'], { cwd })
    t.match(moved, { code: 1, stderr: /ENOENT/ })
  },
)

t.test('a wrong option ends with one line and exit code 2', async (t) => {
  const cwd = t.testdir()
  t.match(await run('main.ts', ['--prot', '80'], { cwd }), { code: 2, stdout: '', stderr: /^Unknown option '--prot'[^\n]*\n$/ })
  t.match(await run('cli.ts', ['dance'], { cwd }), { code: 2, stdout: '', stderr: /^There is no command dance[^\n]*\n$/ })
})
