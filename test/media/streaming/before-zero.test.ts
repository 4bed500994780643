/** A Matroska film with frames before the container's time 0, which ffmpeg reads without times. */
import t from 'tap'
import { packagedPrograms, programs } from '../../fixtures/media-files.ts'
import { segmentTable } from '../../fixtures/segment-table.ts'
import { openEngineFixture } from '../engine-fixture.ts'
import { runFrom } from '../run-from.ts'
import { audioOfSegments } from './media-facts.ts'
import { oddFile } from './odd-files.ts'
import { onsets } from './onsets.ts'

/** One AAC frame of priming, and rounding. */
const MOST_OFF_MS = 30

t.test('it is transcoded, and plays in step from its start and after a seek, with both ffmpegs', { timeout: 200_000 }, async (t) => {
  const path = await oddFile('before-zero.mkv')
  const fixture = await openEngineFixture(t)
  const source = await fixture.source(path)
  await fixture.media.index(path, source.fingerprint, AbortSignal.timeout(30_000))
  const plan = await fixture.engine.plan(source)
  t.ok(plan.decision.reasons.includes('video-edited'), 'the reason is reported')
  const [frames, sound] = [plan.video.at(-1)!, plan.audio[0]!]
  for (const ffmpegPath of new Set([(await programs).ffmpeg, (await packagedPrograms()).ffmpeg])) {
    for (const rendition of [frames, sound]) {
      const [whole, sought] = await Promise.all([0, 1].map((from) => runFrom({ path, plan, rendition, from, ffmpegPath })))
      t.strictSame([whole?.missing, sought?.missing], [[], []], `${rendition.name}: no segment is missing`)
      const timesOf = (bytes: Uint8Array): readonly number[] => segmentTable(bytes).samples.map(({ pts }) => pts)
      for (const [segment, bytes] of sought!.segments)
        t.strictSame(timesOf(bytes), timesOf(whole!.segments.get(segment)!), `${rendition.name}: segment ${segment} after a seek`)
    }
    const { init, segments } = await runFrom({ path, plan, rendition: sound, from: 0, ffmpegPath })
    const heard = onsets(await audioOfSegments(init, [...segments.values()]))
    t.equal(heard.length, 8)
    for (const [second, ms] of heard.entries()) t.ok(Math.abs(ms - second * 1000) < MOST_OFF_MS, `tone ${second} at ${ms} ms`)
  }
})
