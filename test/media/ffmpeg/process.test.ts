import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { getPriority } from 'node:os'
import t from 'tap'
import { programs } from '../../fixtures/media-files.ts'
import { findOrphanGuard, startFfmpeg } from '../../../src/ffmpeg/process.ts'
import { comesToRest, hasProc, untilProcesses } from '../../fixtures/processes.ts'

/** A server that runs an ffmpeg that never ends. */
const SERVER = `
  const { startFfmpeg } = await import(process.argv[1])
  const [program, guard, marker] = process.argv.slice(2)
  startFfmpeg(program, ['-v', 'error', '-re', '-f', 'lavfi', '-i', 'testsrc2=rate=1', '-metadata', 'title=' + marker, '-f', 'null', '-'], { work: 'encode', guard })
  console.log('started')
  setInterval(() => undefined, 1_000)
`
const PROCESSES = new URL('../../../src/ffmpeg/process.ts', import.meta.url).href

const endless = (marker: string) => [
  '-v',
  'error',
  '-f',
  'lavfi',
  '-i',
  'testsrc2',
  '-metadata',
  `title=${marker}`,
  '-f',
  'rawvideo',
  'pipe:1',
]

t.test('what ffmpeg says last is kept, with how it ended', async (t) => {
  const { ffmpeg } = await programs
  const exit = await startFfmpeg(ffmpeg, ['-v', 'error', '-i', 'file:/no/such/film.mkv'], { work: 'encode' }).exited
  t.equal(exit.signal, null)
  t.not(exit.code, 0)
  t.match(exit.errors, /No such file/)
})

t.test('an absent program ends at once, with an error', async (t) => {
  const exit = await startFfmpeg('/no/such/ffmpeg', [], { work: 'encode', guard: 'watchdog' }).exited
  t.match(exit.errors, /ENOENT/)
})

t.test('ffmpeg waits while nobody reads, below the priority of others', { skip: !hasProc }, async (t) => {
  const { ffmpeg } = await programs
  const running = startFfmpeg(ffmpeg, endless('marquee-unread'), { work: 'encode', guard: 'watchdog' })
  const reader = running.output[Symbol.asyncIterator]()
  await reader.next()
  t.ok(await comesToRest(running.pid ?? 0, 500), 'no work in half a second')
  t.equal(getPriority(running.pid), 5)
  running.kill()
  t.equal((await running.exited).signal, 'SIGKILL')
})

for (const guard of ['setpriv', 'watchdog'] as const) {
  t.test(
    `an ffmpeg that is stopped is gone, and what guards it too (${guard})`,
    { skip: !hasProc || (guard === 'setpriv' && findOrphanGuard() !== guard) },
    async (t) => {
      const { ffmpeg } = await programs
      const marker = `marquee-stop-${guard}-${process.pid}`
      const running = startFfmpeg(ffmpeg, endless(marker), { work: 'encode', guard })
      t.equal((await untilProcesses(marker, 1)).length, 1)
      running.kill()
      await running.exited
      t.strictSame(await untilProcesses(marker, 0), [])
      // The watchdog ends after its ffmpeg: its pipe closes when the server has seen the exit.
      t.strictSame(await untilProcesses(`sh ${running.pid}`, 0), [])
    },
  )

  t.test(
    `kill -9 of the server leaves no ffmpeg behind (${guard})`,
    { skip: !hasProc || (guard === 'setpriv' && findOrphanGuard() !== guard) },
    async (t) => {
      const marker = `marquee-orphan-${guard}-${process.pid}`
      const { ffmpeg } = await programs
      const server = spawn(process.execPath, ['--input-type=module', '-e', SERVER, PROCESSES, ffmpeg, guard, marker], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      await once(server.stdout, 'data')
      // The server itself has the marker in its command line.
      t.equal((await untilProcesses(marker, 2)).length, 2)
      server.kill('SIGKILL')
      await once(server, 'exit')
      t.strictSame(await untilProcesses(marker, 0, 10_000), [])
    },
  )
}
