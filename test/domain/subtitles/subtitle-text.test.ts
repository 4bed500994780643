import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { decodeSubtitle } from '../../../src/domain/subtitles/subtitle-encoding.ts'
import type { SubtitleFormat } from '../../../src/vocabulary/subtitle-format.ts'
import { readCues, toWebVtt, webVttParts, writeWebVtt } from '../../../src/domain/subtitles/subtitle-text.ts'
import type { ManifestSubtitle } from '../../fixtures/media-files.ts'
import { mediaSet } from '../../fixtures/media-files.ts'

const set = mediaSet()
const withoutSet = set ? {} : { skip: 'the media set is not here' }
const FORMATS: readonly SubtitleFormat[] = ['subrip', 'webvtt', 'ass']
const srt = (...lines: readonly string[]): string => toWebVtt(lines.join('\n'), 'subrip')

t.test('every subtitle of the media set has the cues that its manifest says, whatever its encoding', withoutSet, async (t) => {
  const sidecars = (set?.manifest.sidecars ?? []).filter((sidecar): sidecar is ManifestSubtitle => sidecar.kind === 'subtitle')
  t.equal(sidecars.length, 19)
  for (const { path, language, format, encoding, cueCount, firstCue, lastCue } of sidecars) {
    const bytes = readFileSync(join(set?.root ?? '', path))
    const text = decodeSubtitle(bytes, language)
    t.equal(text, new TextDecoder(encoding).decode(bytes), `${path} in ${encoding}`)
    const cues = readCues(text, format)
    t.equal(cues.length, cueCount, path)
    t.match([cues[0], cues.at(-1)], [firstCue, lastCue], path)
    t.equal(toWebVtt(text, format).match(/-->/g)?.length, cueCount)
  }
})

t.test('the damaged subtitles of the media set become valid WebVTT', withoutSet, async (t) => {
  const read = (language: string) =>
    toWebVtt(
      decodeSubtitle(readFileSync(join(set?.broken ?? '', 'Bad Neighbours (2008)', `Bad Neighbours (2008).${language}.srt`)), language),
      'subrip',
    )
  t.equal(read('de'), 'WEBVTT\n')
  t.match(read('en'), /^WEBVTT\n\n00:00:04\.500 --> 00:00:05\.500\ndot instead of comma\n/)
  t.match(read('fr'), /^WEBVTT\n/)
})

t.test('SubRip becomes WebVTT: commas, line ends, known tags, all else escaped', async (t) => {
  const text = '1\r\n00:00:01,000 --> 00:00:02,000\r\n<I>Hi</I> & <font color="#fff">bye</font>\r\n<3 <Grunts> a --> b &amp;\r\n\r\n'
  t.equal(toWebVtt(text, 'subrip'), 'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n<i>Hi</i> &amp; bye\n&lt;3 &lt;Grunts> a --&gt; b &amp;\n')
})

t.test('sloppy SubRip is read as it was meant', async (t) => {
  t.equal(srt('0:00:01.5 --> 0:00:02,25 X1:10 Y1:20', 'short'), 'WEBVTT\n\n00:00:01.500 --> 00:00:02.250\nshort\n')
  t.equal(srt('00:01 --> 00:02', 'no hours'), 'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nno hours\n')
  t.equal(srt('100:00:01,000 --> 100:00:02,000', 'long'), 'WEBVTT\n\n100:00:01.000 --> 100:00:02.000\nlong\n')
  t.equal(srt('1', '00:00:01,000 --> 00:00:02,000', 'a', '', 'b', '', '2'), 'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\na\nb\n')
  t.equal(
    srt('00:00:01,000 --> 00:00:02,000', 'a', '2', '00:00:03,000 --> 00:00:04,000', 'b'),
    'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\na\n\n00:00:03.000 --> 00:00:04.000\nb\n',
    'no blank line between',
  )
  t.equal(srt('00:00:01,000 --> 00:00:02,000', '{\\an8}top {\\i1}x{\\i0}'), 'WEBVTT\n\n00:00:01.000 --> 00:00:02.000 line:0\ntop x\n')
})

