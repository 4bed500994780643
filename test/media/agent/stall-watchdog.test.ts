import t, { type Test } from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { evenGrid } from '../../../src/domain/streaming/segment-grid.ts'
import type { Encoder } from '../../../src/vocabulary/encoder.ts'
import { findOrphanGuard } from '../../../src/ffmpeg/process.ts'
import { runJob } from '../../../transcode-agent/job.ts'
import type { Content, RecordSender } from '../../../transcode-agent/record-sender.ts'
import { untilStalled } from '../../../transcode-agent/stall-watchdog.ts'
import { programs } from '../../fixtures/media-files.ts'
import { clip } from '../../fixtures/clips.ts'
import { ENCODED } from '../../fixtures/scripted-agent.ts'
import { standInEncoder } from '../stand-in-encoder.ts'

t.setTimeout(120_000)

/** A program that outputs one piece on demand. */
function openProgram() {
  const clock = createTestClock()
  const stuckAfter: number[] = []
  let give: (text: string) => void = () => undefined
  let end = (): void => undefined
  async function* output() {
    for (;;) {
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      give = resolve
      end = () => reject(new Error('Premature close'))
      yield await promise
    }
  }
  const stuck = (afterMs: number): void => {
    stuckAfter.push(afterMs)
    end()
  }
  const pieces = untilStalled(output(), { clock, firstMs: 60_000, nextMs: 30_000, stuck })
  return { clock, stuckAfter, pieces, give: (text: string) => give(text) }
}

t.test('what is not asked for may take its time; what is asked for and does not come ends it', async (t) => {
  const { clock, stuckAfter, pieces, give } = openProgram()
  const first = pieces.next()
  await clock.advance(59_000)
  give('a')
  t.strictSame(await first, { done: false, value: 'a' })
  await clock.advance(600_000)
  t.strictSame(stuckAfter, [], 'nobody reads: it waits at its pipe')
  const second = pieces.next()
  await clock.advance(29_000)
  t.strictSame(stuckAfter, [])
  await clock.advance(1_000)
  t.strictSame(await second, { done: true, value: undefined })
  t.strictSame(stuckAfter, [30_000])
})

t.test('a failing program is reported in its own words', async (t) => {
  async function* failing() {
    yield 'a'
    throw new Error('A box of 3 bytes')
  }
  const pieces = untilStalled(failing(), { clock: createTestClock(), firstMs: 1, nextMs: 1, stuck: () => undefined })
  await pieces.next()
  await t.rejects(pieces.next(), { message: 'A box of 3 bytes' })
})

/** A job whose driver never answers, until its timeout. */
async function endOfStuckJob(t: Test, encoder: Encoder, waitMs: number) {
  const card = await standInEncoder('stuck')
  t.teardown(card.close)
  const { ffmpeg } = await programs
  const clock = createTestClock()
  const [said, failed] = [[] as Content[], [] as string[]]
  const sender: RecordSender = {
    send: async (content) => void said.push(content),
    credit: async () => undefined,
    grant: () => undefined,
    drained: async () => undefined,
    leave: async () => undefined,
    close: () => undefined,
  }
  const source = { fileId: 'film', path: await clip('b-frames.mkv'), sizeBytes: 0, modifiedAtMs: 0, token: '' }
  const place = { jobId: 'job', rendition: 'film.v0', epoch: 1, source, stream: 0, zeroMs: 0, startSegment: 0, seekMs: null }
  const working = runJob({
    spec: { ...place, output: { ...ENCODED, encoder }, grid: evenGrid(10_000), inbox: 'stream.a.job', creditMs: 1e6 },
    input: { type: 'path', path: source.path },
    program: encoder === 'x264' ? ffmpeg : card.ffmpegPath,
    guard: findOrphanGuard(),
    capabilities: { zscale: false },
    sender,
    clock,
    signal: AbortSignal.timeout(100_000),
    encoderFailed: (name, why) => void failed.push(`${name}: ${why}`),
  })
  await clock.advance(waitMs)
  await working
  return { said, failed }
}

t.test('an encoder whose driver hangs does not hold its job forever', async (t) => {
  const { said, failed } = await endOfStuckJob(t, 'nvenc', 60_000)
  t.strictSame(said, [{ type: 'ended', outcome: 'left', reason: 'nvenc failed: gave nothing for 60 seconds' }], 'another one may go on')
  t.strictSame(failed, ['nvenc: gave nothing for 60 seconds'])
})

t.test('software is given longer, and its film is the reason', async (t) => {
  const { said, failed } = await endOfStuckJob(t, 'x264', 180_000)
  t.match(said.at(-1), { type: 'ended', outcome: 'failed', reason: /^\[ffmpeg-stuck\] ffmpeg gave nothing for 1[28]0 seconds$/ })
  t.strictSame(failed, [])
})
