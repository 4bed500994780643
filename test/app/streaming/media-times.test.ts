import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createMediaTimes } from '../../../src/app/streaming/media-times.ts'
import type { Media } from '../../../src/ports/media.ts'
import type { MediaPart } from '../../../src/vocabulary/media-part.ts'
import { times } from '../../fixtures/media-descriptions.ts'

/** Media whose index is ready when the test says so. */
function slowMedia({ parts }: { readonly parts?: readonly MediaPart[] } = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<ReturnType<typeof times>>()
  let asked = 0
  const media: Pick<Media, 'index' | 'parts'> = {
    parts: async () => parts,
    async index() {
      asked++
      const { tracks: _tracks, ...index } = await promise
      return index
    },
  }
  return { media, resolve, reject, asked: () => asked }
}
const mediaFile = { path: '/film.mkv', fingerprint: 'f' }

t.test('an index that is there is used, and asked for once', async (t) => {
  const clock = createTestClock()
  const { media, resolve, asked } = slowMedia()
  const keeper = createMediaTimes({ media, clock })
  resolve(times())
  t.match(await keeper.of(mediaFile), { times: { zeroMs: 0 } })
  await keeper.of(mediaFile)
  t.equal(asked(), 1)
})

t.test('sessions that begin before the index is ready go on without it, and later ones have it', async (t) => {
  const clock = createTestClock()
  const { media, resolve, asked } = slowMedia()
  const keeper = createMediaTimes({ media, clock })
  const early = { ...mediaFile, sessionStartMs: clock.now() }
  const first = keeper.of(mediaFile)
  await clock.advance(5_000)
  t.strictSame(await first, { parts: undefined })
  resolve(times())
  await clock.advance(1_000)
  t.match(await keeper.of(mediaFile), { times: { zeroMs: 0 } }, 'a session that is about to start, although the film is in use')
  for (let minute = 0; minute < 30; minute++) {
    await clock.advance(60_000)
    t.equal(await keeper.of(early), await first, `minute ${minute}`)
    t.match(await keeper.of({ ...mediaFile, sessionStartMs: clock.now() - 1 }), { times: { zeroMs: 0 } })
  }
  t.equal(asked(), 1)
})

t.test('a film in parts is never without them, whether its index is late or cannot be made', async (t) => {
  const parts = [0, 1].map((one) => ({ startByte: one * 100, endByte: one * 100 + 100, durationMs: 1_000 }))
  const clock = createTestClock()
  const [late, failing] = [slowMedia({ parts }), slowMedia({ parts })]
  const first = createMediaTimes({ media: late.media, clock }).of(mediaFile)
  await clock.advance(5_000)
  t.strictSame(await first, { parts })
  failing.reject(new Error('It ends before its first frame'))
  t.strictSame(await createMediaTimes({ media: failing.media, clock }).of(mediaFile), { parts })
})

t.test('a film whose index cannot be made is played without, and tried again when it was not in use for a while', async (t) => {
  const clock = createTestClock()
  const { media, reject, asked } = slowMedia()
  const keeper = createMediaTimes({ media, clock })
  reject(new Error('It ends before its first frame'))
  t.strictSame(await keeper.of(mediaFile), { parts: undefined })
  await clock.advance(9 * 60_000)
  await keeper.of(mediaFile)
  t.equal(asked(), 1)
  await clock.advance(10 * 60_000)
  await keeper.of(mediaFile)
  t.equal(asked(), 2)
})
