import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import type { FfprobeRun, RunFfprobe } from '../../../src/adapters/ffmpeg/ffprobe.ts'
import { createFfprobe } from '../../../src/adapters/ffmpeg/ffprobe.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { NotPlayable } from '../../../src/ports/media.ts'
import { mediaFfmpeg } from '../../../src/wiring/media-ffmpeg.ts'

const never = new AbortController().signal

/** A fake ffprobe: a shell script in a separate folder. */
function script(folder: string, lines: string): string {
  const path = join(folder, 'ffprobe')
  writeFileSync(path, `#!/bin/sh\n${lines}\n`)
  chmodSync(path, 0o755)
  return path
}

const ask = (more: Partial<FfprobeRun> = {}): FfprobeRun => ({
  path: '/films/a film.mkv',
  read: { type: 'describe' },
  signal: never,
  timeoutMs: 30_000,
  background: false,
  take: () => undefined,
  ...more,
})

const on = (program: string): RunFfprobe => createFfprobe({ start: mediaFfmpeg('ffmpeg', program), clock: createSystemClock() })

t.test('the file is named with its protocol, and no other protocol and no playlist is allowed', async (t) => {
  let output = ''
  const { ok } = await on(script(t.testdir(), `printf '%s\\n' "$@"`))(ask({ take: (text) => void (output += text) }))
  const lines = output.trim().split('\n')
  t.equal(ok, true)
  t.equal(lines.at(-1), 'file:/films/a film.mkv')
  t.equal(lines[lines.indexOf('-protocol_whitelist') + 1], 'file')
  const formats = lines[lines.indexOf('-format_whitelist') + 1]?.split(',') ?? []
  t.ok(formats.includes('matroska') && !formats.some((format) => ['hls', 'concat', 'dash', 'image2', 'jpeg_pipe'].includes(format)))
})

t.test('a probe that takes 30 s is killed and times out', async (t) => {
  const folder = t.testdir()
  const clock = createTestClock()
  let pid = ''
  const running = Promise.withResolvers<void>()
  const take = (text: string): void => {
    pid += text
    running.resolve()
  }
  const probe = createFfprobe({ start: mediaFfmpeg('ffmpeg', script(folder, 'echo $$\nexec sleep 600')), clock })(ask({ take }))
  await running.promise
  const refused = t.rejects(probe, new NotPlayable('Probe timed out'))
  await clock.advance(29_999)
  t.doesNotThrow(() => process.kill(Number(pid), 0), 'it runs until then')
  await clock.advance(1)
  await refused
  t.throws(() => process.kill(Number(pid), 0), { code: 'ESRCH' }, 'it is gone')
})

t.test('the signal kills it and is the reason', async (t) => {
  const stop = new AbortController()
  const reason = new Error('shut down')
  const run = on(script(t.testdir(), 'echo started\nexec sleep 600'))(ask({ signal: stop.signal, take: () => stop.abort(reason) }))
  await t.rejects(run, reason)
})

t.test('a throw of the taker ends it', async (t) => {
  const tooMuch = new Error('too much')
  const run = on(script(t.testdir(), 'while :; do echo more; done'))(
    ask({
      take: () => {
        throw tooMuch
      },
    }),
  )
  await t.rejects(run, tooMuch)
})

t.test('endless complaints are cut off and do not hold it up', async (t) => {
  const { ok, errors } = await on(script(t.testdir(), 'head -c 3000000 /dev/zero | tr "\\0" "x" >&2\nexit 1'))(ask())
  t.equal(ok, false)
  t.equal(errors.length, 16_384)
})

t.test("a crash on a film is the film's fault, a program that is missing is not", async (t) => {
  await t.rejects(on(script(t.testdir(), 'kill -SEGV $$'))(ask()), new NotPlayable('It makes the media reader crash'))
  await t.rejects(on('/nowhere/ffprobe')(ask()), { name: 'Error', message: 'ffprobe cannot be started' })
})
