/** Films assembled from several parts by an edit list, and films whose video and audio do not start together. */
import t from 'tap'
import { segmentCount } from '../../../src/domain/streaming/segment-grid.ts'
import { packagedPrograms, programs } from '../../fixtures/media-files.ts'
import { proveMediaFile } from './clip-proof.ts'
import { oddFile, type OddFile } from './odd-files.ts'
import { onsets } from './onsets.ts'
import { runFrom } from '../run-from.ts'
import { segmentTable } from '../../fixtures/segment-table.ts'
import { openEngineFixture } from '../engine-fixture.ts'
import { audioOfSegments } from './media-facts.ts'

const SPLICED: readonly OddFile[] = ['cut-out.mp4', 'shown-twice.mp4', 'swapped.mp4']
const PACKAGED: OddFile = 'shown-twice.mp4'
const MOST_OFF_MS = 20

/** A machine may have much else to do. */
const PATIENT = { timeout: 200_000 }

t.jobs = 2
for (const name of SPLICED) {
  t.test(
    `${name}, whose edit list shows several stretches, is re-encoded in the order of its timeline, each frame once`,
    PATIENT,
    async (t) => {
      const path = await oddFile(name)
      const fixture = await openEngineFixture(t)
      const source = await fixture.source(path)
      await fixture.media.index(path, source.fingerprint, AbortSignal.timeout(30_000))
      const { decision, video, audio } = await fixture.engine.plan(source)
      await fixture.close()
      t.ok(decision.reasons.includes('video-edited') && decision.reasons.includes('audio-edited'), 'the reasons are told')
      t.notOk([...video, ...audio].some(({ output }) => output.type.startsWith('copy')))
      await proveMediaFile(t, path)
    },
  )
}

t.test(`${PACKAGED} is made again in the order of its timeline by the packaged ffmpeg too`, PATIENT, async (t) => {
  const { ffmpeg } = await packagedPrograms()
  await proveMediaFile(t, await oddFile(PACKAGED), ffmpeg)
})

for (const [name, offsetMs] of [
  ['early-video.wmv', 70],
  ['early-sound.wmv', -80],
] as const) {
  t.test(
    `${name} keeps the ${offsetMs} ms by which its sound comes after its video, wherever a run begins, with both ffmpegs`,
    PATIENT,
    async (t) => {
      const path = await oddFile(name)
      const fixture = await openEngineFixture(t)
      const source = await fixture.source(path)
      await fixture.media.index(path, source.fingerprint, AbortSignal.timeout(30_000))
      const plan = await fixture.engine.plan(source)
      const [frame, sound] = [plan.video.at(-1)!, plan.audio.at(-1)!]
      for (const ffmpegPath of new Set([(await programs).ffmpeg, (await packagedPrograms()).ffmpeg])) {
        for (const from of [0, 1, segmentCount(sound.grid) - 2]) {
          const heard = await runFrom({ path, plan, rendition: sound, from, count: 1, ffmpegPath })
          const segments = [...heard.segments.values()]
          const soundMs = (segmentTable(segments[0]!).start * 1000) / 48_000
          const ticks = onsets(await audioOfSegments(heard.init, segments)).map((ms) => ms + soundMs)
          const shown = await runFrom({ path, plan, rendition: frame, from, count: 1, ffmpegPath })
          const frames = [...shown.segments.values()].flatMap((bytes) => segmentTable(bytes).samples).map(({ pts }) => pts / 90)
          // A tick comes a whole number of seconds after the first audio, and there is a frame every 40 ms.
          const firstMs = Math.max(0, -offsetMs)
          const tick = ticks.filter((ms) => ms > soundMs + 30).map((ms) => Math.abs(((ms - firstMs - offsetMs + 500) % 1000) - 500))
          t.ok(from === 0 || tick.length > 0, `ticks from ${from}`)
          t.ok(Math.max(0, ...tick) <= MOST_OFF_MS, `sound from ${from} is off by ${Math.max(0, ...tick)} ms`)
          t.ok(
            frames.every((ms) => ms > firstMs - 20),
            `no frame from ${from} comes before the film's first`,
          )
          const off = frames.map((ms) => Math.abs(((ms - firstMs + 20) % 40) - 20))
          t.ok(Math.max(...off) <= 1.6, `the video from ${from} is off by ${Math.max(...off)} ms`)
        }
      }
    },
  )
}
