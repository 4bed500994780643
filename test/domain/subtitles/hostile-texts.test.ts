/** Texts and metadata that are designed to be slow to parse: the cost must be linear in the length of the text. */
import t from 'tap'
import { burntScript } from '../../../src/domain/subtitles/burn-in-script.ts'
import { readMovieName } from '../../../src/domain/scans/movie-name.ts'
import { readNfo } from '../../../src/domain/scans/nfo.ts'
import { decodeSubtitle } from '../../../src/domain/subtitles/subtitle-encoding.ts'
import { readLooseSubtitleName, readSubtitleName } from '../../../src/domain/scans/subtitle-name.ts'
import { readCues, writeWebVtt } from '../../../src/domain/subtitles/subtitle-text.ts'
import { languageTag } from '../../../src/vocabulary/language.ts'
import { foldText, searchWords, sortKey } from '../../../src/vocabulary/text.ts'
import type { SubtitleFormat } from '../../../src/vocabulary/subtitle-format.ts'

const LENGTH = 60_000
/** CPU time, relative to an ordinary subtitle of the same length. */
const MOST = 60

const times = (piece: string, length = LENGTH): string => piece.repeat(Math.ceil(length / piece.length)).slice(0, length)

const LINE = 'Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,'
const CUE = '1\n00:00:01,000 --> 00:00:02,000\n'

const READ: Readonly<Record<string, (text: string) => unknown>> = {
  ...Object.fromEntries(
    (['subrip', 'webvtt', 'ass'] as const satisfies readonly SubtitleFormat[]).flatMap((format) => [
      [format, (text: string) => writeWebVtt(readCues(text, format))],
      [`${format}, drawn`, (text: string) => burntScript(text, { format, byMs: 10, width: 1920, height: 1080 })],
    ]),
  ),
  encoding: (text) => decodeSubtitle(Buffer.from(text, 'latin1'), 'pl'),
  nfo: (text) => readNfo(Buffer.from(text)),
  'film name': (text) => readMovieName(text, 2026),
  'subtitle name': (text) => [readSubtitleName(text), readLooseSubtitleName(text)],
  language: (text) => languageTag(text),
  words: (text) => [foldText(text), sortKey(text), searchWords([text])],
}

const element = (name: string, text: string): string => `<movie><title>A</title><${name}>${text}</${name}></movie>`

const HOSTILE: readonly string[] = [
  ...[
    ' ',
    '\n',
    '\r',
    '\t',
    '-',
    '.',
    '_',
    '0',
    '9:',
    'a',
    'é',
    '{',
    '}',
    '{\\',
    '{\\an',
    '<',
    '<i',
    '<i>',
    '&',
    '&#',
    '\\',
    '\u2028',
    '\0',
    '(',
  ].flatMap((piece) => [times(piece), CUE + times(piece), LINE + times(piece), `Format:${times(piece)}`, `Style:${times(piece)}`]),
  `Format:${times('Alignment ')}\u2028`,
  `Format:${times(' Text ')}\u2028`,
  // Each style looks its columns up by name.
  `Format:${times('a,', LENGTH / 2)}Alignment\n${times('Style:a\n', LENGTH / 2)}`,
  `Format:${times('a,', LENGTH / 2)}Text\n${times(`${LINE}a\n`, LENGTH / 2)}`,
  times(CUE),
  times('00:00:01,000 --> 00:00:02,000\n\n\n\n'),
  times(`${LINE}{\\rA}{\\i1}x`),
  element('mpaa', `for${times(' ')}`),
  element('mpaa', `Rated${times(' for')}`),
  element('plot', times('&')),
  element('director', times('a / ')),
  `<movie>${times('<director>a / b / c</director>')}</movie>`,
  `<movie>${times('<actor><name>a</name></actor>')}</movie>`,
  `<movie>${times('<language>de,en</language>')}</movie>`,
  `<movie ${times('a="" ')}></movie>`,
  `<movie ${times('a=" b=\' ')}></movie>`,
  `<movie>${times('<a>')}</movie>`,
  `<movie>${times('<![CDATA[')}</movie>`,
  times('<movie>'),
  times('<movie '),
  times('imdb.com/title/tt'),
  times('de-'),
  times('S.W.A.T.'),
  times('[a] {b} (2019'),
]

/** Microseconds of this process's CPU; the minimum of several runs if it is long. */
function costOf(work: () => unknown): number {
  const once = (): number => {
    const from = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(from)
    return user + system
  }
  return Math.min(once(), once())
}

t.test('no text, name or tag costs much more to read than an ordinary subtitle of its length', { timeout: 120_000 }, async (t) => {
  const ordinary = times(`${CUE}<i>What is said</i>\n\n`)
  const bytes = Buffer.from(times('Zażółć gęślą jaźń\n'), 'latin1')
  const usual = Math.max(
    costOf(() => writeWebVtt(readCues(ordinary, 'subrip'))),
    costOf(() => decodeSubtitle(bytes, 'pl')),
    2_000,
  )
  const slow = Object.entries(READ).flatMap(([name, read]) =>
    HOSTILE.flatMap((text) => {
      const cost = costOf(() => read(text))
      return cost > usual * MOST ? [`${name}: ${JSON.stringify(text.slice(0, 60))} costs ${(cost / usual).toFixed(0)} times as much`] : []
    }),
  )
  t.strictSame(slow, [])
})

t.test('a Format line with an Alignment and a U+2028 is read at once', async (t) => {
  const script = `[V4+ Styles]\nFormat:${'Alignment '.repeat(200_000)}\u2028\nFormat: Name, Italic, Alignment\nStyle: Top,0,8\n[Events]\n${LINE.replace('Default', 'Top')}Hello`
  t.match(readCues(script, 'ass'), [{ settings: 'line:0', text: 'Hello' }])
})

t.test('a rating behind a million blanks is read at once', async (t) => {
  t.match(readNfo(Buffer.from(element('mpaa', `Rated PG-13 for${' '.repeat(900_000)}`))), { contentRating: 'PG-13' })
  t.match(readNfo(Buffer.from(element('mpaa', 'PG-13\n for violence'))), { contentRating: 'PG-13' })
})
