/** Burned-in subtitles of every kind: at their times, in their positions, whichever run made the segment. */
import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { StreamSource } from '../../../src/app/streaming/engine.ts'
import { segmentAt } from '../../../src/domain/streaming/segment-grid.ts'
import { subtitlesOf } from '../../fixtures/movie-facts.ts'
import { mediaSet } from '../../fixtures/media-files.ts'
import { asBroadcast, bitmapClip, brightBox, darkClip, folderFor, mostDiffering, frameAt, shownIn, type Shown } from '../burnt-clips.ts'
import { firstFrame, numbers, openEngineFixture, renditionNamed, type EngineFixture } from '../engine-fixture.ts'

async function engineFor(t: Test): Promise<EngineFixture> {
  const fixture = await openEngineFixture(t)
  return fixture
}

/** The frames that a viewer sees who requests the segments in that order. */
async function seen(fixture: EngineFixture, source: StreamSource, order?: readonly number[]): Promise<Shown> {
  const plan = await fixture.engine.plan(source)
  const { rendition, quality, count } = await renditionNamed(
    fixture,
    source,
    plan.video.find(({ method }) => method === 'transcode')?.name ?? '',
  )
  const segments = await fixture.fetch(source, quality, order ?? numbers(count))
  const init = await fixture.init(source, quality)
  const inOrder = [...segments].toSorted(([a], [b]) => a - b).map(([, bytes]) => bytes)
  const { output } = rendition
  const size = output.type === 'encode-video' ? { width: output.width, height: output.height } : { width: 2, height: 2 }
  return shownIn(init, inOrder, size)
}

const burning = (source: StreamSource, burnIn: number): StreamSource => ({ ...source, options: { burnIn } })

/** A film of twelve seconds whose segments are each made by a separate run on a fresh engine shows the same frames. */
async function isSameFromAnywhere(t: Test, source: StreamSource, shown: Shown): Promise<void> {
  const apart = await seen(await engineFor(t), source, numbers(6).toReversed())
  t.ok(mostDiffering(shown, apart) < 4, `${mostDiffering(shown, apart)} points`)
}

const boxAt = (shown: Shown, ms: number) => brightBox(frameAt(shown, ms), shown)

t.test('bitmaps of a disc are drawn at their times and in their places, and are there after every restart', async (t) => {
  const canvas = { width: 384, height: 216 }
  const plates = [
    { fromMs: 1_000, toMs: 2_480, x: 40, y: 160, width: 200, height: 32 },
    { fromMs: 3_000, toMs: 10_520, x: 100, y: 20, width: 120, height: 40 },
  ]
  const fixture = await engineFor(t)
  const source = burning(await fixture.source(await bitmapClip(folderFor(t), canvas, plates)), 0)
  const shown = await seen(fixture, source)
  t.equal(shown.frames.length, 300)
  t.strictSame([boxAt(shown, 920), boxAt(shown, 2_600), boxAt(shown, 10_600)], [undefined, undefined, undefined])
  t.match(boxAt(shown, 1_040), { left: 20, right: 120, top: 80, bottom: 96 })
  for (const ms of [3_040, 6_000, 10_480]) t.match(boxAt(shown, ms), { left: 50, right: 110, top: 10, bottom: 30 }, `at ${ms} ms`)
  await isSameFromAnywhere(t, source, shown)
})

t.test('a bitmap that is shown for minutes is there after a restart', async (t) => {
  const canvas = { width: 384, height: 216 }
  const path = await bitmapClip(folderFor(t), canvas, [{ fromMs: 5_000, toMs: 160_000, x: 100, y: 20, width: 120, height: 40 }], {
    seconds: 150,
  })
  const fixture = await engineFor(t)
  const source = burning(await fixture.source(path), 0)
  for (const segment of [70, 20]) t.match(boxAt(await seen(fixture, source, [segment]), 0), { left: 50, right: 110, top: 10, bottom: 30 })
})

t.test('subtitles of a broadcast are drawn at their times, though nothing in it can be sought', async (t) => {
  const canvas = { width: 384, height: 216 }
  const plates = [
    { fromMs: 1_000, toMs: 2_480, x: 40, y: 160, width: 200, height: 32 },
    { fromMs: 3_000, toMs: 9_520, x: 100, y: 20, width: 120, height: 40 },
  ]
  const fixture = await engineFor(t)
  const source = burning(await fixture.source(await asBroadcast(await bitmapClip(folderFor(t), canvas, plates))), 0)
  const shown = await seen(fixture, source)
  t.strictSame([boxAt(shown, 920), boxAt(shown, 2_600), boxAt(shown, 9_640)], [undefined, undefined, undefined])
  t.match(boxAt(shown, 1_080), { left: 20, right: 120, top: 80, bottom: 96 })
  for (const ms of [3_080, 6_000, 9_440]) t.match(boxAt(shown, ms), { left: 50, right: 110, top: 10, bottom: 30 }, `at ${ms} ms`)
  await isSameFromAnywhere(t, source, shown)
})

