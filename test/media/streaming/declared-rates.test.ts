/** The bit rates that the master playlist declares, for clips whose frames or boxes are unusually large. */
import { execa } from 'execa'
import t from 'tap'
import { EVERY_CODEC } from './capable-player.ts'
import { clip } from '../../fixtures/clips.ts'
import { fetchFrom } from './engine-fetch.ts'
import { programs } from '../../fixtures/media-files.ts'
import { oddFile } from './odd-files.ts'
import { openEngineFixture } from '../engine-fixture.ts'
import { fetchServed } from '../validator/served.ts'
import { verdictOn } from '../validator/verdict.ts'

const { ffmpeg } = await programs
const encoders = (await execa(ffmpeg, ['-v', 'error', '-encoders'])).stdout
const NO_VP9 = encoders.includes('libvpx-vp9') ? false : 'this ffmpeg makes no VP9'

for (const name of ['small-120.mp4', 'noise-120.mp4', 'late-burst.mp4', 'five-minutes.mp4', 'hdr-vp9.mkv'] as const) {
  const options = { timeout: 240_000, skip: name === 'hdr-vp9.mkv' && NO_VP9 }
  t.test(`BANDWIDTH and AVERAGE-BANDWIDTH of ${name} are no less than what its segments take`, options, async (t) => {
    const fixture = await openEngineFixture(t, { answerWithinMs: 60_000 })
    const mediaFile = await fixture.source(await clip(name))
    await fixture.media.index(mediaFile.path, mediaFile.fingerprint, AbortSignal.timeout(30_000))
    const served = await fetchServed(fetchFrom(fixture, { ...mediaFile, options: { capabilities: EVERY_CODEC } }))
    t.strictSame(verdictOn(served), [])
    t.ok(served.renditions.some((one) => one.name === '240p'))
    t.ok(served.renditions.some((one) => one.name === 'original'))
  })
}

t.test('slides whose Matroska states 60 frames a second are not declared as FRAME-RATE 60', async (t) => {
  const fixture = await openEngineFixture(t, { answerWithinMs: 60_000 })
  const mediaFile = await fixture.source(await oddFile('slides-at-60.mkv'))
  t.equal(mediaFile.media.video[0]?.frameRate, 60, 'the container states it')
  await fixture.media.index(mediaFile.path, mediaFile.fingerprint, AbortSignal.timeout(30_000))
  const plan = await fixture.engine.plan({ ...mediaFile, options: { capabilities: EVERY_CODEC } })
  t.ok(plan.video.length > 0)
  t.ok(plan.video.every(({ frameRate }) => frameRate === null))
})
