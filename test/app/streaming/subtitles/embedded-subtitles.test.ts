import t from 'tap'
import { createMemoryTextReader } from '../../../../src/adapters/memory/text-reader.ts'
import { textReading } from '../../../../src/app/derived-media/text-reading.ts'
import { createTestClock } from '../../../../src/adapters/memory/clock.ts'
import { createMemoryTextTracks, type MemoryTextTracksOptions } from '../../../../src/adapters/memory/text-tracks.ts'
import { createEmbeddedSubtitles } from '../../../../src/app/streaming/subtitles/embedded-subtitles.ts'
import { isUnavailable } from '../../../../src/app/streaming/segments/unavailable.ts'
import type { Cue } from '../../../../src/vocabulary/cue.ts'

const MINUTE = { fromMs: 0, toMs: 60_000 }
const tracks = [{ stream: 2, codec: 'subrip' }]
const mediaFile = { path: '/films/a.mkv', fingerprint: 'aa', startMs: 0, bitrateBps: null, pacer: 1, tracks }
const NAMELESS = { title: null, forced: false, default: false, hearingImpaired: false }
const embedded = { mediaFile, track: { ...NAMELESS, stream: 2, path: null, codec: 'subrip', language: 'en' } }
const TEXTS = { 2: '00:00:01.000 --> 00:00:02.000\nhere\n\n' }

/** Reads that end when the test says so. */
function gates() {
  const open: { readonly kind: string; readonly signal: AbortSignal; readonly end: (isRead: boolean) => void }[] = []
  const reading: NonNullable<MemoryTextTracksOptions['reading']> = (kind, signal) =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      open.push({ kind, signal, end: resolve })
    })
  return { open, reading }
}

function setUp(options: MemoryTextTracksOptions = {}) {
  const clock = createTestClock()
  const texts = createMemoryTextTracks({ texts: TEXTS, ...options })
  const leaving = new Map<string, AbortController>()
  const ask = (viewer: string) => {
    const gone = leaving.get(viewer) ?? new AbortController()
    leaving.set(viewer, gone)
    return { viewer, signal: gone.signal }
  }
  return {
    clock,
    texts,
    ask,
    leaving,
    subtitles: createEmbeddedSubtitles({ clock, texts, reader: createMemoryTextReader(textReading), answerWithinMs: 8000 }),
  }
}

const words = (cues: Awaited<ReturnType<ReturnType<typeof setUp>['subtitles']['whole']>>): readonly string[] | string =>
  isUnavailable(cues) ? cues.unavailable : (cues satisfies readonly Cue[]).map(({ text }) => text)

t.test('what is kept is read once, and the film never', async (t) => {
  const { texts, ask, subtitles } = setUp()
  texts.keep(mediaFile)
  t.strictSame(words(await subtitles.whole(embedded, ask('ann'))), ['here'])
  t.strictSame(words(await subtitles.stretch(embedded, MINUTE, ask('ann'))), ['here'])
  t.strictSame(texts.reads, [])
})

t.test('several who want the same are served by one reading', async (t) => {
  const { open, reading } = gates()
  const { texts, ask, subtitles, clock } = setUp({ reading })
  const asked = ['ann', 'bob', 'cas'].map((viewer) => subtitles.stretch(embedded, MINUTE, ask(viewer)))
  await clock.settle()
  open[0]?.end(true)
  t.strictSame((await Promise.all(asked)).map(words), [['here'], ['here'], ['here']])
  const whole = ['ann', 'bob'].map((viewer) => subtitles.whole(embedded, ask(viewer)))
  await clock.settle()
  t.strictSame(texts.reads, ['stretch', 'background', 'whole'], 'who waits for the whole does not wait for the slow reading')
  t.equal(open[1]?.signal.aborted, true)
  open[2]?.end(true)
  t.strictSame((await Promise.all(whole)).map(words), [['here'], ['here']])
})

