import t from 'tap'
import { createSubtitleNumbers } from '../../../../src/app/streaming/subtitles/subtitle-numbers.ts'
import { subtitlesOf } from '../../../fixtures/movie-facts.ts'

const track = (stream: number | null, path: string | null) => ({ ...subtitlesOf('en', path), stream })
const mediaFile = (streams: readonly number[], paths: readonly string[], fingerprint = 'aa') => ({
  fileId: 'file',
  fingerprint,
  media: { subtitles: streams.map((stream) => track(stream, null)) },
  sidecars: paths.map((path) => track(null, path)),
})
const shown = (numbers: ReadonlyMap<number, { readonly stream: number | null; readonly path: string | null }>) =>
  [...numbers].map(([number, { stream, path }]) => `${number} ${stream ?? path}`)

t.test('a number never changes its meaning, whatever a scan finds or misses', async (t) => {
  const numbered = createSubtitleNumbers()
  t.strictSame(shown(numbered(mediaFile([3, 4], ['/b.srt']))), ['0 3', '1 4', '2 /b.srt'])
  t.strictSame(shown(numbered(mediaFile([3, 4], ['/a.srt', '/b.srt']))), ['0 3', '1 4', '2 /b.srt', '3 /a.srt'])
  t.strictSame(shown(numbered(mediaFile([3, 4], ['/a.srt']))), ['0 3', '1 4', '3 /a.srt'])
  t.strictSame(shown(numbered(mediaFile([3, 4], ['/a.srt', '/b.srt']))), ['0 3', '1 4', '2 /b.srt', '3 /a.srt'])
})

t.test('a file with other content is numbered again', async (t) => {
  const numbered = createSubtitleNumbers()
  numbered(mediaFile([3], ['/b.srt']))
  t.strictSame(shown(numbered(mediaFile([], ['/a.srt', '/b.srt'], 'bb'))), ['0 /a.srt', '1 /b.srt'])
  t.strictSame(shown(numbered(mediaFile([], [], 'cc'))), [])
})
