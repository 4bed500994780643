/** A process ends with its exit code although a drive does not answer: a pipe that nobody writes to stands for its file. */
import t from 'tap'
import { execa } from 'execa'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
/** Far more than a start and an end take; without the replacement the process would never end. */
const BOUND_MS = 30_000

/** Runs the lines with an `end(code)` and `media`, and returns the exit code. */
async function exitCodeOf(lines: string): Promise<number | undefined> {
  const script = `
    const media = await import('${join(ROOT, 'src/drives/media-files.ts')}')
    const { endProcess: end } = await import('${join(ROOT, 'src/process/ending.ts')}')
    ${lines}`
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', script]
  const { exitCode, timedOut, stderr } = await execa(process.execPath, args, { reject: false, timeout: BOUND_MS, killSignal: 'SIGKILL' })
  t.equal(stderr, '')
  return timedOut ? undefined : exitCode
}

t.test('a process ends at once if no drive is asked', async (t) => {
  t.equal(await exitCodeOf('end(3)'), 3)
})

t.test('a process ends while a file is opened on a drive that does not answer', { skip: process.platform === 'win32' }, async (t) => {
  const pipe = join(t.testdir(), 'film.mkv')
  await execa('mkfifo', [pipe])
  t.equal(await exitCodeOf(`media.openMedia('${pipe}').catch(() => {}); setTimeout(() => end(3), 300)`), 3)
})

t.test('a process ends while a thread waits for a drive', { skip: process.platform === 'win32' }, async (t) => {
  const pipe = join(t.testdir(), 'film.mkv')
  await execa('mkfifo', [pipe])
  const thread = `
    const { Worker } = await import('node:worker_threads')
    const thread = new Worker("import('node:fs').then((fs) => fs.openSync('${pipe}'))", { eval: true })
    thread.once('exit', media.holdThread())
    thread.once('online', () => setTimeout(() => end(3), 300))`
  t.equal(await exitCodeOf(thread), 3)
})
