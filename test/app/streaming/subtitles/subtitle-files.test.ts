import t from 'tap'
import { createTestClock } from '../../../../src/adapters/memory/clock.ts'
import { createMemoryTextReader } from '../../../../src/adapters/memory/text-reader.ts'
import { createMemoryTextTracks } from '../../../../src/adapters/memory/text-tracks.ts'
import { textReading } from '../../../../src/app/derived-media/text-reading.ts'
import { createSubtitles } from '../../../../src/app/streaming/subtitles/subtitles.ts'
import { mediaOf } from '../../../fixtures/movie-facts.ts'

t.test('a subtitle beside a film whose drive does not answer is unavailable for a while', async (t) => {
  const clock = createTestClock()
  const track = { path: '/films/a.srt', codec: 'subrip', language: 'en', title: null, stream: null }
  const flags = { forced: false, default: false, hearingImpaired: false }
  const silent = () => new Promise<never>(() => {})
  const subtitles = createSubtitles({
    clock,
    media: { stamp: silent, readSmall: silent },
    numbered: () => new Map([[0, { ...track, ...flags }]]),
    reader: createMemoryTextReader(textReading),
    texts: createMemoryTextTracks({ texts: {} }),
  })
  t.teardown(() => subtitles.close())
  const source = { fileId: 'f', path: '/films/a.mkv', fingerprint: 'aa', media: mediaOf(60_000), sidecars: [], zeroMs: 0 }
  const asked = subtitles.whole(source, 0, { viewer: 'ann', signal: new AbortController().signal })
  await clock.advance(12_000)
  t.match(await asked, { unavailable: /does not answer/, missing: false, retryAfterSeconds: 30 })
})
