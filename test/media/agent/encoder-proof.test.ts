import { existsSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { createProof } from '../../../transcode-agent/encoder-proof.ts'
import { programs } from '../../fixtures/media-files.ts'
import { findProgram } from '../../fixtures/programs.ts'
import { hasProc, untilProcesses } from '../../fixtures/processes.ts'
import { standInEncoder, type Habit } from '../stand-in-encoder.ts'

const clock = createSystemClock()
const going = () => new AbortController().signal
// The clock's timers keep no process alive.
const awake = setInterval(() => undefined, 1_000)
t.teardown(() => clearInterval(awake))
/** A loaded machine takes longer than any agent would wait. */
const PATIENT = { clock, limitMs: 120_000 }

async function proofOf(habit: Habit, limitMs = PATIENT.limitMs) {
  const { ffmpegPath, close } = await standInEncoder(habit)
  t.teardown(close)
  return createProof({ clock, ffmpegPath, limitMs })('nvenc', going())
}

/** At a path that no other test uses: agents of other tests run the same proof film, and ffmpegs are found by their path. */
async function ownFfmpeg(t: Test): Promise<string> {
  const { ffmpeg } = await programs
  const path = join(t.testdir(), 'ffmpeg')
  symlinkSync(findProgram(ffmpeg) ?? ffmpeg, path)
  return path
}

t.test('the proof of an encoder measures it', async (t) => {
  const { ffmpeg } = await programs
  const proof = await createProof({ ...PATIENT, ffmpegPath: ffmpeg })('x264', going())
  t.match(proof, { type: 'proved', encoder: { name: 'x264' } })
  if (proof.type === 'proved') t.comment(`${proof.encoder.framesPerSecond} frames a second`)
  t.ok(proof.type === 'proved' && proof.encoder.framesPerSecond > 0)
})

t.test('the time that it waits for the CPU does not count, even if it runs out of time', { skip: !hasProc }, async (t) => {
  const { ffmpeg } = await programs
  const folder = t.testdir()
  const [ffmpegPath, made] = [join(folder, 'ffmpeg'), join(folder, 'made')]
  // It is ended before it can report its CPU time.
  const script = `#!/bin/sh\n${findProgram(ffmpeg) ?? ffmpeg} "$@" 2>/dev/null\ntouch ${made}\nexec sleep 1000\n`
  writeFileSync(ffmpegPath, script, { mode: 0o755 })
  const standing = createTestClock()
  const proving = createProof({ clock: standing, ffmpegPath, limitMs: 20_000 })('x264', going())
  while (!existsSync(made)) await sleep(50)
  await standing.advance(20_000)
  const proof = await proving
  t.match(proof, { type: 'proved' })
  // By the elapsed time it would be two.
  t.ok(proof.type === 'proved' && proof.encoder.framesPerSecond > 10)
})

t.test('it gives way at once', async (t) => {
  const ffmpegPath = await ownFfmpeg(t)
  const stop = new AbortController()
  const interrupted = createProof({ ...PATIENT, ffmpegPath })('x264', stop.signal)
  setTimeout(() => stop.abort(new Error('A job has begun')), 50)
  await t.rejects(interrupted, { message: 'A job has begun' })
  if (hasProc) t.strictSame(await untilProcesses(ffmpegPath, 0), [])
})

t.test('it says why there is none', async (t) => {
  const { ffmpeg } = await programs
  const missing = await createProof({ clock, ffmpegPath: '/no/such/ffmpeg' })('x264', going())
  t.match(missing, { type: 'disproved', why: /No such file|ENOENT|not found/ })
  const elsewhere = await createProof({ ...PATIENT, ffmpegPath: ffmpeg })('videotoolbox', going())
  if (process.platform !== 'darwin') t.match(elsewhere, { type: 'disproved', why: /.+/ })
})

t.test('an encoder in hardware is proved by what it makes', async (t) => {
  const proof = await proofOf('works')
  t.match(proof, { type: 'proved', encoder: { name: 'nvenc' } })
  t.ok(proof.type === 'proved' && proof.encoder.framesPerSecond > 0)
})

t.test('an encoder that resumes elsewhere than requested is not proved, although it ends well', async (t) => {
  t.match(await proofOf('deaf'), { type: 'disproved', why: /does not start a keyframe exactly where it is asked to/ })
})

t.test('one whose card takes no session is not proved, in the words of its driver', async (t) => {
  t.strictSame(await proofOf('full'), {
    type: 'disproved',
    why: '[h264_nvenc @ 0x1] OpenEncodeSessionEx failed: out of memory (10): (no details)',
  })
})

t.test('one that hangs is given up, and nothing is left of it', async (t) => {
  const { ffmpegPath, close } = await standInEncoder('stuck')
  t.teardown(close)
  const proof = await createProof({ clock, ffmpegPath, limitMs: 3_000 })('nvenc', going())
  t.match(proof, { type: 'undecided', why: /too little in 3 seconds/ })
  if (hasProc) t.strictSame(await untilProcesses(ffmpegPath, 0), [])
})

t.test('one that had no time to show anything is neither proved nor disproved', async (t) => {
  const { ffmpeg } = await programs
  const standing = createTestClock()
  const proving = createProof({ clock: standing, ffmpegPath: ffmpeg, limitMs: 1 })('x264', going())
  await standing.advance(1)
  t.match(await proving, { type: 'undecided' })
})
