/** Synchronization of the served video and audio, measured by ffprobe: within one audio frame of that in the film. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { segmentAt, segmentCount } from '../../../src/domain/streaming/segment-grid.ts'
import type { Rendition } from '../../../src/domain/streaming/rendition.ts'
import { mediaSet } from '../../fixtures/media-files.ts'
import { clip } from '../../fixtures/clips.ts'
import { lagMs } from './source-proof.ts'
import { runFrom } from '../run-from.ts'
import { openEngineFixture } from '../engine-fixture.ts'
import { packetsOf, AUDIO_RATE, audioOf, audioOfSegments, startMsOf } from './media-facts.ts'

const set = mediaSet()
const FILMS = [
  clip('b-frames.mkv'),
  clip('late-mp3.mkv'),
  clip('late-aac.ts'),
  clip('late-video.mp4'),
  clip('negative-offsets.mp4'),
  ...(set ? [Promise.resolve(join(set.movies, 'Sintel (2010)/Sintel (2010).mkv'))] : []),
]
const LATE_START_MS = 500
/** 1024 samples at 44.1 kHz. */
const FRAME_MS = 23.3

t.jobs = 2
for (const mediaFile of FILMS) {
  const path = await mediaFile
  t.test(`video and audio of ${path.split('/').at(-1)} are together at the start and after a far seek`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'marquee-sync-'))
    const fixture = await openEngineFixture(t)
    const source = await fixture.source(path)
    await fixture.media.index(path, source.fingerprint, AbortSignal.timeout(30_000))
    const plan = await fixture.engine.plan(source)
    const sound = plan.audio[0]!
    const heard = await audioOf(path, sound.stream, plan.zeroMs)
    const shown = (await packetsOf(path, plan.video[0]!.stream)).map(({ ms }) => ms)
    const firstMs = Math.min(...shown) - plan.zeroMs

    /** The segment at a time and the next one, made by a separate run, with the start times that ffprobe reports. */
    async function at(rendition: Rendition, ms: number) {
      const from = Math.min(segmentAt(rendition.grid, ms), Math.max(0, segmentCount(rendition.grid) - 2))
      const { init, segments } = await runFrom({ path, plan, rendition, from, count: 2 })
      const bytes = [...segments.values()]
      const file = join(folder, `${rendition.name}-${from}.mp4`)
      writeFileSync(file, Buffer.concat([init, ...bytes]))
      return { init, bytes, startMs: await startMsOf(file), timesMs: (await packetsOf(file, 0)).map((packet) => packet.ms) }
    }

    for (const ms of [0, plan.durationMs * 0.6]) {
      const ours = await at(sound, ms)
      const samples = await audioOfSegments(ours.init, ours.bytes)
      const shift = Math.round((ours.startMs * AUDIO_RATE) / 1000)
      // Not the very first audio: a fade-in is hard to locate.
      const late = [0.25, 0.5, 0.75].flatMap((share) => lagMs(heard, samples, { at: Math.floor(share * samples.length), shift }) ?? [])
      t.ok(late.length > 0, `sound is heard at ${ms}`)
      for (const rendition of plan.video) {
        const { timesMs } = await at(rendition, ms)
        // A late first frame is displayed from the start, so the second one is measured.
        const startMs = Math.min(...timesMs.filter((one) => ms > 0 || one > firstMs || firstMs < LATE_START_MS))
        const own = shown.reduce((near, one) =>
          Math.abs(one - plan.zeroMs - startMs) < Math.abs(near - plan.zeroMs - startMs) ? one : near,
        )
        const off = Math.max(...late.map((lag) => Math.abs(lag - (startMs - (own - plan.zeroMs)))))
        t.ok(
          off < FRAME_MS,
          `${rendition.name} at ${Math.round(ms)} ms: audio and video are ${off.toFixed(1)} ms further apart than in the film`,
        )
      }
    }
    await fixture.close()
    rmSync(folder, { recursive: true })
  })
}