t.test('cues that say nothing, or end before they start, are left out; the others come in order', async (t) => {
  const late = ['00:00:09,000 --> 00:00:10,000', 'late', '']
  const early = ['00:00:01,000 --> 00:00:02,000', 'early', '']
  t.equal(
    srt(...late, '00:00:05,000 --> 00:00:04,000', 'back', '', '00:00:05,000 --> 00:00:06,000', '\u0007', '', ...early),
    srt(...early, ...late),
  )
})

t.test('WebVTT keeps its own tags and settings and loses styles, notes, scripts and unknown settings', async (t) => {
  const text = `WEBVTT - title

STYLE
::cue { color: red }

NOTE
hello

id
00:01.000 --> 00:02.000 position:10%,line-left align:left evil:1 line:0
<v Fred & Co>Hi &amp; & bye</v> <script>x</script> <00:00:01.500>on

00:00:04.000 --> 00:00:05.000
a

b is no text
`
  t.equal(
    toWebVtt(text, 'webvtt'),
    'WEBVTT\n\n00:00:01.000 --> 00:00:02.000 position:10%,line-left align:left line:0\n' +
      '<v Fred &amp; Co>Hi &amp; &amp; bye</v> &lt;script>x&lt;/script> <00:00:01.500>on\n\n00:00:04.000 --> 00:00:05.000\na\n',
  )
})

t.test('ASS keeps its words, italics and the line at the top; layers are one, drawings none', async (t) => {
  const text = [
    '[Events]',
    'Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text',
    'Dialogue: 0,0:00:01.00,0:00:02.50,Default,,0,0,0,,{\\an8\\i1}Hello, {\\i0}world\\Nnext & <b>',
    'Dialogue: 1,0:00:01.00,0:00:02.50,Default,,0,0,0,,{\\an8\\i1}Hello, {\\i0}world\\Nnext & <b>',
    'Dialogue: 0,0:00:03.00,0:00:04.00,Default,,0,0,0,,{\\p1}m 0 0 l 1 1',
    'Comment: 0,0:00:03.00,0:00:04.00,Default,,0,0,0,,no',
  ]
  t.equal(toWebVtt(text.join('\r\n'), 'ass'), 'WEBVTT\n\n00:00:01.000 --> 00:00:02.500 line:0\n<i>Hello, </i>world\nnext &amp; &lt;b>\n')
  t.equal(
    toWebVtt('[Events]\nFormat: Start, End, Text\nDialogue: 0:00:01.00,0:00:02.00,a, b', 'ass'),
    srt('00:00:01,000 --> 00:00:02,000', 'a, b'),
  )
})

t.test('the header can tie the cues to the timeline of HLS', async (t) => {
  t.equal(toWebVtt('', 'subrip', { timestampMap: true }), 'WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n')
  const [cue] = readCues('00:00:01,000 --> 00:00:02,000\na', 'subrip')
  t.match(writeWebVtt(cue ? [cue] : [], { timestampMap: true }), /00\.000\n\n00:00:01\.000 --> 00:00:02\.000\na\n$/)
})

