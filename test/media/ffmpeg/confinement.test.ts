import { spawnSync } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { findConfinement, tryConfinement, warnUnconfined, UNCONFINED } from '../../../src/ffmpeg/confinement.ts'
import { programEnvironment } from '../../../src/ffmpeg/environment.ts'
import { generatedInput } from '../../../src/ffmpeg/inputs.ts'
import { startFfmpeg } from '../../../src/ffmpeg/process.ts'
import { runShort } from '../../../src/ffmpeg/run.ts'
import { programs } from '../../fixtures/media-files.ts'
import { hasProc } from '../../fixtures/processes.ts'

const isConfined = hasProc && findConfinement().missing.length === 0
const { ffmpeg } = await programs
const ENDLESS = ['-v', 'error', ...generatedInput('testsrc2'), '-f', 'rawvideo', 'pipe:1']

t.test('a running ffmpeg gains no rights, has limits, and knows no secret of ours', { skip: !isConfined }, async (t) => {
  process.env['MARQUEE_SECRET'] = 'of-the-server'
  t.teardown(() => delete process.env['MARQUEE_SECRET'])
  const running = startFfmpeg(ffmpeg, ENDLESS, { work: 'read' })
  await running.output[Symbol.asyncIterator]().next()
  const of = (name: string) => readFileSync(`/proc/${running.pid}/${name}`, 'utf8')
  t.match(of('cmdline'), /testsrc2/, 'it is ffmpeg itself by now')
  t.match(of('status'), /NoNewPrivs:\s*1/)
  const limits = of('limits')
  t.match(limits, /Max data size\s+6442450944\s/)
  t.match(limits, /Max cpu time\s+86400\s/)
  t.match(limits, /Max open files\s+512\s/)
  t.match(limits, /Max processes\s+8192\s/)
  t.match(limits, /Max core file size\s+0\s/)
  t.notMatch(of('environ'), /MARQUEE|of-the-server/)
  running.kill()
  await running.exited
})

t.test('a program whose parent died while it was started does not run', { skip: !isConfined }, async (t) => {
  const startedBy = (parent: number) => {
    const [command, ...args] = [...findConfinement().before('read', parent), 'echo', 'started']
    return spawnSync(command, args, { encoding: 'utf8' }).stdout
  }
  t.equal(startedBy(process.pid), 'started\n')
  t.equal(startedBy(1), '')
})

t.test('a probe cannot write a file', { skip: !isConfined }, async (t) => {
  const file = `${t.testdir()}/written`
  const bounds = { work: 'probe', timeoutMs: 30_000, maxBytes: 1_000_000 } as const
  const written = await runShort(ffmpeg, ['-v', 'error', ...generatedInput('testsrc2'), '-frames:v', '1', '-f', 'rawvideo', file], bounds)
  t.not(written.code, 0)
  t.equal(statSync(file, { throwIfNoEntry: false })?.size ?? 0, 0)
})

/** A folder whose tools note that they were started, and start what follows their options. Those in `refusing` do not. */
function tools(folder: string, refusing: readonly string[] = []) {
  const log = join(folder, 'log')
  const startNext = 'while case "$1" in -*|KILL) true;; *) false;; esac; do shift; done; exec "$@"'
  for (const name of ['setpriv', 'prlimit', 'true']) {
    const then = name === 'true' ? '' : refusing.includes(name) ? 'exit 1' : startNext
    writeFileSync(join(folder, name), `#!/bin/sh\necho ${name} >>${log}\n${then}\n`, { mode: 0o755 })
  }
  return { started: () => readFileSync(log, 'utf8').split('\n').filter(Boolean) }
}

t.test('all is tried ahead in one process, and not tried again', async (t) => {
  const folder = t.testdir()
  const { started } = tools(folder)
  await tryConfinement(folder)
  t.strictSame(started(), ['setpriv', 'prlimit', 'prlimit', 'prlimit', 'true'])
  t.strictSame(findConfinement(folder).missing, [])
  t.equal(started().length, 5)
})

t.test('if one of them refuses, each is tried alone', async (t) => {
  const folder = t.testdir()
  const { started } = tools(folder, ['setpriv'])
  await tryConfinement(folder)
  const ahead = started().length
  t.strictSame(findConfinement(folder).missing, ['no-new-privs'])
  t.ok(findConfinement(folder).before('read').includes('--nofile=512'))
  t.equal(started().length, ahead)
})

t.test('if the tools are missing, programs run without limits, and that is reported once', async (t) => {
  const none = findConfinement(t.testdir())
  t.strictSame(none.before('encode'), [])
  t.notOk(none.diesWithParent)
  t.ok(none.missing.includes('no-new-privs') && none.missing.includes('data'))
  const said: string[] = []
  for (let times = 0; times < 2; times++) warnUnconfined(({ message }) => void said.push(message), none)
  t.equal(said.length, 1)
  t.match(said[0], /without limits.*util-linux/s)
  const exit = await startFfmpeg(ffmpeg, ['-version'], { work: 'encode', guard: 'watchdog' }).exited
  t.equal(exit.code, 0)
})

t.test('programs are given what graphics drivers need, and no proxy or password', async (t) => {
  const given = programEnvironment({ PATH: '/bin', LIBVA_DRIVER_NAME: 'iHD', http_proxy: 'x', NATS_PASSWORD: 'x', MARQUEE_SECRET: 'x' })
  t.strictSame(Object.keys(given).toSorted(), ['GCONV_PATH', 'LIBVA_DRIVER_NAME', 'PATH'])
  t.strictSame(UNCONFINED.before('probe'), [])
})
