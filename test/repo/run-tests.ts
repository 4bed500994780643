/**
 * Runs tests: `run-tests.ts test` runs the part of that name in package.json, `run-tests.ts test:all` all parts in sequence, even if one
 * fails. `run-tests.ts test <file>...` runs only these files. The last line is `N passed, N failed`. The exit code is 0 only if nothing
 * failed, no part was cut short, and each part ran something.
 *
 * With `MARQUEE_TEST_SECOND_RUN=1`, as CI sets it, up to two failed files of a part run again, alone. What passes then counts as passed and
 * is printed as `UNSTABLE`: a defect to look for, of the test or of the server, but no reason to reject a change.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildPrograms } from '../../build/programs.ts'
import { buildTap } from './build-tap.ts'
import { filesOf, PARTS, type Part } from './test-parts.ts'

interface Result {
  readonly passed: number
  readonly failed: number
  /** The reporter's list at the end of a failing run. */
  readonly failures: readonly string[]
  /** Only the reporter's closing line is left to print. */
  readonly isComplete?: boolean
}

const ROOT = join(import.meta.dirname, '../..')
const RUN_FILES = join(import.meta.dirname, 'run-files.ts')
const REPORTER = join(import.meta.dirname, 'reporter.mjs')
const QUIET = ['--disable-warning=ExperimentalWarning']
/** The reporter's last line, and the line before its list of failures. */
const CLOSING = /^(\d+) passed, (\d+) failed/
const FAILURES = 'Failures:'
const TAIL_MAX = 100_000
/** More failed files than these are a real failure. */
const SECOND_RUN_MAX = 2

/** One compile cache for all test processes and the programs that they start: nothing is compiled twice. Node keeps one entry per file. */
const COMPILE_CACHE = join(ROOT, 'node_modules/.cache/marquee-tests')

/**
 * Builds the programs and the web client from the sources as they are now, so that tests start what people start, and none of them builds.
 * Whatever was built before is replaced. A program whose sources change meanwhile starts from its sources.
 */
async function build(): Promise<void> {
  await buildPrograms(join(ROOT, 'dist'))
  spawnSync(process.execPath, ['web/build.ts'], { cwd: ROOT, stdio: 'inherit' })
  // What it says of a failure is printed above.
  if (!existsSync(join(ROOT, 'web/dist/manifest.json'))) throw new Error('There is no web client to test')
}

async function runPart(part: Part, wanted: readonly string[]): Promise<Result> {
  if (part.isBuilt) await build()
  const first = await runFiles(part, wanted.length > 0 ? wanted : filesOf(part, ROOT))
  const files = process.env['MARQUEE_TEST_SECOND_RUN'] === '1' ? filesToRepeat(first) : []
  return files.length > 0 ? repeat(part, first, files) : first
}

async function runFiles(part: Part, files: readonly string[], environment: Part['environment'] = {}): Promise<Result> {
  const settings = {
    MARQUEE_TEST_JOBS: process.env['MARQUEE_TEST_JOBS'] ?? `${part.jobs}`,
    ...(part.isBuilt ? { MARQUEE_TEST_BUILT: '1' } : {}),
  }
  const { code, tail } = await runAndReport(files, { ...settings, ...part.environment, ...environment })
  return resultOf(part, code, tail)
}

/** The files that failed; none if they are too many, or if something else failed. */
function filesToRepeat({ failed, failures, isComplete }: Result): readonly string[] {
  const files = new Set(failures.map((line) => line.trim().split(' > ')[0] ?? ''))
  const areFiles = [...files].every((file) => file.endsWith('.test.ts') && existsSync(join(ROOT, file)))
  return isComplete && failed === failures.length && files.size <= SECOND_RUN_MAX && areFiles ? [...files] : []
}

