import t from 'tap'
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildPrograms } from '../../build/programs.ts'
import { isBuiltFrom, SOURCES_FILE, sourcesIn } from '../../src/process/built-programs.ts'
import { ENVIRONMENT, NODE_OPTIONS } from '../../src/process/start-again.ts'

const ROOT = join(import.meta.dirname, '../..')
/** In the repository: the built programs find the packages that are not built in from there. */
const folder = mkdtempSync(join(ROOT, 'dist-test-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))
const built = join(folder, 'dist')

interface Run {
  readonly pid: number | undefined
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

function run(file: string, args: readonly string[], cwd: string): Promise<Run> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [file, ...args], { cwd, env: { PATH: process.env['PATH'] } }, (_, stdout, stderr) =>
      resolve({ pid: child.pid, code: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}

t.test('the built programs are those of the sources, until a source is changed, added or taken away', async (t) => {
  await buildPrograms(built)
  t.equal(isBuiltFrom(built, ROOT), true)
  const copy = join(folder, 'copy')
  for (const name of ['src', 'projections', 'transcode-agent', 'build']) {
    cpSync(join(ROOT, name), join(copy, name), { recursive: true, preserveTimestamps: true })
  }
  cpSync(join(ROOT, 'package-lock.json'), join(copy, 'package-lock.json'), { preserveTimestamps: true })
  t.equal(isBuiltFrom(built, copy), true)
  const file = join(copy, 'src/main.ts')
  utimesSync(file, new Date(), new Date(Date.now() + 1000))
  t.equal(isBuiltFrom(built, copy), false, 'changed')
  rmSync(file)
  t.equal(isBuiltFrom(built, copy), false, 'taken away')
  t.equal(isBuiltFrom(join(folder, 'nothing'), ROOT), false, 'never built')
})

t.test('a built program answers as its sources do', async (t) => {
  const cwd = t.testdir()
  t.match(await run(join(built, 'main.js'), ['--help'], cwd), { code: 0, stdout: /MARQUEE_TMDB_URL/, stderr: '' })
  t.match(await run(join(built, 'main.js'), ['--prot'], cwd), { code: 2, stdout: '', stderr: /^Unknown option '--prot'/ })
  t.match(await run(join(built, 'cli.js'), ['help'], cwd), { code: 0, stdout: /user add/, stderr: '' })
})

const SHOWN = `
  const { MALLOC_ARENA_MAX, MALLOC_MMAP_THRESHOLD_, UV_THREADPOOL_SIZE } = process.env
  console.log(JSON.stringify({
    pid: process.pid, options: process.execArgv, environment: { MALLOC_ARENA_MAX, MALLOC_MMAP_THRESHOLD_, UV_THREADPOOL_SIZE }, args: process.argv.slice(2),
  }))`

t.test('a source starts the built program in its own process, with bounds for V8 and the C library', async (t) => {
  const again = JSON.stringify(join(ROOT, 'src/process/start-again.ts'))
  const root = t.testdir({
    projections: {},
    'transcode-agent': {},
    build: {},
    'package-lock.json': '{}',
    'package.json': '{"type":"module"}',
    src: { 'main.ts': `import { startAgain } from ${again}\nstartAgain(import.meta.filename, 'main')\nconsole.log('sources')` },
    dist: { 'main.js': SHOWN },
  })
  const main = join(root, 'src/main.ts')
  t.match(await run(main, [], root), { code: 0, stdout: 'sources\n' }, 'not built yet')
  writeFileSync(join(root, 'dist', SOURCES_FILE), JSON.stringify(sourcesIn(root)))
  const started = await run(main, ['--media', 'a b'], root)
  t.equal(started.stderr, '')
  t.strictSame(JSON.parse(started.stdout), {
    pid: started.pid,
    options: NODE_OPTIONS,
    environment: ENVIRONMENT,
    args: ['--media', 'a b'],
  })
})

t.test('a program that cannot be replaced still prints warnings', async (t) => {
  const again = JSON.stringify(join(ROOT, 'src/process/start-again.ts'))
  const root = t.testdir({
    'main.mjs': `import { startAgain } from ${again}
      process.execve = () => { throw new Error('not on this system') }
      startAgain(import.meta.filename, 'main')
      process.emitWarning('a warning of the program')`,
  })
  t.match(await run(join(root, 'main.mjs'), [], root), { code: 0, stderr: /a warning of the program/ })
})