t.test('a canvas of another shape than the video keeps its shape, whole, and stands on the lower edge', async (t) => {
  const plates = [{ fromMs: 500, toMs: 3_500, x: 860, y: 980, width: 200, height: 80 }]
  const fixture = await engineFor(t)
  const mediaFile = { width: 480, height: 200, seconds: 4 }
  const source = burning(await fixture.source(await bitmapClip(folderFor(t), { width: 1920, height: 1080 }, plates, mediaFile)), 0)
  const box = boxAt(await seen(fixture, source), 2_000)
  // 1080 lines become 200.
  const wanted = { left: 221.5, right: 258.5, top: 181.5, bottom: 196.3 }
  for (const [side, at] of Object.entries(wanted)) t.ok(Math.abs(Number(Reflect.get(box ?? {}, side)) - at) <= 2, `${side} at ${at}`)
})

const CUES = '1\n00:00:01,500 --> 00:00:03,500\nXXXXXXXXXXXXXXXX\n\n2\n00:00:06,200 --> 00:00:10,200\nXXXXXXXXXX\nXXXXXXXXXX\n\n'

t.test('the words of a file beside the film are drawn at their times, and are there after every restart', async (t) => {
  const folder = folderFor(t)
  const fixture = await engineFor(t)
  const mediaFile = await fixture.source(await darkClip(join(folder, 'film.mp4')))
  const path = join(folder, 'film.en.srt')
  writeFileSync(path, CUES)
  const source = burning({ ...mediaFile, sidecars: [subtitlesOf('en', path)] }, 0)
  const shown = await seen(fixture, source)
  for (const ms of [1_400, 3_600, 6_100, 10_300]) t.equal(boxAt(shown, ms), undefined, `nothing at ${ms} ms`)
  for (const ms of [1_560, 3_400, 6_280, 10_100]) t.ok((boxAt(shown, ms)?.top ?? 0) > 54, `in the lower half at ${ms} ms`)
  t.ok((boxAt(shown, 8_000)?.top ?? 108) < (boxAt(shown, 2_000)?.top ?? 0), 'two lines are higher than one')
  const bare = await seen(fixture, mediaFile)
  const at = (one: Shown, ms: number): Shown => ({ ...one, frames: [frameAt(one, ms)] })
  t.ok(mostDiffering(at(shown, 5_000), at(bare, 5_000)) === 0, 'the same as the bare film outside of a cue')
  t.ok(mostDiffering(at(shown, 8_000), at(bare, 8_000)) > 15, 'and another in it')
  await isSameFromAnywhere(t, source, shown)
})

t.test('a film whose times begin late shows the words when they are spoken', async (t) => {
  const folder = folderFor(t)
  const srt = join(folder, 'inside.srt')
  writeFileSync(srt, CUES)
  const inside = await darkClip(join(folder, 'inside.mkv'), { beside: [srt], output: ['-output_ts_offset', '7'] })
  const late = await darkClip(join(folder, 'late.mkv'), { output: ['-output_ts_offset', '7'] })
  const fixture = await engineFor(t)
  const beside: StreamSource = { ...(await fixture.source(late)), sidecars: [subtitlesOf('en', srt)] }
  for (const source of [burning(await fixture.source(inside), 0), burning(beside, 0)]) {
    const shown = await seen(fixture, source)
    t.strictSame([boxAt(shown, 1_400), boxAt(shown, 3_600)], [undefined, undefined])
    t.ok(boxAt(shown, 1_600) && boxAt(shown, 3_400))
  }
})

t.test('a file that changes beside the film is drawn as it is now', async (t) => {
  const folder = folderFor(t)
  const fixture = await engineFor(t)
  const path = join(folder, 'film.srt')
  writeFileSync(path, CUES)
  const source = burning({ ...(await fixture.source(await darkClip(join(folder, 'film.mp4')))), sidecars: [subtitlesOf('en', path)] }, 0)
  t.ok(boxAt(await seen(fixture, source, [0, 1]), 2_000))
  writeFileSync(path, '1\n00:00:00,000 --> 00:00:01,000\nXX\n\n')
  const shown = await seen(fixture, source, [0, 1])
  t.ok(boxAt(shown, 500))
  t.equal(boxAt(shown, 2_000), undefined)
})

t.test('the sound goes on while the folder of the subtitle does not answer', async (t) => {
  const folder = folderFor(t)
  const { media } = await engineFor(t)
  const fixture = await openEngineFixture(t, { media: { ...media, stamp: () => new Promise(() => {}) } })
  const path = await darkClip(join(folder, 'film.mp4'), { seconds: 4 })
  const source = burning({ ...(await fixture.source(path)), sidecars: [subtitlesOf('en', join(folder, 'film.srt'))] }, 0)
  const ask = { viewer: 'ann', signal: AbortSignal.timeout(30_000) }
  const segment = await fixture.engine.segment(source, { quality: { type: 'audio', index: 0, form: 'copy' }, segment: 0 }, ask)
  t.ok(segment instanceof Uint8Array)
})

