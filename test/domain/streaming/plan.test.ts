import t from 'tap'
import { rungFor, type RungPurpose } from '../../../src/domain/streaming/ladder.ts'
import { planStreams, type CopyObstacle } from '../../../src/domain/streaming/plan.ts'
import type { MediaDescription, VideoTrack } from '../../../src/events/media-description.ts'
import { audio, film, times, video } from './films.ts'

t.test('a film that players take is copied, with a smaller transcode beside it', async (t) => {
  const plan = planStreams(film(), times())
  t.equal(plan.method, 'remux')
  t.strictSame(plan.reasons, [])
  t.strictSame(
    plan.video.map(({ name, method, width, height }) => [name, method, width, height]),
    [
      ['original', 'remux', 1920, 1080],
      ['720p', 'transcode', 1280, 720],
    ],
  )
  t.equal(plan.video[0]?.codec, 'avc1.640028')
  t.equal(plan.video[1]?.codec, 'avc1.64001f')
  t.equal(plan.targetSeconds, 4)
})

const OBSTACLES: readonly (readonly [CopyObstacle, Partial<MediaDescription>])[] = [
  ['container', { container: 'avi' }],
  ['video-codec', { video: [video({ codec: 'hevc', profile: 'Main' })] }],
  ['video-profile', { video: [video({ profile: 'High 4:2:2' })] }],
  ['video-bit-depth', { video: [video({ bitDepth: 10 })] }],
  ['video-pixel-format', { video: [video({ pixelFormat: 'yuv422p' })] }],
  ['video-interlaced', { video: [video({ interlaced: true })] }],
]
for (const [obstacle, changes] of OBSTACLES) {
  t.test(`${obstacle} stands in the way of a copy, and only that`, async (t) => {
    const plan = planStreams(film(changes), times())
    t.strictSame([plan.method, plan.reasons], ['transcode', [obstacle]])
    t.strictSame(
      plan.video.map(({ name }) => name),
      ['1080p'],
    )
  })
}

t.test('without an index, or with keyframes too far apart, or cut by an edit list, there is no copy', async (t) => {
  t.strictSame(planStreams(film(), undefined).reasons, ['no-index'])
  t.strictSame(planStreams(film(), times({ keyframesMs: [] })).reasons, ['no-index'])
  t.strictSame(planStreams(film(), times({ keyframesMs: [0, 5_000] })).reasons, ['keyframes-too-far'])
  t.strictSame(planStreams(film(), times({ keyframesMs: [-700, 9_000, 30_000, 50_000] })).reasons, ['video-edited'])
})

const RUNGS: readonly (readonly [Partial<VideoTrack>, RungPurpose, string, number, number])[] = [
  [{}, 'alone', '1080p', 1920, 1080],
  [{ width: 3840, height: 2160 }, 'alone', '1080p', 1920, 1080],
  [{ width: 3840, height: 2160 }, 'tone-mapped', '720p', 1280, 720],
  [{ width: 3840, height: 1600 }, 'beside-copy', '720p', 1280, 534],
  [{ width: 960, height: 540 }, 'beside-copy', '480p', 854, 480],
  [{ width: 800, height: 332 }, 'alone', '480p', 800, 332],
  [{ width: 320, height: 184 }, 'beside-copy', '240p', 320, 184],
  [{ width: 160, height: 120 }, 'alone', '240p', 160, 120],
  [{ width: 432, height: 244, rotation: 90 }, 'beside-copy', '240p', 244, 432],
  [{ width: 1920, height: 1080, rotation: 270 }, 'beside-copy', '720p', 720, 1280],
  [{ width: 720, height: 576, sampleAspect: '64:45' }, 'alone', '480p', 1024, 576],
  [{ width: 480, height: 360, sampleAspect: '491:480' }, 'alone', '360p', 490, 360],
  [{ width: 853, height: 479 }, 'alone', '480p', 852, 478],
]
t.test('a rung is never above the film, even in both directions, and there is always one', async (t) => {
  for (const [changes, purpose, name, width, height] of RUNGS) {
    const rung = rungFor(video(changes), purpose)
    t.strictSame([rung.name, rung.width, rung.height], [name, width, height], JSON.stringify(changes))
  }
})

t.test('HDR is brought down to SDR, and said to be SDR', async (t) => {
  const hdr = { codec: 'hevc', profile: 'Main 10', bitDepth: 10, pixelFormat: 'yuv420p10le' }
  const pq = planStreams(film({ video: [video({ ...hdr, colorTransfer: 'smpte2084' })] }), times()).video[0]
  const hlg = planStreams(film({ video: [video({ ...hdr, colorTransfer: 'arib-std-b67' })] }), times()).video[0]
  t.match(
    [pq, hlg],
    [
      { videoRange: 'SDR', output: { toneMap: 'pq' } },
      { videoRange: 'SDR', output: { toneMap: 'hlg' } },
    ],
  )
})

t.test('sound is copied where every player takes it, else made into AAC', async (t) => {
  const tracks = [
    audio(),
    audio({ stream: 2, profile: 'HE-AAC', sampleRate: 44_100 }),
    audio({ stream: 3, profile: 'HE-AACv2' }),
    audio({ stream: 4, channels: 6 }),
    audio({ stream: 5, codec: 'dts', profile: 'DTS', channels: 6 }),
    audio({ stream: 6, codec: 'mp3', profile: null, channels: 1 }),
  ]
  const plan = planStreams(film({ audio: tracks }), times())
  t.strictSame(
    plan.audio.map(({ name, codec, channels }) => [name, codec, channels]),
    [
      ['audio-0', 'mp4a.40.2', 2],
      ['audio-1', 'mp4a.40.5', 2],
      ['audio-2-aac', 'mp4a.40.2', 2],
      ['audio-3-aac', 'mp4a.40.2', 2],
      ['audio-4-aac', 'mp4a.40.2', 2],
      ['audio-5-aac', 'mp4a.40.2', 1],
    ],
  )
  t.match(plan.audio[1]?.output, { type: 'copy-audio', frameSamples: 2048 })
})

t.test('a film without sound has none, and one default track otherwise', async (t) => {
  t.strictSame(planStreams(film({ audio: [] }), times()).audio, [])
  const marked = planStreams(film({ audio: [audio({ default: false }), audio({ stream: 2 })] }), times())
  t.strictSame(
    marked.audio.map((one) => one.default),
    [false, true],
  )
  const unmarked = planStreams(film({ audio: [audio({ default: false }), audio({ stream: 2, default: false })] }), times())
  t.strictSame(
    unmarked.audio.map((one) => one.default),
    [true, false],
  )
})

t.test('what is made of two forms of one stream never has the same key', async (t) => {
  const plan = planStreams(film({ audio: [audio(), audio({ stream: 2, codec: 'ac3' })] }), times())
  const keys = [...plan.video, ...plan.audio].map(({ key }) => key)
  t.equal(new Set(keys).size, keys.length)
  for (const key of keys) t.match(key, /^[A-Za-z0-9-]+$/)
})
