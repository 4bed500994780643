/** Tests the validator itself: a correct stream passes, and each injected fault is found by its rule. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { clip } from '../../fixtures/clips.ts'
import { fetchFrom } from './engine-fetch.ts'
import { lagMs } from './source-proof.ts'
import { openEngineFixture } from '../engine-fixture.ts'
import type { SegmentTable, TableSample } from '../../fixtures/segment-table.ts'
import { initFacts } from '../validator/init-facts.ts'
import { mediaText, masterText } from '../validator/playlist-text.ts'
import { fetchServed, type Served, type ServedRendition } from '../validator/served.ts'
import { verdictOn } from '../validator/verdict.ts'

async function servedClip(): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-validator-'))
  const path = join(folder, 'film.en.srt')
  writeFileSync(path, '1\n00:00:01,000 --> 00:00:02,000\nOne\n\n2\n00:00:03,500 --> 00:00:04,500\nTwo\n')
  const fixture = await openEngineFixture(t)
  const mediaFile = await fixture.source(await clip('b-frames.mkv'))
  const track = { stream: null, path, codec: 'subrip', language: 'en', title: null, forced: false, default: false, hearingImpaired: false }
  const served = await fetchServed(fetchFrom(fixture, { ...mediaFile, sidecars: [track] }))
  await fixture.close()
  rmSync(folder, { recursive: true })
  return served
}

const served = await servedClip()
const named = (name: string): ServedRendition => served.renditions.find((one) => one.name === name)!

function finds(t: Test, wrong: Served, said: RegExp): void {
  const found = verdictOn(wrong)
  t.ok(
    found.some((sentence) => said.test(sentence)),
    `${said} among ${JSON.stringify(found)}`,
  )
}

const withMaster = (from: string | RegExp, to: string): Served => ({ ...served, master: masterText(served.master.text.replace(from, to)) })

const withRendition = (name: string, change: (one: ServedRendition) => Partial<ServedRendition>): Served => ({
  ...served,
  renditions: served.renditions.map((one) => (one.name === name ? { ...one, ...change(one) } : one)),
})

const withPlaylist = (from: string | RegExp, to: string): Served =>
  withRendition('original', ({ playlist }) => ({ playlist: mediaText(playlist.text.replace(from, to)) }))

const withSegment = (name: string, at: number, change: (table: SegmentTable) => Partial<SegmentTable>): Served =>
  withRendition(name, ({ segments }) => ({
    segments: segments.map((table, segment) => (segment === at ? { ...table, ...change(table) } : table)),
  }))

const withSample = (
  name: string,
  place: readonly [segment: number, sample: number],
  change: (sample: TableSample) => Partial<TableSample>,
) =>
  withSegment(name, place[0], ({ samples }) => ({
    samples: samples.map((sample, index) => (index === place[1] ? { ...sample, ...change(sample) } : sample)),
  }))

t.test('what is served breaks no rule', async (t) => {
  t.strictSame(verdictOn(served), [])
  t.strictSame([...served.renditions.map(({ name }) => name), served.subtitles.length], ['original', '240p', 'audio-0', 1])
})

t.test('a wrong master playlist is found out', async (t) => {
  finds(t, withMaster('#EXTM3U', '\ufeff#EXTM3U'), /4\.3\.1\.1/)
  finds(t, withMaster('VERSION:7', 'VERSION:3'), /4\.3\.1\.2/)
  finds(t, withMaster('#EXT-X-INDEPENDENT-SEGMENTS\n', ''), /Apple 9\.11/)
  finds(
    t,
    withSample('original', [1, 0], () => ({ bytes: Buffer.of(0, 0, 0, 2, 0x41, 0x9a) })),
    /Apple 9\.11/,
  )
  finds(t, withMaster(/BANDWIDTH=\d+/, 'BANDWIDTH=1000'), /at least the peak/)
  finds(t, withMaster(/AVERAGE-BANDWIDTH=\d+,/, ''), /Apple 9\.14/)
  finds(t, withMaster(/CODECS="avc1\.......,/, 'CODECS="avc1.4d401e,'), /RFC 6381/)
  finds(t, withMaster(/CODECS="([^,"]+),[^"]+"/, 'CODECS="$1"'), /RFC 6381/)
  finds(t, withMaster(/RESOLUTION=\d+x/, 'RESOLUTION=999x'), /Apple 9\.2/)
  finds(t, withMaster(/FRAME-RATE=[\d.]+/, 'FRAME-RATE=12.000'), /Apple 9\.15/)
  finds(t, withMaster('VIDEO-RANGE=SDR', 'VIDEO-RANGE=none'), /9\.16/)
  finds(t, withMaster(/,CLOSED-CAPTIONS=NONE/, ''), /CLOSED-CAPTIONS/)
  finds(t, withMaster('AUDIO="', 'AUDIO="no-'), /groups that a variant names/)
  finds(t, withMaster(/(#EXT-X-MEDIA:TYPE=AUDIO.*\n)/, '$1$1'), /NAME is unique/)
  finds(t, withMaster(/LANGUAGE="[^"]*",/, ''), /Apple 8\.10/)
  finds(t, withMaster(/CHANNELS="\d"/, 'CHANNELS="6"'), /CHANNELS are those/)
})

t.test('a wrong media playlist is found out', async (t) => {
  finds(t, withPlaylist(/TARGETDURATION:\d+/, 'TARGETDURATION:2'), /4\.3\.3\.1/)
  finds(t, withPlaylist(/TARGETDURATION:\d+/, 'TARGETDURATION:9'), /same TARGETDURATION/)
  finds(t, withPlaylist('#EXT-X-ENDLIST\n', ''), /ENDLIST/)
  finds(t, withPlaylist('VOD', 'EVENT'), /Apple 8\.6/)
  finds(t, withPlaylist(/#EXT-X-MAP.*\n/, ''), /Apple 8\.20/)
  finds(t, withPlaylist('MEDIA-SEQUENCE:0', 'MEDIA-SEQUENCE:1'), /4\.3\.3\.2/)
  finds(t, withPlaylist('seg-1.', 'seg-0.'), /URI of its own/)
  finds(t, withPlaylist(/#EXTINF:([\d.]+),/, '#EXTINF:4.000000,'), /Apple 8\.1/)
})

t.test('a wrong init segment is found out', async (t) => {
  const { initBytes } = named('original')
  const broken = (from: string, to: string) => {
    const bytes = Buffer.from(initBytes)
    bytes.write(to, bytes.indexOf(from), 'latin1')
    return withRendition('original', () => ({ init: initFacts(bytes) }))
  }
  finds(t, broken('mvex', 'free'), /RFC 8216, 3\.3/)
  finds(t, broken('mvex', 'udta'), /no tags of the film/)
  finds(
    t,
    withRendition('original', ({ init }) => ({ init: { ...init, track: [...init.track, 'edts'] } })),
    /edit list/,
  )
  finds(
    t,
    withRendition('original', ({ init }) => ({ init: { ...init, entry: 'avc3' } })),
    /Apple 1\.10/,
  )
})

t.test('a wrong segment is found out', async (t) => {
  finds(
    t,
    withSegment('original', 1, ({ start }) => ({ start: start + 1 })),
    /Apple 7\.3/,
  )
  finds(
    t,
    withSegment('original', 1, () => ({ samples: [] })),
    /Apple 7\.1/,
  )
  finds(
    t,
    withSegment('original', 1, () => ({ types: ['moof', 'mdat'] })),
    /styp, moof, mdat/,
  )
  finds(
    t,
    withSegment('original', 1, () => ({ sequence: 1 })),
    /8\.8\.5/,
  )
  finds(
    t,
    withSample('original', [1, 0], () => ({ key: false })),
    /Apple 7\.4/,
  )
  finds(
    t,
    withSample('original', [1, 3], ({ dts }) => ({ pts: dts - 1 })),
    /squeezed/,
  )
  finds(
    t,
    withSample('original', [1, 3], () => ({ duration: 0 })),
    /above zero/,
  )
  finds(
    t,
    withSample('original', [1, 3], () => ({ pts: named('original').segments[0]!.samples[0]!.pts })),
    /no frame twice/,
  )
  finds(
    t,
    withSample('240p', [1, 2], ({ duration }) => ({ duration: duration + 900_000 })),
    /outlasts its segment/,
  )
  finds(
    t,
    withSegment('audio-0', 1, ({ samples }) => ({ samples: samples.map((one, index) => (index % 9 ? one : { ...one, duration: 3_000 })) })),
    /frames of sound lie/,
  )
  finds(
    t,
    withSegment('audio-0', 0, ({ samples }) => ({ samples: samples.slice(2) })),
    /sound begins with the film/,
  )
})

t.test('wrong I-frames are found out', async (t) => {
  const [iframes] = served.iframes
  const withIframes = (change: Partial<(typeof served.iframes)[number]>): Served => ({ ...served, iframes: [{ ...iframes!, ...change }] })
  const withText = (from: string | RegExp, to: string) => withIframes({ playlist: mediaText(iframes!.playlist.text.replace(from, to)) })
  finds(t, { ...served, iframes: [] }, /Apple 6\.1/)
  finds(t, withIframes({ said: new Map([...iframes!.said, ['BANDWIDTH', '1000']]) }), /peak of the frames/)
  finds(t, withIframes({ said: new Map([...iframes!.said, ['RESOLUTION', '1x1']]) }), /RESOLUTION 1x1/)
  finds(t, withText('#EXT-X-I-FRAMES-ONLY\n', ''), /4\.3\.3\.6/)
  finds(t, withText(/EXTINF:[\d.]+/, 'EXTINF:1.000000'), /other lengths/)
  finds(t, withIframes({ bytes: iframes!.rendition.segmentBytes }), /first sample/)
  finds(t, withIframes({ bytes: iframes!.bytes.toReversed() }), /first sample/)
})

t.test('wrong subtitles are found out', async (t) => {
  const [subtitle] = served.subtitles
  const withPiece = (from: RegExp, to: string): Served => ({
    ...served,
    subtitles: [{ ...subtitle!, pieces: [subtitle!.pieces[0]!.replace(from, to)] }],
  })
  finds(t, withPiece(/X-TIMESTAMP-MAP.*\n/, ''), /Apple 5\.3/)
  finds(t, withPiece(/MPEGTS:0/, 'MPEGTS:900000'), /Apple 5\.3/)
  finds(t, withPiece(/00:03\.500 --> 00:00:04\.500/, '01:03.500 --> 00:01:04.500'), /those only/)
})

t.test('sound that is late is heard to be late', async (t) => {
  const mediaFile = Int16Array.from({ length: 40_000 }, (_, n) => 9_000 * Math.sin((n / 8_000) * (2_000 + n / 20)))
  const late = new Int16Array(40_000)
  late.set(mediaFile.subarray(0, 39_600), 400)
  t.equal(lagMs(mediaFile, mediaFile, { at: 10_000, shift: 0 }), 0)
  t.equal(lagMs(mediaFile, late, { at: 10_000, shift: 0 }), 50)
})
