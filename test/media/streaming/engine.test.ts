import { existsSync, readFileSync, chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { isUnavailable } from '../../../src/app/streaming/segments/unavailable.ts'
import { parseQuality } from '../../../src/domain/streaming/stream-name.ts'
import { mediaSet, programs } from '../../fixtures/media-files.ts'
import { hasProc, processesWith, untilProcesses } from '../../fixtures/processes.ts'
import { clip, ownClip } from '../../fixtures/clips.ts'
import { segmentTable } from '../../fixtures/segment-table.ts'
import { numbers, openEngineFixture, qualityNamed, renditionNamed } from '../engine-fixture.ts'

const ask = (viewer = 'ann') => ({ viewer, signal: AbortSignal.timeout(30_000) })
const token = 'user:session:1:00'

t.test('a master playlist names what there is, with codecs from the bytes', async (t) => {
  const fixture = await openEngineFixture(t)
  const source = await fixture.source(await clip('b-frames.mkv'))
  const master = await fixture.engine.master(source, token, ask())
  const init = Buffer.from(await fixture.init(source, qualityNamed('original')))
  const avcC = init.indexOf('avcC')
  t.match(master, `CODECS="avc1.${init.toString('hex', avcC + 5, avcC + 8)},mp4a.40.2"`)
  for (const name of ['original', '240p', 'audio-0']) {
    t.match(master, `${name}/playlist.m3u8?token=${token}`)
    t.match(await fixture.engine.mediaPlaylist(source, qualityNamed(name), token), /#EXT-X-ENDLIST\n$/)
  }
  t.notMatch(init.toString('latin1'), /edts|udta/, 'no edit list, no tags')
})

t.test('qualities, segments and subtitles that the film does not have are undefined', async (t) => {
  const fixture = await openEngineFixture(t)
  const source = await fixture.source(await clip('b-frames.mkv'))
  for (const name of ['1080p', 'audio-0-aac', 'audio-1', 'audio-0-aac51']) {
    const quality = parseQuality(name)!
    t.equal(await fixture.engine.mediaPlaylist(source, quality, token), undefined, name)
    t.equal(await fixture.engine.init(source, quality, ask()), undefined, name)
    t.equal(await fixture.engine.segment(source, { quality, segment: 0 }, ask()), undefined, name)
  }
  t.equal(await fixture.engine.segment(source, { quality: qualityNamed('original'), segment: 4 }, ask()), undefined)
  t.equal(fixture.engine.subtitlePlaylist(source, 0, token), undefined)
  t.equal(await fixture.engine.subtitleWhole(source, 0, ask()), undefined)
})

t.test('subtitles beside the film are played as pieces and given whole', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-subtitles-'))
  const path = join(folder, 'film.en.srt')
  writeFileSync(path, '1\n00:00:01,000 --> 00:00:02,000\nOne & two\n\n2\n00:00:59,500 --> 00:01:00,500\nEdge\n')
  const fixture = await openEngineFixture(t)
  const mediaFile = await fixture.source(await clip('b-frames.mkv'))
  const track = { stream: null, path, codec: 'subrip', language: 'en', title: null, forced: false, default: false, hearingImpaired: false }
  const bitmap = { ...track, path: join(folder, 'film.sup'), codec: 'hdmv_pgs_subtitle' }
  const source = {
    ...mediaFile,
    media: { ...mediaFile.media, durationMs: 90_000 },
    sidecars: [bitmap, track, { ...track, path: join(folder, 'gone.srt') }],
  }
  t.strictSame(
    fixture.engine.subtitles(source).map(({ index }) => index),
    [1, 2],
    'only what is text is listed',
  )
  t.match(fixture.engine.subtitlePlaylist(source, 1, token), `1-1.vtt?token=${token}`)
  t.match(await fixture.engine.subtitleWhole(source, 1, ask()), /^WEBVTT\n[^]*One &amp; two[^]*Edge/)
  t.match(await fixture.engine.subtitlePiece(source, { index: 1, piece: 0 }, ask()), /One &amp; two[^]*Edge/)
  t.match(await fixture.engine.subtitlePiece(source, { index: 1, piece: 1 }, ask()), /^WEBVTT\nX-TIMESTAMP-MAP=[^]*Edge/)
  t.equal(await fixture.engine.subtitlePiece(source, { index: 1, piece: 2 }, ask()), undefined)
  t.equal(await fixture.engine.subtitleWhole(source, 2, ask()), undefined, 'its file is gone')
  await fixture.close()
  rmSync(folder, { recursive: true })
})

t.test('two viewers of one rendition share one ffmpeg, and closing leaves none', { skip: !hasProc }, async (t) => {
  const path = await ownClip(t, 'open-gop.mkv')
  const fixture = await openEngineFixture(t, { slots: 8 })
  const source = await fixture.source(path)
  const place = { quality: qualityNamed('240p'), segment: 0 }
  let most = 0
  const watch = setInterval(() => (most = Math.max(most, processesWith(path).length)), 5)
  const answers = await Promise.all(['ann', 'ben', 'cy'].map((viewer) => fixture.engine.segment(source, place, ask(viewer))))
  clearInterval(watch)
  t.equal(most, 1)
  t.ok(answers.every((answer) => answer === answers[0] && answer instanceof Uint8Array))
  await fixture.engine.prewarm(source, { positionMs: 8_000, viewer: 'dee' })
  await fixture.engine.prewarm(source, { positionMs: 8_000, viewer: 'dee', quality: qualityNamed('240p') })
  await fixture.close()
  t.strictSame(await untilProcesses(path, 0, 1_000), [])
})

/** An ffmpeg whose first runs are killed in the middle of a segment, with a count of them. */
async function crashing(times: number) {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-crash-'))
  const program = join(folder, 'ffmpeg')
  const { ffmpeg } = await programs
  writeFileSync(
    program,
    `#!/bin/sh\nn=$(cat ${folder}/count 2>/dev/null || echo 0)\necho $((n+1)) > ${folder}/count\n` +
      `if [ "$n" -lt ${times} ]; then ${ffmpeg} "$@" | head -c 20000; echo "it fell over" >&2; kill -SEGV $$; fi\nexec ${ffmpeg} "$@"\n`,
  )
  chmodSync(program, 0o755)
  const runs = (): number => (existsSync(join(folder, 'count')) ? Number(readFileSync(join(folder, 'count'), 'utf8')) : 0)
  return { program, remove: () => rmSync(folder, { recursive: true, force: true }), runs }
}

t.test('a session that is prewarmed finds its first segment begun before it asks', async (t) => {
  const { program, remove, runs } = await crashing(0)
  const fixture = await openEngineFixture(t, { ffmpegPath: program })
  const source = await fixture.source(await clip('b-frames.mkv'))
  await fixture.engine.prewarm(source, { positionMs: 9_500, viewer: 'ann' })
  while (runs() === 0) await new Promise((resolve) => setTimeout(resolve, 20))
  t.ok((await fixture.engine.segment(source, { quality: qualityNamed('original'), segment: 2 }, ask())) instanceof Uint8Array)
  await fixture.close()
  remove()
})

t.test('a crash of ffmpeg is mended: the film goes on without a gap', async (t) => {
  const { program, remove } = await crashing(1)
  const path = await clip('b-frames.mkv')
  const [broken, whole] = [await openEngineFixture(t, { ffmpegPath: program }), await openEngineFixture(t)]
  const source = await broken.source(path)
  const quality = qualityNamed('original')
  const [mended, right] = [await broken.fetch(source, quality, numbers(4)), await whole.fetch(source, quality, numbers(4))]
  for (const segment of numbers(4)) t.ok(Buffer.from(mended.get(segment)!).equals(right.get(segment)!), `segment ${segment}`)
  await Promise.all([broken.close(), whole.close()])
  remove()
})

t.test('a film that makes ffmpeg crash each time is refused in words that name no path', async (t) => {
  const { program, remove } = await crashing(100)
  const fixture = await openEngineFixture(t, { ffmpegPath: program })
  const source = await fixture.source(await clip('b-frames.mkv'))
  const answer = await fixture.engine.segment(source, { quality: qualityNamed('240p'), segment: 1 }, ask())
  t.ok(isUnavailable(answer) && !answer.missing && answer.retryAfterSeconds > 0)
  t.match(answer, { unavailable: /^The transcoder could not make this part of the film$/ })
  await fixture.close()
  remove()
})

t.test('an ffmpeg that is killed from outside is started again', { skip: !hasProc }, async (t) => {
  const path = await ownClip(t, 'open-gop.mkv')
  const fixture = await openEngineFixture(t)
  const source = await fixture.source(path)
  const { quality, count } = await renditionNamed(fixture, source, '240p')
  const killer = setInterval(() => {
    const [first] = processesWith(path)
    if (first) process.kill(first.pid, 'SIGKILL')
    if (first) clearInterval(killer)
  }, 5)
  const segments = await fixture.fetch(source, quality, numbers(count))
  clearInterval(killer)
  const shown = numbers(count).flatMap((segment) => segmentTable(segments.get(segment)!).samples)
  t.equal(shown.length, 375, 'every frame')
})

const set = mediaSet()
t.test('damaged films play as far as they go, and then the last frame stands, without delay', { skip: !set }, async (t) => {
  for (const [name, whole, missing] of [
    ['Truncated Data (2008).mp4', 3, 5],
    ['Truncated Matroska (2010).mkv', 1, 5],
    ['Damaged Middle (2010).mkv', 1, 8],
  ] as const) {
    const fixture = await openEngineFixture(t)
    const source = await fixture.source(join(set!.broken, name.replace(/\.\w+$/, ''), name))
    for (const quality of ['original', '240p', '360p'].map((one) => parseQuality(one)!)) {
      if (!(await fixture.engine.mediaPlaylist(source, quality, token))) continue
      const before = performance.now()
      const behind = await fixture.engine.segment(source, { quality, segment: quality.type === 'original' ? missing : missing * 2 }, ask())
      // A copy lists no segments that it does not have.
      if (quality.type === 'original') t.equal(behind, undefined)
      else t.ok(behind instanceof Uint8Array, `${name} ${quality.type} ${performance.now() - before} ms`)
      t.ok(performance.now() - before < 5_000)
      t.equal((await fixture.fetch(source, quality, [0, whole])).size, 2, `${name} ${quality.type}`)
    }
  }
})