t.test('a language decides between encodings that any bytes fit', async (t) => {
  const cases: readonly (readonly [language: string, label: string, bytes: readonly number[], text: string])[] = [
    ['cs', 'windows-1250', [0x8e, 0xed, 0x9e, 0x61], 'Žíža'],
    ['cs', 'iso-8859-2', [0xae, 0xed, 0xbe, 0x61], 'Žíža'],
    ['ru', 'windows-1251', [0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2], 'Привет'],
    ['ru', 'koi8-r', [0xf0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4], 'Привет'],
    ['ru', 'ibm866', [0x8f, 0xe0, 0xa8, 0xa2, 0xa5, 0xe2], 'Привет'],
    ['el', 'iso-8859-7', [0xb6, 0xed, 0xef, 0xe9, 0xee, 0xe7], 'Άνοιξη'],
    ['el', 'windows-1253', [0xa2, 0xed, 0xef, 0xe9, 0xee, 0xe7], 'Άνοιξη'],
    ['tr', 'windows-1254', [0xdd, 0x73, 0x74, 0x61, 0x6e, 0x62, 0x75, 0x6c], 'İstanbul'],
    ['he', 'windows-1255', [0xf9, 0xec, 0xe5, 0xed], 'שלום'],
    ['lt', 'windows-1257', [0xf0, 0xe8], 'šč'],
    ['vi', 'windows-1258', [0x63, 0xe1, 0x63], 'các'],
    ['th', 'windows-874', [0xca, 0xc7, 0xd1, 0xca, 0xb4, 0xd5], 'สวัสดี'],
    ['ja', 'shift_jis', [0x82, 0xb1, 0x82, 0xcc], 'この'],
    ['ja', 'euc-jp', [0xa4, 0xb3, 0xa4, 0xce], 'この'],
    ['ko', 'euc-kr', [0xc0, 0xcc, 0xb4, 0xd9], '이다'],
    ['zh', 'gb18030', [0xce, 0xd2, 0xca, 0xc7], '我是'],
    ['zh', 'big5', [0xa7, 0xda, 0xac, 0x4f], '我是'],
    ['zh-TW', 'big5', [0xa7, 0xda, 0xac, 0x4f], '我是'],
    ['en', 'windows-1252', [0x49, 0x92, 0x6d], 'I’m'],
  ]
  for (const [language, label, bytes, text] of cases)
    t.equal(decodeSubtitle(Uint8Array.from(bytes), language), text, `${language} in ${label}`)
})

t.test('without a language the letters decide', async (t) => {
  const russian = Uint8Array.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x2c, 0x20, 0xea, 0xe0, 0xea, 0x20, 0xe4, 0xe5, 0xeb, 0xe0])
  t.equal(decodeSubtitle(russian, null), 'Привет, как дела')
  t.equal(decodeSubtitle(Uint8Array.from([0x47, 0x72, 0xf6, 0xdf, 0x65]), null), 'Größe')
  t.equal(decodeSubtitle(Buffer.from('without a mark', 'utf16le'), null), 'without a mark')
  t.equal(decodeSubtitle(new Uint8Array(), null), '')
})

t.test('hostile text is read in the time of its length and gives WebVTT', async (t) => {
  const timing = '00:00:01,000 --> 00:00:02,000\n'
  const hostile = [
    '\n'.repeat(500_000),
    `${timing}${'<'.repeat(500_000)}`,
    `${timing}${'a\n\n'.repeat(150_000)}`,
    timing.repeat(50_000),
    `${timing}${'{\\'.repeat(250_000)}`,
  ]
  const more = [
    `Dialogue: 0,0:00:01.00,0:00:02.50,D,,0,0,0,,${'{\\an'.repeat(100_000)}`,
    `Format:${' Text'.repeat(100_000)}`,
    ' '.repeat(500_000),
    '\0'.repeat(500_000),
  ]
  const started = performance.now()
  for (const text of [...hostile, ...more]) for (const format of FORMATS) t.match(toWebVtt(text, format).slice(0, 7), 'WEBVTT\n')
  const seconds = (performance.now() - started) / 1000
  t.ok(seconds < 20, `${seconds} s for 27 texts of about half a megabyte`)
})

t.test('the largest subtitle is written in parts, so that no request waits for all of it', async (t) => {
  const cues = Array.from({ length: 100_000 }, (_, index) => ({ startMs: index, endMs: index + 1, settings: '', text: 'a' }))
  const parts = [...webVttParts(cues)]
  t.ok(parts.every((part) => (part.match(/-->/g)?.length ?? 0) <= 2000))
  t.equal(parts.join(''), writeWebVtt(cues))
})
