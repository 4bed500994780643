/**
 * Runs test files, a few at a time, and prints TAP: `run-files.ts <file>...`. A file has a process of its own, except those of rooms
 * whose tests touch nothing but their own values: they share one, many at a time, because starting a process costs more than they do.
 *
 * tap's own command does the same with hooks for coverage and source maps, which read every module again, in each process and in those that
 * it starts; and with hooks that follow each promise (tap-domain.ts).
 */
import type { ChildProcess } from 'node:child_process'
import t, { type Spawn } from 'tap'
import { processesOf } from './test-processes.ts'
import { testCommand } from './test-command.ts'

const JOBS = Number(process.env['MARQUEE_TEST_JOBS'] ?? 2)
/** Of a file; a test may set its own. */
const FILE_TIMEOUT_MS = 240_000

const running = new Set<ChildProcess>()
t.on('spawn', (spawned: Spawn) => {
  spawned.on('process', (child) => {
    running.add(child)
    child.once('close', () => running.delete(child))
  })
})
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => {
    t.bailout(signal)
    for (const child of running) child.kill(signal)
  })

t.setTimeout(0)
t.jobs = JOBS
for (const { name, files } of processesOf(process.argv.slice(2))) {
  const timeout = FILE_TIMEOUT_MS * files.length
  void t.spawn('env', files.length === 1 ? testCommand('alone.ts', ...files) : testCommand('together.ts'), {
    name,
    buffered: true,
    timeout,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, TAP_TIMEOUT: `${timeout / 1000}`, MARQUEE_TEST_FILES: files.join('\n') },
  })
}