async function repeat(part: Part, first: Result, files: readonly string[]): Promise<Result> {
  console.log(`\n== ${part.script}: a second run of ${files.join(', ')}`)
  const second = await runFiles(part, files, { MARQUEE_TEST_JOBS: '1' })
  const remaining = new Set(second.failures)
  for (const failure of first.failures) if (!remaining.has(failure)) console.log(`UNSTABLE:${failure.replace(/^ +/, ' ')}`)
  return { passed: first.passed + Math.max(0, first.failed - second.failed), failed: second.failed, failures: second.failures }
}

/** Prints the reporter's output as it comes, and returns its end. Test files share a temporary folder, for what is expensive to make. */
async function runAndReport(
  files: readonly string[],
  environment: Part['environment'],
): Promise<{ readonly code: number; readonly tail: string }> {
  const shared = mkdtempSync(join(tmpdir(), 'marquee-tests-'))
  const cache = process.env['NODE_COMPILE_CACHE'] ?? COMPILE_CACHE
  const env = { ...process.env, NODE_COMPILE_CACHE: cache, MARQUEE_TEST_SHARED: shared, ...environment }
  const tests = spawn(process.execPath, [...QUIET, RUN_FILES, ...files], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const reporter = spawn(process.execPath, [REPORTER], { cwd: ROOT, stdio: ['pipe', 'pipe', 'inherit'] })
  tests.stdout.pipe(reporter.stdin)
  let tail = ''
  reporter.stdout.setEncoding('utf8').on('data', (text: string) => {
    process.stdout.write(text)
    tail = `${tail}${text}`.slice(-TAIL_MAX)
  })
  const stop = (signal: NodeJS.Signals): void => void tests.kill(signal)
  process.on('SIGTERM', stop).on('SIGINT', stop)
  try {
    const [code] = await Promise.all([exitCode(tests), exitCode(reporter)])
    return { code, tail }
  } finally {
    process.off('SIGTERM', stop).off('SIGINT', stop)
    rmSync(shared, { recursive: true, force: true })
  }
}

async function exitCode(child: ChildProcess): Promise<number> {
  const [code] = (await once(child, 'close')) as [number | null]
  return code ?? 1
}

/** A part that was cut short, ran nothing, or whose exit code contradicts its closing line, counts as one more failure. */
function resultOf({ script }: Part, code: number, tail: string): Result {
  const lines = tail.split('\n')
  const closing = CLOSING.exec(lines.findLast((line) => CLOSING.test(line)) ?? '')
  const [passed, failed] = [Number(closing?.[1] ?? 0), Number(closing?.[2] ?? 0)]
  const start = lines.lastIndexOf(FAILURES)
  const failures = start === -1 ? [] : lines.slice(start + 1).filter((line) => line.startsWith('  '))
  if (!closing) return { passed, failed: 1, failures: [`  ${script} was cut short (exit code ${code})`] }
  if (passed + failed === 0) return { passed, failed: 1, failures: [`  ${script} ran no test`] }
  if (code !== 0 && failed === 0) return { passed, failed: 1, failures: [`  ${script} ended with exit code ${code}`] }
  return { passed, failed, failures, isComplete: true }
}

async function main([script = 'test', ...wanted]: readonly string[]): Promise<void> {
  const parts = script === 'test:all' ? PARTS : PARTS.filter((part) => part.script === script)
  if (parts.length === 0)
    throw new Error(`No tests are called ${script}. There are ${PARTS.map((part) => part.script).join(', ')}, test:all`)
  buildTap()
  const results: Result[] = []
  for (const part of parts) {
    console.log(`\n== npm run ${part.script}`)
    results.push(await runPart(part, wanted))
  }
  const sum = (count: (result: Result) => number): number => results.reduce((total, result) => total + count(result), 0)
  const failed = sum((result) => result.failed)
  process.exitCode = failed === 0 ? 0 : 1
  if (parts.length === 1 && results[0]?.isComplete) return
  if (failed > 0) console.log([`\n${FAILURES}`, ...results.flatMap(({ failures }) => failures)].join('\n'))
  console.log(`\n${sum((result) => result.passed)} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
}

await main(process.argv.slice(2))