t.test('a slow read is reported after eight seconds, continues, and serves the next request', async (t) => {
  const { open, reading } = gates()
  const { ask, subtitles, clock, texts } = setUp({ reading })
  const whole = subtitles.whole(embedded, ask('ann'))
  const minute = subtitles.stretch(embedded, MINUTE, ask('ann'))
  await clock.settle()
  await clock.advance(8000)
  for (const answer of [await whole, await minute])
    t.match(answer, { unavailable: /still being read/, missing: false, retryAfterSeconds: 3 })
  for (const { end } of open) end(true)
  await clock.settle()
  t.strictSame(words(await subtitles.stretch(embedded, MINUTE, ask('ann'))), ['here'])
  t.strictSame(words(await subtitles.whole(embedded, ask('ann'))), ['here'])
  t.strictSame(texts.reads.toSorted(), ['stretch', 'whole'])
})

t.test('an unreadable film is reported at once, and not read again without a request', async (t) => {
  const { ask, subtitles, clock, texts } = setUp({ reading: async () => false })
  t.match(await subtitles.whole(embedded, ask('ann')), { unavailable: /cannot be read/, missing: false })
  t.match(await subtitles.stretch(embedded, MINUTE, ask('ann')), { unavailable: /cannot be read/ })
  await clock.settle()
  t.strictSame(texts.reads, ['whole', 'stretch'])
})

t.test('who has gone waits no more, and the last one stops the reading', async (t) => {
  const { open, reading } = gates()
  const { ask, leaving, subtitles, clock } = setUp({ reading })
  const asked = ['ann', 'bob'].map((viewer) => subtitles.stretch(embedded, MINUTE, ask(viewer)))
  await clock.settle()
  leaving.get('ann')?.abort(new Error('gone'))
  await t.rejects(async () => void (await asked[0]), { message: 'gone' })
  t.equal(open[0]?.signal.aborted, false)
  leaving.get('bob')?.abort(new Error('gone'))
  await t.rejects(async () => void (await asked[1]), { message: 'gone' })
  await clock.settle()
  t.equal(open[0]?.signal.aborted, true)
})

t.test('a reading for sessions ends with the last of them, and all end with the server', async (t) => {
  const { open, reading } = gates()
  const { ask, subtitles, clock } = setUp({ reading })
  const asked = ['ann', 'bob'].map((viewer) => subtitles.whole(embedded, ask(viewer)))
  await clock.settle()
  subtitles.leave('ann')
  t.equal(open[0]?.signal.aborted, false)
  subtitles.leave('bob')
  t.equal(open[0]?.signal.aborted, true)
  for (const answer of asked) t.match(await answer, { unavailable: /cannot be read/ })
  const other = subtitles.whole(embedded, ask('cas'))
  await clock.settle()
  await subtitles.close()
  t.equal(open[1]?.signal.aborted, true)
  t.ok(isUnavailable(await other))
})

t.test('no more than two films are read in a hurry at once', async (t) => {
  const { open, reading } = gates()
  const { ask, subtitles, clock } = setUp({ reading })
  for (const fingerprint of ['aa', 'bb']) void subtitles.whole({ ...embedded, mediaFile: { ...mediaFile, fingerprint } }, ask('ann'))
  await clock.settle()
  t.match(await subtitles.whole({ ...embedded, mediaFile: { ...mediaFile, fingerprint: 'cc' } }, ask('ann')), {
    unavailable: /cannot be read/,
  })
  t.equal(open.length, 2)
  await subtitles.close()
})

t.test('a subtitle that is to be drawn waits for two others that are being read, and is not called unreadable', async (t) => {
  const { open, reading } = gates()
  const { ask, subtitles, clock } = setUp({ reading })
  const named = (fingerprint: string) => ({ ...embedded, mediaFile: { ...mediaFile, fingerprint } })
  const first = ['aa', 'bb'].map((fingerprint) => subtitles.bytes(named(fingerprint), ask('ann')))
  await clock.settle()
  t.match(await subtitles.bytes(named('cc'), ask('bob')), { unavailable: /next/, missing: false, retryAfterSeconds: 3 })
  open[0]?.end(false)
  t.match(await first[0], { unavailable: /cannot be read/, missing: true })
  void subtitles.bytes(named('cc'), ask('bob'))
  await clock.settle()
  t.equal(open.length, 3)
  await subtitles.close()
})
