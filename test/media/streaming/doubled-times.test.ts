/** Films with two frames at one time: each frame is displayed at a separate time, whichever run made it, and none is lost at joins. */
import t from 'tap'
import { packagedPrograms } from '../../fixtures/media-files.ts'
import { proveMediaFile } from './clip-proof.ts'
import { oddFile, type OddFile } from './odd-files.ts'

const FILMS: readonly OddFile[] = [
  'doubled.mkv',
  'halved.mkv',
  'halved-b-frames.mkv',
  'doubled-at-joins.mkv',
  'doubled-at-joins.ts',
  'doubled-at-joins.mp4',
]
const PACKAGED: readonly OddFile[] = ['halved-b-frames.mkv']

t.jobs = 2
for (const name of FILMS) {
  t.test(`each frame of ${name} is shown once, at a time of its own that rises, copied and encoded`, async (t) => {
    await proveMediaFile(t, await oddFile(name))
  })
}

for (const name of PACKAGED) {
  t.test(`each frame of ${name} is shown once, at a time of its own that rises, with the packaged ffmpeg`, async (t) => {
    const { ffmpeg } = await packagedPrograms()
    await proveMediaFile(t, await oddFile(name), ffmpeg)
  })
}
