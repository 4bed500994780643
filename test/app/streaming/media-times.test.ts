import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createMediaTimes } from '../../../src/app/streaming/media-times.ts'
import type { Media } from '../../../src/ports/media.ts'
import { times } from '../../fixtures/media-descriptions.ts'

/** Media whose index is ready when the test says so. */
function slowMedia() {
  const { promise, resolve, reject } = Promise.withResolvers<ReturnType<typeof times>>()
  let asked = 0
  const none = () => Promise.reject(new Error('Not asked for here'))
  const media: Media = {
    health: none,
    list: async function* () {},
    subfolders: none,
    stamp: none,
    fingerprint: none,
    probe: none,
    readSmall: none,
    hasIndex: none,
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
  t.match(await keeper.of(mediaFile), { zeroMs: 0 })
  await keeper.of(mediaFile)
  t.equal(asked(), 1)
})

t.test('an index that takes longer is done without while the film is in use, and used when it is played again', async (t) => {
  const clock = createTestClock()
  const { media, resolve } = slowMedia()
  const keeper = createMediaTimes({ media, clock })
  const first = keeper.of(mediaFile)
  await clock.advance(5_000)
  t.equal(await first, undefined)
  resolve(times())
  for (let minute = 0; minute < 30; minute++) {
    await clock.advance(60_000)
    t.equal(await keeper.of(mediaFile), undefined, `minute ${minute}`)
  }
  await clock.advance(10 * 60_000)
  t.match(await keeper.of(mediaFile), { zeroMs: 0 })
})

t.test('a film whose index cannot be made is played without', async (t) => {
  const { media, reject } = slowMedia()
  const keeper = createMediaTimes({ media, clock: createTestClock() })
  reject(new Error('It ends before its first frame'))
  t.equal(await keeper.of(mediaFile), undefined)
})
