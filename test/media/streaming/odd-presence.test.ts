/**
 * Films with gaps in video or audio are served completely: no URI in a playlist returns 404. A few films in every run; all odd films if
 * `MARQUEE_TEST_ODD_FILMS=all`, or those that it names.
 */
import t, { type Test } from 'tap'
import { packagedPrograms } from '../../fixtures/media-files.ts'
import { segmentCount } from '../../../src/domain/streaming/segment-grid.ts'
import { EVERY_CODEC } from './capable-player.ts'
import { fetchFrom } from './engine-fetch.ts'
import { ODD_FILES, oddFile, type OddFile } from './odd-files.ts'
import { runFrom } from '../run-from.ts'
import { openEngineFixture } from '../engine-fixture.ts'
import { fetchServed } from '../validator/served.ts'
import { verdictOn } from '../validator/verdict.ts'

const USUAL: readonly OddFile[] = ['ends-early.mkv', 'pauses.mkv', 'gap-in-flac.mkv', 'empty-edit.mp4', 'mid-group.ts', 'one-frame.mkv']
const PACKAGED: ReadonlySet<OddFile> = new Set(['ends-early.mkv', 'pauses.mkv', 'empty-edit.mp4'])
/** It has thousands of segments: another test checks some of them. */
const TOO_LONG: ReadonlySet<OddFile> = new Set(['ten-hours.mkv'])
const PATIENCE_MS = 60_000

const { MARQUEE_TEST_ODD_FILMS: asked = '' } = process.env
const named = ODD_FILES.filter((name) => asked.split(',').includes(name))
const films = asked === 'all' ? ODD_FILES.filter((name) => !TOO_LONG.has(name)) : named.length > 0 ? named : USUAL

async function isPresent(t: Test, name: OddFile, ffmpegPath?: string): Promise<void> {
  const making = ffmpegPath === undefined ? {} : { ffmpegPath }
  const path = await oddFile(name)
  const fixture = await openEngineFixture(t, { answerWithinMs: PATIENCE_MS, ...making })
  const source = { ...(await fixture.source(path)), options: { capabilities: EVERY_CODEC } }
  await fixture.media.index(path, source.fingerprint, AbortSignal.timeout(PATIENCE_MS)).catch(() => undefined)
  const plan = await fixture.engine.plan(source)
  const smallest = plan.video.findLast(({ method }) => method === 'transcode')
  const without = (quality: string) => plan.video.some((one) => one.method === 'transcode' && one.name === quality && one !== smallest)
  t.strictSame(verdictOn(await fetchServed(fetchFrom(fixture, source), { without })), [], 'no rule is broken')
  for (const rendition of [...(smallest ? [smallest] : []), ...plan.video.filter(({ method }) => method === 'remux'), ...plan.audio]) {
    const count = segmentCount(rendition.grid)
    for (const from of new Set([count >> 1, count - 1])) {
      const { segments, missing } = await runFrom({ path, plan, rendition, from, count: 2, ...making })
      t.strictSame([missing, [...segments.keys()][0]], [[], from], `${rendition.name} from ${from}`)
    }
  }
  t.strictSame(fixture.problems, [])
}

t.jobs = 2
for (const name of films) {
  t.test(`${name}: everything that its playlists list can be had, from wherever a run begins`, { timeout: 4 * PATIENCE_MS }, async (t) =>
    isPresent(t, name),
  )
}

for (const name of films.filter((one) => asked === 'all' || PACKAGED.has(one))) {
  t.test(`${name}: everything that its playlists list can be had from the packaged ffmpeg`, { timeout: 4 * PATIENCE_MS }, async (t) => {
    const { ffmpeg } = await packagedPrograms()
    await isPresent(t, name, ffmpeg)
  })
}
