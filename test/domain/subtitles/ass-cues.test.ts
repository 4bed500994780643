import t from 'tap'
import { readAss } from '../../../src/domain/subtitles/ass-cues.ts'

const STYLES = `[Script Info]
ScriptType: v4.00+

[V4+ Styles]
Format: Name, Fontname, Fontsize, Bold, Italic, Alignment
Style: Default,Arial,20,-1,0,2
Style: Sign,Arial,20,0,0,8
Style: Thought,Arial,20,0,-1,2

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
`
const line = (text: string, style = 'Default') => `Dialogue: 0,0:00:01.00,0:00:02.00,${style},,0,0,0,,${text}`
const read = (text: string, style?: string) => readAss(`${STYLES}${line(text, style)}\n`)[0]

t.test('a style gives italics and the line at the top; one that is bold as a whole gives nothing', async (t) => {
  t.match(read('words', 'Default'), { text: 'words', settings: '' })
  t.match(read('words', 'Sign'), { text: 'words', settings: 'line:0' })
  t.match(read('words', '*Thought'), { text: '<i>words</i>', settings: '' })
  t.match(read('words', 'Unknown'), { text: 'words', settings: '' })
  t.equal(read('{\\an2}down', 'Sign')?.settings, '', 'what a line says itself goes before')
})

t.test('codes give italics and bold, close what they open, and can be taken back', async (t) => {
  const text = (raw: string, style?: string) => read(raw, style)?.text
  t.equal(text('{\\i1}a{\\i0} b'), '<i>a</i> b')
  t.equal(text('{\\b1}a'), '<b>a</b>')
  t.equal(text('{\\b700}a{\\b400}b'), '<b>a</b>b')
  t.equal(text('{\\i1\\b1}a{\\b0}b'), '<i><b>a</b>b</i>')
  t.equal(text('{\\i0}a{\\r}b{\\rDefault}c', 'Thought'), 'a<i>b</i>c')
  t.equal(text('{\\fad(300,300)\\c&H0000FF&\\k50}a{no code}b'), 'ab')
  t.equal(text('a\\Nb\\nc\\hd'), 'a\nb c d')
  t.equal(text('{\\iclip(1,2,3,4)\\bord2\\be1\\blur1\\pos(1,2)}a'), 'a', 'codes that only begin alike')
})

t.test('drawings go, the words beside them stay', async (t) => {
  t.equal(read('{\\p1}m 0 0 l 1 1'), undefined)
  t.equal(read('{\\p1}m 0 0 l 1 1{\\p0}words')?.text, 'words')
})

t.test('SSA counts the places on the screen differently', async (t) => {
  const ssa = (alignment: number) =>
    readAss(
      `[V4 Styles]\nFormat: Name, Italic, Alignment\nStyle: Default,0,${alignment}\n[Events]\nFormat: Marked, Start, End, Style, Text\n` +
        'Dialogue: Marked=0,0:00:01.00,0:00:02.00,Default,a, b\n',
    )[0]
  t.match(ssa(6), { text: 'a, b', settings: 'line:0', startMs: 1000 })
  t.match(ssa(2), { text: 'a, b', settings: '' })
})

t.test('times may have milliseconds', async (t) => {
  t.match(readAss('Dialogue: 0,00:00:01.234,00:00:02.345,Default,,0,0,0,,a'), [{ startMs: 1234, endMs: 2345 }])
})
