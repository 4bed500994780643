/**
 * I-frames as ffmpeg decodes them: each one, after its init segment, is one frame, the first of its segment. Clips, and films of the media
 * set in each copied codec.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { execa } from 'execa'
import t, { type Test } from 'tap'
import type { StreamSource } from '../../../src/app/streaming/engine.ts'
import { clientCapabilities } from '../../../src/domain/streaming/player-capabilities.ts'
import { mediaSet, testPrograms } from '../../fixtures/media-files.ts'
import { clip } from '../../fixtures/clips.ts'
import { segmentTable, timescaleOf } from '../../fixtures/segment-table.ts'
import { bytesOf, openEngineFixture, renditionNamed, type EngineFixture } from '../engine-fixture.ts'

const CAPABLE = clientCapabilities({
  containers: ['mpegts'],
  video: ['h264', 'hevc', 'vp9', 'av1'].map((codec) => ({ codec, bitDepth: 10, hdr: ['hdr10', 'hlg'] })),
  audio: [{ codec: 'aac', maxChannels: 6 }],
})
const FILMS = ['Sintel (2010).mkv', 'Tears of Steel (2012).mkv', 'Apollo 15 Hammer', 'Car Park (2018).webm', 'His Girl Friday']
const set = mediaSet()
const films = (set?.manifest.files ?? [])
  .filter(({ path }) => FILMS.some((name) => path.includes(name)))
  .map(({ path }) => join(set!.root, path))

interface Frame {
  readonly pts: number
  readonly hash: string
}

/** The frames that ffmpeg decodes: all, or only intra-coded ones. */
async function decoded(folder: string, bytes: readonly Uint8Array[], only: readonly string[] = []): Promise<readonly Frame[]> {
  const path = join(folder, 'decoded.mp4')
  writeFileSync(path, Buffer.concat(bytes))
  const { ffmpeg } = await testPrograms()
  const args = ['-v', 'error', '-nostdin', ...only, '-i', path, '-an', '-fps_mode', 'passthrough', '-copyts', '-f', 'framemd5', '-']
  const { stdout, stderr } = await execa(ffmpeg, args, { timeout: 60_000 })
  if (stderr !== '') throw new Error(stderr)
  const lines = stdout.split('\n').filter((line) => !line.startsWith('#'))
  return lines
    .map((line) => line.split(',').map((part) => part.trim()))
    .map(([, , pts = '', , , hash = '']) => ({ pts: Number(pts), hash }))
}

async function holdsOneFrame(t: Test, fixture: EngineFixture, { source, name }: { readonly source: StreamSource; readonly name: string }) {
  const { quality, count, rendition } = await renditionNamed(fixture, source, name)
  const ask = { viewer: 'ann', signal: AbortSignal.timeout(120_000) }
  const init = bytesOf(await fixture.engine.init(source, quality, ask))
  const folder = mkdtempSync(join(tmpdir(), 'marquee-iframes-'))
  for (const segment of new Set([count - 1, Math.floor(count / 3), 0])) {
    const iframe = bytesOf(await fixture.engine.iframe(source, { quality, segment }, ask))
    const whole = bytesOf(await fixture.engine.segment(source, { quality, segment }, ask))
    const frames = await decoded(folder, [init, iframe])
    const [first] = await decoded(folder, [init, whole], ['-skip_frame', 'nokey'])
    t.strictSame(
      frames.map(({ hash }) => hash),
      [first?.hash],
      `${name}, frame ${segment}`,
    )
    const { start, end } = segmentTable(whole)
    t.match(segmentTable(iframe), { start, end })
    t.ok(start / timescaleOf(init) < rendition.grid.endMs / 1000)
  }
  rmSync(folder, { recursive: true })
}

t.jobs = 2
t.setTimeout(200_000)

for (const name of ['b-frames.mkv', 'open-gop.mkv', 'hevc-cra.mkv', 'late-video.mkv', 'broadcast.ts'] as const) {
  t.test(`each I-frame of ${name} is one frame, the first of its segment`, async (t) => {
    const fixture = await openEngineFixture(t)
    const source = { ...(await fixture.source(await clip(name))), options: { capabilities: CAPABLE } }
    await fixture.media.index(source.path, source.fingerprint, AbortSignal.timeout(60_000))
    const { video } = await fixture.engine.plan(source)
    for (const one of new Set([video[0]!.name, video.at(-1)!.name])) await holdsOneFrame(t, fixture, { source, name: one })
    t.strictSame(fixture.problems, [])
  })
}

t.test('films of the media set', { skip: !set && 'the media set is not here' }, async (t) => {
  t.equal(films.length, FILMS.length)
  t.jobs = 2
  for (const path of films) {
    t.test(`${basename(path)}: each I-frame is one frame`, async (t) => {
      const fixture = await openEngineFixture(t)
      const source = { ...(await fixture.source(path)), options: { capabilities: CAPABLE } }
      await fixture.media.index(source.path, source.fingerprint, AbortSignal.timeout(60_000))
      const { video } = await fixture.engine.plan(source)
      const [first, last] = [video[0]!, video.at(-1)!]
      t.equal(first.method, path.endsWith('.avi') ? 'transcode' : 'remux')
      for (const one of new Set([first.name, last.name])) await holdsOneFrame(t, fixture, { source, name: one })
      const master = await fixture.engine.master(source, 'T', { viewer: 'ann', signal: AbortSignal.timeout(60_000) })
      const named = master.split('\n').filter((line) => line.startsWith('#EXT-X-I-FRAME-STREAM-INF'))
      t.equal(named.length, 1)
      t.match(named[0], `URI="${(first.method === 'remux' ? first : last).name}/iframes.m3u8?token=T"`)
    })
  }
})

t.test('sound has no I-frames, and a film no more than it has segments', async (t) => {
  const fixture = await openEngineFixture(t)
  const source = await fixture.source(await clip('b-frames.mkv'))
  const ask = { viewer: 'ann', signal: AbortSignal.timeout(60_000) }
  const sound = { type: 'audio', index: 0, form: 'copy' } as const
  t.equal(await fixture.engine.iframePlaylist(source, sound, 'T'), undefined)
  t.equal(await fixture.engine.iframe(source, { quality: sound, segment: 0 }, ask), undefined)
  t.equal(await fixture.engine.iframePlaylist(source, { type: 'rung', resolution: '2160p' }, 'T'), undefined)
  t.equal(await fixture.engine.iframe(source, { quality: { type: 'original' }, segment: 999 }, ask), undefined)
})
