import { join } from 'node:path'
import t from 'tap'
import { mediaSet } from '../../fixtures/media-files.ts'
import { EVERY_CODEC } from './capable-player.ts'
import { clip } from '../../fixtures/clips.ts'
import { show } from './playlist-player.ts'
import { openEngineFixture } from '../engine-fixture.ts'

const set = mediaSet()
const FILMS = [
  { path: 'Big Buck Bunny - The Complete Short (2008)/Big Buck Bunny - The Complete Short (2008).mp4', variant: 'original' },
  { path: 'Flower.2019.540p.WEB-DL.x264-CC0.mp4', variant: 'original' },
  { path: 'Flower.2019.540p.WEB-DL.x264-CC0.mp4', variant: '360p' },
  { path: 'Tears of Steel (2012)/Tears of Steel (2012).mkv', variant: '480p' },
  { path: 'Apollo 15 Hammer and Feather Drop (1971)/Apollo 15 Hammer and Feather Drop (1971).webm', variant: '360p' },
] as const

for (const { path, variant } of FILMS) {
  t.test(`ffmpeg plays ${variant} of ${path.split('/').at(-1)} from start to end without an error`, { skip: !set }, async (t) => {
    const fixture = await openEngineFixture(t)
    const source = await fixture.source(join(set!.movies, path))
    const shown = await show(fixture, source, variant)
    t.strictSame(shown.errors, [])
    t.ok(Math.abs(shown.seconds - source.media.durationMs / 1000) < 0.1, `${shown.seconds} s of ${source.media.durationMs / 1000}`)
    t.equal(shown.frames, set!.manifest.files.find((file) => file.path === `movies/${path}`)?.video['frameCount'])
  })
}

for (const name of ['b-frames.mkv', 'open-gop.mkv', 'variable.mp4', 'broadcast.ts', 'late-audio.mp4', 'mp3.mkv'] as const) {
  t.test(`ffmpeg plays both variants of ${name} from start to end without an error`, async (t) => {
    const fixture = await openEngineFixture(t)
    const source = { ...(await fixture.source(await clip(name))), options: { capabilities: EVERY_CODEC } }
    for (const variant of ['original', '240p']) {
      const shown = await show(fixture, source, variant)
      t.strictSame(shown.errors, [], variant)
      t.ok(
        Math.abs(shown.seconds - source.media.durationMs / 1000) < 0.1,
        `${variant}: ${shown.seconds} s of ${source.media.durationMs / 1000}`,
      )
    }
  })
}
