import t from 'tap'
import {
  parseQuality,
  parseQualityFile,
  parseSubtitleFile,
  parseTrickplayFile,
  qualityName,
} from '../../../src/domain/streaming/stream-name.ts'

t.test('the names of qualities are read, and written again as they were', async (t) => {
  for (const name of [
    'original',
    '2160p',
    '1440p',
    '1080p',
    '720p',
    '480p',
    '360p',
    '240p',
    'audio-0',
    'audio-12',
    'audio-0-aac',
    'audio-1-aac51',
  ]) {
    const quality = parseQuality(name)
    t.ok(quality, name)
    t.equal(quality && qualityName(quality), name)
  }
})

t.test('the names of files are read into numbers', async (t) => {
  t.strictSame(parseQualityFile('playlist.m3u8'), { type: 'playlist' })
  t.strictSame(parseQualityFile('init.mp4'), { type: 'init' })
  t.strictSame(parseQualityFile('seg-0.m4s'), { type: 'segment', segment: 0 })
  t.strictSame(parseQualityFile('seg-1234.m4s'), { type: 'segment', segment: 1234 })
  t.strictSame(parseQualityFile('iframes.m3u8'), { type: 'iframe-playlist' })
  t.strictSame(parseQualityFile('iframe-1234.m4s'), { type: 'iframe', segment: 1234 })
  t.strictSame(parseSubtitleFile('0.vtt'), { type: 'whole', index: 0 })
  t.strictSame(parseSubtitleFile('2.m3u8'), { type: 'playlist', index: 2 })
  t.strictSame(parseSubtitleFile('2-10.vtt'), { type: 'piece', index: 2, piece: 10 })
  t.strictSame(parseTrickplayFile('thumbnails.vtt'), { type: 'vtt' })
  t.strictSame(parseTrickplayFile('plan.json'), { type: 'plan' })
  t.strictSame(parseTrickplayFile('320.m3u8'), { type: 'playlist', width: 320 })
  t.strictSame(parseTrickplayFile('320-12.jpg'), { type: 'sheet', width: 320, sheet: 12 })
})

const HOSTILE = [
  '',
  '.',
  '..',
  '../original',
  '..%5c',
  '%2e%2e%2f',
  '%2e%2e%2finit.mp4',
  'original/',
  'original.',
  'original\0',
  'original%00',
  'original\n',
  '/etc/passwd',
  'C:\\film',
  'file',
  'subtitles',
  'trickplay',
  'ORIGINAL',
  ' original',
  '720',
  '0720p',
  '720P',
  '4320p',
  'audio',
  'audio-',
  'audio-01',
  'audio--1',
  'audio-1-mp3',
  'audio-1e1',
  'audio-99999',
  'seg-.m4s',
  'seg-01.m4s',
  'seg-+1.m4s',
  'seg--1.m4s',
  'seg-1e3.m4s',
  'seg-1.5.m4s',
  'seg-1.m4s.',
  'seg-1.m4s\n',
  'seg-1.m4s%00',
  'seg-1.mp4',
  'seg-99999999999999999999.m4s',
  'seg-٣.m4s',
  'xseg-1.m4s',
  'init.mp4.',
  'init.mp4 ',
  'Init.mp4',
  'playlist.m3u8/',
  '00.vtt',
  '0.srt',
  '0-1.m3u8',
  '0-.vtt',
  '-1.vtt',
  '0.vtt\r\n',
  'Thumbnails.vtt',
  'plan.json.',
  '0320-0.jpg',
  '320-00.jpg',
  '320-0.jpeg',
  '320.m3u8\n',
  '32000-0.jpg',
  '320-99999.jpg',
  '../320-0.jpg',
  '__proto__',
  'constructor',
]
t.test('every other name names nothing', async (t) => {
  for (const name of HOSTILE) {
    const read = [
      name === 'original' ? undefined : parseQuality(name),
      parseQualityFile(name),
      parseSubtitleFile(name),
      parseTrickplayFile(name),
    ]
    t.strictSame(read, [undefined, undefined, undefined, undefined], JSON.stringify(name))
  }
})
