import t from 'tap'
import {
  grabFor,
  intervalOf,
  isKeyframe,
  isNearer,
  standsFor,
  trickplayWork,
  type TrickplayWork,
} from '../../../src/domain/streaming/trickplay.ts'
import type { MediaTimes } from '../../../src/domain/streaming/media-times.ts'
import { mediaOf, videoOf } from '../../fixtures/movie-facts.ts'

const every = (stepMs: number, endMs: number) => Array.from({ length: Math.ceil(endMs / stepMs) }, (_, n) => n * stepMs)
const times = (endMs: number, keyframesMs = every(2_000, endMs), more: Partial<MediaTimes> = {}): MediaTimes => ({
  zeroMs: 0,
  keyframesMs,
  videoStartMs: 0,
  audioStartMs: 0,
  videoEndMs: endMs,
  ...more,
})
const mediaFile = (durationMs: number, more: Parameters<typeof mediaOf>[1] = {}) =>
  mediaOf(durationMs, { container: 'mp4', video: [videoOf(1920, 1080)], ...more })
function work(durationMs: number, filmTimes = times(durationMs), more: Parameters<typeof mediaOf>[1] = {}): TrickplayWork {
  const found = trickplayWork(mediaFile(durationMs, more), filmTimes)
  if (!found) throw new Error('There is no work')
  return found
}

t.test('one thumbnail stands for each ten seconds, and a short film has one', async (t) => {
  for (const [durationMs, thumbnails] of [
    [40, 1],
    [5_000, 1],
    [10_000, 1],
    [10_900, 1],
    [11_100, 2],
    [20_000, 2],
    [7_200_000, 720],
  ] as const) {
    t.equal(work(durationMs).thumbnails, thumbnails, `${durationMs} ms`)
  }
})

t.test('thumbnails are 320 wide and as high as the film is shown', async (t) => {
  const sizeOf = (width: number, height: number, more: Partial<ReturnType<typeof videoOf>> = {}) => {
    const { width: across, height: down } = work(60_000, times(60_000), { video: [{ ...videoOf(width, height), ...more }] })
    return `${across}x${down}`
  }
  t.equal(sizeOf(1920, 1080), '320x180')
  t.equal(sizeOf(1920, 800), '320x134')
  t.equal(sizeOf(160, 120), '320x240')
  t.equal(sizeOf(720, 576, { sampleAspect: '64:45' }), '320x180', 'square pixels')
  t.equal(sizeOf(1920, 1080, { rotation: 90 }), '320x568', 'upright')
  t.equal(sizeOf(16, 9000), '320x1000', 'no more upright than that')
  t.equal(sizeOf(9000, 16), '320x2')
})

t.test('what has no video, or not all of it, or never ends has none', async (t) => {
  t.equal(trickplayWork(mediaOf(60_000), times(60_000)), undefined)
  t.equal(trickplayWork(mediaFile(60_000), times(30_000)), undefined, 'the video ends in the middle')
  t.ok(trickplayWork(mediaFile(60_000), times(55_000)), 'the sound goes on for a little')
  t.equal(trickplayWork(mediaFile(40 * 3_600_000), times(40 * 3_600_000)), undefined)
})

t.test('all keyframes are read through where they are near, known and timed', async (t) => {
  const hour = 3_600_000
  t.ok(work(hour).readsThrough)
  t.ok(work(hour, times(hour, every(10_000, hour))).readsThrough)
  t.notOk(work(hour, times(hour, every(30_000, hour))).readsThrough, 'most thumbnails would be missing')
  t.notOk(work(hour, times(hour, every(40, hour))).readsThrough, 'every frame is a keyframe')
  t.notOk(work(hour, times(hour, [])).readsThrough)
  for (const container of ['avi', 'mpeg', 'ogg']) t.notOk(work(hour, times(hour), { container }).readsThrough, container)
})

t.test('a keyframe stands for the interval that it lies in, or begins a second later', async (t) => {
  for (const [ptsMs, interval] of [
    [0, 0],
    [8_999, 0],
    [9_000, 1],
    [10_000, 1],
    [18_999, 1],
    [19_000, 2],
  ] as const) {
    t.equal(intervalOf(ptsMs), interval, `${ptsMs} ms`)
  }
  t.ok(isNearer(1, 9_900, 10_200))
  t.notOk(isNearer(1, 11_000, 9_900))
})

t.test('only what was decoded at the time of a known keyframe is one', async (t) => {
  const known = { keyframesMs: [-40, 0, 1_967.5, 4_000] }
  for (const ptsMs of [0, 1, 1_967, 1_968, 4_000, 4_002]) t.ok(isKeyframe(known, ptsMs), `${ptsMs} ms`)
  for (const ptsMs of [-40, 40, 1_960, 2_000, 4_010, 99_999]) t.notOk(isKeyframe(known, ptsMs), `${ptsMs} ms`)
  t.notOk(isKeyframe({ keyframesMs: [] }, 0))
})

t.test('a frame that is looked for is read from where the container lets it be found', async (t) => {
  const mp4 = work(60_000, times(60_000, [0, 25_000]))
  t.strictSame(grabFor(mp4, 0), { fromMs: 0, seekMs: null })
  t.strictSame(grabFor(mp4, 3), { fromMs: 30_000, seekMs: 30_000 })
  const ts = work(60_000, times(60_000, [0, 25_000]), { container: 'mpegts' })
  t.strictSame(grabFor(ts, 3), { fromMs: 30_000, seekMs: 24_000 })
  t.strictSame(grabFor(ts, 1), { fromMs: 10_000, seekMs: null })
})

t.test('what comes too late stands for nothing, but for the first frame of a film that begins with sound', async (t) => {
  const usual = { videoStartMs: 0 }
  t.ok(standsFor(2, 20_040, usual))
  t.ok(standsFor(2, 28_900, usual))
  t.notOk(standsFor(2, 29_100, usual))
  t.notOk(standsFor(2, 15_000, usual))
  t.ok(standsFor(0, 12_000, { videoStartMs: 12_000 }))
  t.ok(standsFor(1, 12_000, { videoStartMs: 12_000 }))
  t.notOk(standsFor(2, 12_000, { videoStartMs: 12_000 }))
})
