import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { loadConfig } from '../../src/config/load.ts'
import { readStartArguments } from '../../src/config/start-arguments.ts'
import { startHelp } from '../../src/config/start-help.ts'

t.test('the help lists every setting with its default', async (t) => {
  const help = startHelp()
  const names =
    `HOST PORT DATA_DIR ADMIN_EMAIL ADMIN_PASSWORD SIGN_UP SETUP_TOKEN SECRET PREVIOUS_SECRET EVENT_LOG READ_STORE VAULT BLOBS BUS
    ROLES API_URL PATH_MAP CORS_ORIGINS RATE_LIMIT SPEEDTEST_RATE_LIMIT SESSION_IDLE_SECONDS MEDIA_ROOTS CACHE_BYTES MEMORY_CACHE_BYTES
    TRANSCODE_SLOTS TRUSTED_PROXIES SENDFILE PUBLIC_URL TMDB_KEY TMDB_URL LOG_LEVEL`.split(/\s+/)
  for (const name of [...names.map((name) => `MARQUEE_${name}`), 'FFMPEG_PATH', 'FFPROBE_PATH']) t.match(help, `\n  ${name}\n`)
  t.match(help, '--media <folder>')
  t.match(help, 'Default: 8420')
  t.match(help, 'Default: 10 GB')
})

t.test('folders of the command line count from where the person stands', async (t) => {
  t.strictSame(readStartArguments(['--media', 'films', '--media', '/more/', '--media', './films', '--name', ' Films '], '/home/ann'), {
    media: ['/home/ann/films', '/more'],
    name: 'Films',
    help: false,
    version: false,
  })
  t.strictSame(readStartArguments([], '/'), { media: [], name: undefined, help: false, version: false })
  t.match(readStartArguments(['--help'], '/'), { help: true })
  t.match(readStartArguments(['--version'], '/'), { version: true })
})

t.test('a wrong option is answered in one line', async (t) => {
  const problem = (...args: string[]) => {
    const read = readStartArguments(args, '/')
    return 'problem' in read ? read.problem : 'none'
  }
  t.equal(problem('--medai', 'x'), "Unknown option '--medai'. `npm start -- --help` lists what there is.")
  t.match(problem('films'), /^Unexpected argument 'films'[^\n]*$/)
  t.match(problem('--media'), /^Option '--media <value>' argument missing[^\n]*$/)
  t.match(problem('--media', '--name', 'x'), /^Option '--media' argument is ambiguous[^\n]*$/)
  t.match(problem('--media='), /^--media is empty/)
  t.match(problem('--name', 'Films'), /^--name names the library of --media/)
})

t.test('a .env file in the folder counts, the environment over it', async (t) => {
  const folder = t.testdir({ '.env': '# mine\nMARQUEE_PORT=1\nMARQUEE_RATE_LIMIT="7"\nMARQUEE_PROT=2\n' })
  t.match(loadConfig({ env: { MARQUEE_PORT: '3' }, folder }), {
    config: { port: 3, rateLimit: 7, dataDir: `${folder}/data` },
    warnings: ['MARQUEE_PROT is not a setting; did you mean MARQUEE_PORT?'],
  })
  t.match(loadConfig({ env: {}, folder: t.testdir({}) }), { config: { port: 8420 }, warnings: [] })
})

t.test('a wrong value in a .env file, or one that cannot be read, stops the start with a line', async (t) => {
  t.match(loadConfig({ env: {}, folder: t.testdir({ '.env': 'MARQUEE_PORT=soon' }) }), { problems: [/^MARQUEE_PORT=soon is invalid/] })
  t.match(loadConfig({ env: {}, folder: t.testdir({ '.env': { folder: 'not a file' } }) }), {
    problems: [/\.env cannot be read \(EISDIR\)/],
  })
})

const NOBODY = 65_534

/** As an account without the rights of root. */
function asNobody<T>(work: () => T): T {
  if (process.getuid?.() !== 0) return work()
  process.seteuid?.(NOBODY)
  try {
    return work()
  } finally {
    process.seteuid?.(0)
  }
}

t.test('a folder that another person keeps private has no .env file for this one; one that is there must be readable', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-env-'))
  const home = join(folder, 'home')
  mkdirSync(home)
  for (const path of [folder, home]) writeFileSync(join(path, '.env'), 'MARQUEE_PORT=1', { mode: 0 })
  chmodSync(folder, 0o755)
  chmodSync(home, 0)
  t.teardown(() => {
    chmodSync(home, 0o700)
    rmSync(folder, { recursive: true })
  })
  t.match(
    asNobody(() => loadConfig({ env: {}, folder: home })),
    { config: { port: 8420 } },
  )
  t.match(
    asNobody(() => loadConfig({ env: {}, folder })),
    { problems: [/\.env cannot be read \(EACCES\)/] },
  )
})
