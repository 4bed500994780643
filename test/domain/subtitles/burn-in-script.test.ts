import t from 'tap'
import { burntScript } from '../../../src/domain/subtitles/burn-in-script.ts'

const size = { width: 1920, height: 800 }
const eventsOf = (script: string): readonly string[] => script.split('\n').filter((line) => line.startsWith('Dialogue:'))

t.test('a styled script keeps everything but its times', async (t) => {
  const text = [
    '[Script Info]',
    'PlayResX: 640',
    '[V4+ Styles]',
    'Style: Sign,Fancy Font,20',
    '[Events]',
    'Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text',
    'Dialogue: 3,0:00:01.50,0:59:59.99,Sign,,0,0,0,,{\\pos(1,2)}One, two: 0:00:01.00',
    'Comment: 0,0:00:01.00,0:00:02.00,Sign,,0,0,0,,not shown',
  ]
  const script = burntScript(text.join('\r\n'), { format: 'ass', byMs: 2_345, ...size }).split('\n')
  t.strictSame(script.slice(0, 6), text.slice(0, 6))
  t.equal(script[6], 'Dialogue: 3,0:00:03.85,1:00:02.34,Sign,,0,0,0,,{\\pos(1,2)}One, two: 0:00:01.00')
  t.equal(script[7], text[7])
})

t.test('milliseconds of what was read out of a film become hundredths, in the columns that the script has', async (t) => {
  const text = '[Events]\nFormat: Marked, End, Start, Text\nDialogue: Marked=0,00:00:02.987,00:00:01.004,Words'
  t.strictSame(eventsOf(burntScript(text, { format: 'ass', byMs: 0, ...size })), ['Dialogue: Marked=0,0:00:02.99,0:00:01.00,Words'])
})

t.test('mere words get a plain style, as large in an upright video as in any other', async (t) => {
  const cue = '1\n00:00:01,000 --> 00:00:02,000\nWords\n'
  const wide = burntScript(cue, { format: 'subrip', byMs: 0, ...size })
  t.match(wide, 'PlayResX: 2592\nPlayResY: 1080\n')
  t.match(wide, /^Style: Plain,sans-serif,58,/m)
  t.match(burntScript(cue, { format: 'subrip', byMs: 0, width: 608, height: 1080 }), 'PlayResX: 1080\nPlayResY: 1918\n')
  t.strictSame(eventsOf(wide), ['Dialogue: 0,0:00:01.00,0:00:02.00,Plain,,0,0,0,,Words'])
})

t.test('words say nothing to the one who draws them', async (t) => {
  const cues = [
    '00:00:01,000 --> 00:00:02,000\n<i>lean</i> & <b>bold</b> <font color="red">red</font>\nnext',
    '00:00:02,000 --> 00:00:03,000\n{\\an8}top {curly \\N \\h} &lt;3',
  ]
  t.strictSame(
    eventsOf(burntScript(cues.join('\n\n'), { format: 'subrip', byMs: 0, ...size })).map((line) => line.split(',,').at(-1)),
    ['{\\i1}lean{\\i0} & {\\b1}bold{\\b0} red\\Nnext', '{\\an8}top \\{curly \\\u2060N \\\u2060h\\} <3'],
  )
})

t.test('a cue of WebVTT at the top of the video is drawn there', async (t) => {
  const text = 'WEBVTT\n\n00:01.000 --> 00:02.000 line:10%\nAbove\n\n00:02.000 --> 00:03.000 line:90%\nBelow\n'
  t.strictSame(
    eventsOf(burntScript(text, { format: 'webvtt', byMs: 0, ...size })).map((line) => line.split(',,').at(-1)),
    ['{\\an8}Above', 'Below'],
  )
})

t.test('what is no script at all gives one that draws nothing', async (t) => {
  for (const format of ['subrip', 'webvtt', 'ass'] as const) {
    t.strictSame(eventsOf(burntScript('\0\u{1F600} Dialogue', { format, byMs: 0, ...size })), [], format)
  }
})