t.test('a subtitle that is gone stops the video with the reason, and never shows the film without it', async (t) => {
  const folder = folderFor(t)
  const fixture = await engineFor(t)
  const mediaFile = await fixture.source(await darkClip(join(folder, 'film.mp4'), { seconds: 4 }))
  for (const source of [burning(mediaFile, 5), burning({ ...mediaFile, sidecars: [subtitlesOf('en', join(folder, 'away.srt'))] }, 0)]) {
    const { quality } = await firstFrame(fixture, source)
    const answer = await fixture.engine.segment(source, { quality, segment: 0 }, { viewer: 'eve', signal: AbortSignal.timeout(30_000) })
    t.match(answer, { unavailable: /^The subtitle to burn in /, missing: false })
  }
})

t.test('the master offers no copy beside a burnt subtitle, nor that subtitle again, and puts no other one on', async (t) => {
  const folder = folderFor(t)
  const fixture = await engineFor(t)
  const [path, other] = [join(folder, 'film.en.srt'), join(folder, 'film.fr.srt')]
  for (const each of [path, other]) writeFileSync(each, CUES)
  const mediaFile = {
    ...(await fixture.source(await darkClip(join(folder, 'film.mp4')))),
    sidecars: [{ ...subtitlesOf('en', path), default: true, forced: true }, subtitlesOf('fr', other)],
  }
  const ask = { viewer: 'ann', signal: AbortSignal.timeout(30_000) }
  t.match(await fixture.engine.master(mediaFile, 'token', ask), /TYPE=SUBTITLES.*DEFAULT=YES[^]*original\/playlist/)
  const burnt = await fixture.engine.master(burning(mediaFile, 0), 'token', ask)
  t.strictSame(burnt.match(/TYPE=SUBTITLES.*/g)?.length, 1)
  t.match(burnt, /TYPE=SUBTITLES.*LANGUAGE="fr",DEFAULT=NO/)
  t.notMatch(burnt, 'original/playlist')
  t.match(fixture.engine.subtitles(mediaFile), [{ default: true }, { default: false }])
  t.match(fixture.engine.subtitles(burning(mediaFile, 0)), [{ default: false }, { default: false }])
  const { decision, video } = await fixture.engine.plan(burning(mediaFile, 0))
  t.equal(decision.method, 'transcode')
  t.strictSame(
    decision.rejected.map(({ method, reasons }) => [method, reasons.includes('subtitle-burnt-in')]),
    [
      ['direct', true],
      ['remux', true],
      ['transcode-audio', true],
    ],
  )
  t.match(video[0], { width: 192, height: 108 })
})

t.test('a transcoder whose ffmpeg has no libass reports that', async (t) => {
  const folder = folderFor(t)
  const ffmpegPath = join(folder, 'ffmpeg')
  writeFileSync(
    ffmpegPath,
    `#!/bin/sh\necho "[AVFilterGraph @ 0x1] No such filter: 'ass'" >&2\necho 'Error opening filters!' >&2\nexit 1\n`,
  )
  chmodSync(ffmpegPath, 0o755)
  const fixture = await openEngineFixture(t, { ffmpegPath })
  const path = join(folder, 'film.srt')
  writeFileSync(path, CUES)
  const mediaFile = await fixture.source(await darkClip(join(folder, 'film.mp4'), { seconds: 4 }))
  const source = burning({ ...mediaFile, sidecars: [subtitlesOf('en', path)] }, 0)
  const { quality } = await firstFrame(fixture, source)
  const answer = await fixture.engine.segment(source, { quality, segment: 0 }, { viewer: 'eve', signal: AbortSignal.timeout(30_000) })
  t.match(answer, { unavailable: 'This transcoder cannot draw subtitles: its ffmpeg has no libass', missing: false })
})

const meadow = join(mediaSet()?.movies ?? '', 'Peach Meadow (2008)', 'Peach Meadow (2008).mkv')

for (const [burnIn, kind] of [
  [0, 'PGS'],
  [1, 'VobSub'],
] as const) {
  t.test(`${kind} of a real film is in the video after a restart as it is without one`, { skip: !existsSync(meadow) }, async (t) => {
    const [fixture, other] = [await engineFor(t), await engineFor(t)]
    const mediaFile = await fixture.source(meadow)
    const source = burning(mediaFile, burnIn)
    const name = (await fixture.engine.plan(source)).video.at(-1)?.name ?? ''
    const { rendition, quality } = await renditionNamed(fixture, source, name)
    const { output } = rendition
    if (output.type !== 'encode-video') return t.fail('it is not re-encoded')
    const segment = segmentAt(rendition.grid, 59_000)
    const lookAt = async (from: EngineFixture, order: readonly number[], one = source) => {
      const made = (await from.fetch(one, quality, order)).get(segment) ?? new Uint8Array()
      return shownIn(await from.init(one, quality), [made], output)
    }
    const continued = await lookAt(fixture, [segment - 1, segment])
    const restarted = await lookAt(other, [segment])
    const another = await lookAt(other, [segment], burning(mediaFile, 1 - burnIn))
    t.ok(mostDiffering(continued, another) > 10 * (1 + mostDiffering(continued, restarted)), 'only another subtitle differs')
    return undefined
  })
}
