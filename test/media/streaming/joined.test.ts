/** Films joined byte by byte from recordings whose times each begin anew. */
import t from 'tap'
import type { StreamPlan } from '../../../src/domain/streaming/plan.ts'
import { packagedPrograms, programs } from '../../fixtures/media-files.ts'
import { segmentTable } from '../../fixtures/segment-table.ts'
import { openEngineFixture } from '../engine-fixture.ts'
import { patience } from '../patience.ts'
import { runFrom } from '../run-from.ts'
import { audioOfSegments } from './media-facts.ts'
import { oddFile, type OddFile } from './odd-files.ts'
import { onsets } from './onsets.ts'

const [FIRST_SECONDS, SECOND_SECONDS] = [16, 12]
const FRAMES = 25 * (FIRST_SECONDS + SECOND_SECONDS)
/** One AAC frame of priming, and rounding. */
const MOST_OFF_MS = 30
/** A part may be taken for that much longer than it is. */
const MOST_GAP_MS = 150

type Test = Parameters<typeof openEngineFixture>[0]

async function setUp(t: Test, name: OddFile) {
  const path = await oddFile(name)
  const fixture = await openEngineFixture(t)
  const source = await fixture.source(path)
  await fixture.media.index(path, source.fingerprint, patience(`index of ${name}`))
  return { path, source, plan: await fixture.engine.plan(source) }
}

/** As it is planned before its index is ready. */
async function setUpWithoutIndex(t: Test, name: OddFile) {
  const path = await oddFile(name)
  const { media } = await openEngineFixture(t)
  const fixture = await openEngineFixture(t, { media: { ...media, index: () => Promise.reject(new Error('It is not ready')) } })
  const source = await fixture.source(path)
  return { path, plan: await fixture.engine.plan(source) }
}

const timesOf = (bytes: Uint8Array): readonly number[] => segmentTable(bytes).samples.map(({ pts }) => pts)

async function playsAlike(t: Test, path: string, plan: StreamPlan, ffmpegPath: string): Promise<void> {
  const input = { type: 'path' as const, path, parts: plan.parts! }
  const [frames, sound] = [plan.video.at(-1)!, plan.audio[0]!]
  const whole = await runFrom({ path, input, plan, rendition: frames, from: 0, ffmpegPath })
  t.strictSame(whole.missing, [])
  t.equal([...whole.segments.values()].flatMap(timesOf).length, FRAMES, 'every frame of both parts')
  for (const from of whole.segments.keys()) {
    const { segments } = await runFrom({ path, input, plan, rendition: frames, from, count: 1, ffmpegPath })
    t.strictSame(timesOf(segments.get(from)!), timesOf(whole.segments.get(from)!), `segment ${from} after a seek`)
  }
  const heard = await runFrom({ path, input, plan, rendition: sound, from: 0, ffmpegPath })
  const ticks = onsets(await audioOfSegments(heard.init, [...heard.segments.values()]))
  t.equal(ticks.length, FIRST_SECONDS + SECOND_SECONDS)
  const secondMs = plan.parts![0]!.durationMs
  for (const [index, ms] of ticks.entries()) {
    const wantedMs = index < FIRST_SECONDS ? index * 1000 : secondMs + (index - FIRST_SECONDS) * 1000
    t.ok(Math.abs(ms - wantedMs) < MOST_OFF_MS, `tick ${index} at ${ms} ms`)
  }
}

for (const name of ['clock-restarts.ts', 'clock-far-ahead.ts', 'clock-restarts.vob'] as const) {
  t.test(`${name} plays one part after the other, with both ffmpegs`, { timeout: 300_000 }, async (t) => {
    const { path, source, plan } = await setUp(t, name)
    t.equal(source.media.container, name.endsWith('.vob') ? 'mpeg' : 'mpegts')
    const gapMs = plan.durationMs - 1000 * (FIRST_SECONDS + SECOND_SECONDS)
    t.ok(gapMs >= 0 && gapMs < 2 * MOST_GAP_MS, `it lasts ${plan.durationMs} ms`)
    t.equal(plan.parts?.length, 2)
    for (const ffmpegPath of new Set([(await programs).ffmpeg, (await packagedPrograms()).ffmpeg]))
      await playsAlike(t, path, plan, ffmpegPath)
  })
}

for (const name of ['clock-restarts.ts', 'clock-far-ahead.ts', 'clock-restarts.vob'] as const) {
  t.test(`${name} plays in the same way before its index is ready`, { timeout: 300_000 }, async (t) => {
    const { path, plan } = await setUpWithoutIndex(t, name)
    t.equal(plan.parts?.length, 2)
    await playsAlike(t, path, plan, (await programs).ffmpeg)
  })
}

t.test('a pause in a recording is no other recording', async (t) => {
  const { plan } = await setUp(t, 'clock-jumps.ts')
  t.equal(plan.parts, undefined)
})
