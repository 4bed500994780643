import t from 'tap'
import { clientCapabilities } from '../../../src/domain/streaming/player-capabilities.ts'
import { planStreams } from '../../../src/domain/streaming/plan.ts'
import { segmentCount, startOf } from '../../../src/domain/streaming/segment-grid.ts'
import { audio, mediaFile, times, video } from '../../fixtures/media-descriptions.ts'

t.test('a film that players take is copied, with transcodes beside it', async (t) => {
  const plan = planStreams(mediaFile(), times())
  t.equal(plan.decision.method, 'remux')
  t.strictSame(
    plan.video.map(({ name, method, width, height, codec }) => [name, method, width, height, codec]),
    [
      ['original', 'remux', 1920, 1080, 'avc1.640028'],
      ['1080p', 'transcode', 1920, 1080, 'avc1.640028'],
      ['720p', 'transcode', 1280, 720, 'avc1.64001f'],
      ['480p', 'transcode', 854, 480, 'avc1.64001e'],
    ],
  )
  t.equal(plan.targetSeconds, 4)
})

const HEVC = video({ codec: 'hevc', profile: 'Main 10', bitDepth: 10, pixelFormat: 'yuv420p10le' })
const TAKES_HEVC = clientCapabilities({ video: [{ codec: 'hevc', bitDepth: 10, hdr: ['hdr10'] }] })

t.test('video that the player does not take is transcoded only, at the film’s own size first', async (t) => {
  for (const media of [
    mediaFile({ container: 'avi' }),
    mediaFile({ video: [HEVC] }),
    mediaFile({ video: [video({ interlaced: true })] }),
  ]) {
    t.strictSame(
      planStreams(media, times()).video.map(({ name }) => name),
      ['1080p', '720p', '480p'],
    )
  }
  for (const known of [
    undefined,
    times({ keyframesMs: [] }),
    times({ keyframesMs: [0, 5_000] }),
    times({ keyframesMs: [-700, 9_000, 30_000, 50_000] }),
  ]) {
    t.notOk(planStreams(mediaFile(), known).video.some(({ name }) => name === 'original'))
  }
})

t.test('the boundaries of a copy are boundaries of what is transcoded beside it, for those who do not take the copy too', async (t) => {
  const known = times({ keyframesMs: [0, 3_003, 4_504.5, 9_009, 21_000, 30_000, 59_500] })
  const media = mediaFile({ video: [HEVC] })
  const [copied, other] = [planStreams(media, known, { capabilities: TAKES_HEVC }), planStreams(media, known)]
  const [original, rung] = copied.video
  t.equal(original?.name, 'original')
  const starts = (grid: NonNullable<typeof rung>['grid']) =>
    Array.from({ length: segmentCount(grid) }, (_, segment) => startOf(grid, segment))
  const parts = starts(rung!.grid)
  for (const startMs of starts(original!.grid)) t.ok(parts.includes(startMs), `${startMs}`)
  const lengths = parts.map((startMs, part) => (parts[part + 1] ?? 60_000) - startMs)
  t.ok(
    lengths.every((ms) => ms >= 1_000 && ms <= 3_000),
    lengths.join(),
  )
  t.strictSame(
    other.video.map(({ key }) => key),
    copied.video.slice(1).map(({ key }) => key),
    'and they share what is made',
  )
})

t.test('copied HEVC video is named hvc1, and keeps its HDR', async (t) => {
  const plan = planStreams(mediaFile({ video: [{ ...HEVC, hdr: 'hdr10', colorTransfer: 'smpte2084' }] }), times(), {
    capabilities: TAKES_HEVC,
  })
  t.match(plan.video[0], { name: 'original', output: { type: 'copy-video', tag: 'hvc1' }, videoRange: 'PQ', codec: /^hvc1\.2\./ })
  t.match(plan.video[1], { name: '720p', output: { toneMap: { transfer: 'pq' } }, videoRange: 'SDR' })
})

t.test('a player that says it shows more is begun with what this machine is sure to keep pace with', async (t) => {
  const media = mediaFile({ video: [{ ...HEVC, width: 3840, height: 2160, bitrateBps: 40e6 }] })
  t.strictSame(
    planStreams(media, times(), { capabilities: clientCapabilities({ maxHeight: 2160 }) }).video.map(({ name }) => name),
    ['1080p', '2160p', '1440p'],
  )
})

t.test('HDR is reduced to SDR, and declared as SDR', async (t) => {
  const hdr = { codec: 'hevc', profile: 'Main 10', bitDepth: 10, pixelFormat: 'yuv420p10le' }
  const pq = planStreams(mediaFile({ video: [video({ ...hdr, colorTransfer: 'smpte2084' })] }), times()).video[0]
  const hlg = planStreams(mediaFile({ video: [video({ ...hdr, colorTransfer: 'arib-std-b67' })] }), times()).video[0]
  t.match(
    [pq, hlg],
    [
      { videoRange: 'SDR', output: { toneMap: { by: 'zscale', transfer: 'pq' } } },
      { videoRange: 'SDR', output: { toneMap: { by: 'zscale', transfer: 'hlg' } } },
    ],
  )
})

t.test('an HDR film begins with a size that two cores tone-map at the pace of playing', async (t) => {
  const hdr = { codec: 'hevc', profile: 'Main 10', bitDepth: 10, pixelFormat: 'yuv420p10le', colorTransfer: 'smpte2084' }
  const names = planStreams(mediaFile({ video: [video(hdr)], bitrateBps: 20_000_000 }), times()).video.map(({ name }) => name)
  t.strictSame(names, ['480p', '720p', '360p'])
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
  const plan = planStreams(mediaFile({ audio: tracks }), times())
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

t.test('sound is given in every form that the player takes, the best first, and always as stereo', async (t) => {
  const forms = (
    changes: Parameters<typeof audio>[0],
    told: Parameters<typeof clientCapabilities>[0],
    container = 'mp4',
    audioStartMs = 0,
  ) =>
    planStreams(mediaFile({ container, audio: [audio(changes)] }), times({ audioStartMs }), {
      capabilities: clientCapabilities(told),
    }).audio.map(({ name }) => name)
  const surround = { audio: [{ codec: 'aac', maxChannels: 6 }] }
  const all = { audio: ['aac', 'ac3', 'eac3', 'opus', 'flac'].map((codec) => ({ codec, maxChannels: 6 })) }
  t.strictSame(forms({}, all), ['audio-0'])
  t.strictSame(forms({ channels: 6 }, all), ['audio-0', 'audio-0-aac'])
  t.strictSame(forms({ channels: 6 }, {}), ['audio-0-aac'])
  for (const codec of ['ac3', 'eac3', 'opus', 'flac']) {
    t.strictSame(forms({ codec, profile: null, channels: 6 }, all), ['audio-0', 'audio-0-aac'], codec)
    t.strictSame(forms({ codec, profile: null, channels: 6 }, surround), ['audio-0-aac51', 'audio-0-aac'], codec)
    t.strictSame(forms({ codec, profile: null, channels: 2 }, surround), ['audio-0-aac'], codec)
    t.strictSame(forms({ codec, profile: null }, all, 'avi'), ['audio-0-aac'], codec)
  }
  t.strictSame(forms({ channels: 6, channelLayout: '5.1' }, all, 'mpegts'), ['audio-0', 'audio-0-aac'])
  t.strictSame(forms({ channels: 6, channelLayout: '5.1(side)' }, all, 'mpegts'), ['audio-0-aac51', 'audio-0-aac'], 'a layout of its own')
  t.strictSame(forms({ codec: 'flac', profile: null }, all, 'mp4', 500), ['audio-0-aac'], 'no silence in frames of its length')
  t.strictSame(forms({ codec: 'dts', channels: 8 }, { audio: [{ codec: 'dts', maxChannels: 8 }] }), ['audio-0-aac'], 'MP4 takes no DTS')
})

t.test('a film without sound has none, and one default track otherwise', async (t) => {
  t.strictSame(planStreams(mediaFile({ audio: [] }), times()).audio, [])
  const marked = planStreams(mediaFile({ audio: [audio({ default: false }), audio({ stream: 2 })] }), times())
  t.strictSame(
    marked.audio.map((one) => one.default),
    [false, true],
  )
  const asked = planStreams(mediaFile({ audio: [audio(), audio({ stream: 2, default: false })] }), times(), { audioIndex: 1 })
  t.strictSame(
    asked.audio.map((one) => one.default),
    [false, true],
    'the one that the player asked for',
  )
  const unmarked = planStreams(mediaFile({ audio: [audio({ default: false }), audio({ stream: 2, default: false })] }), times())
  t.strictSame(
    unmarked.audio.map((one) => one.default),
    [true, false],
  )
})

t.test('what is made of two forms of one stream never has the same key', async (t) => {
  const plan = planStreams(mediaFile({ audio: [audio(), audio({ stream: 2, codec: 'ac3' })] }), times())
  const keys = [...plan.video, ...plan.audio].map(({ key }) => key)
  t.equal(new Set(keys).size, keys.length)
  for (const key of keys) t.match(key, /^[A-Za-z0-9-]+$/)
})

t.test('a film in parts is read in parts although it has no index, and is no file to play as it is', async (t) => {
  const parts = [0, 1].map((one) => ({ startByte: one * 100, endByte: one * 100 + 100, durationMs: 1_000 }))
  const capabilities = clientCapabilities({ containers: ['mpegts'] })
  const plan = planStreams(mediaFile({ container: 'mpegts' }), undefined, { parts, capabilities })
  t.strictSame(plan.parts, parts)
  t.match(plan.decision.rejected[0], { method: 'direct', reasons: ['video-edited'] })
  t.equal(planStreams(mediaFile(), times(), { parts, capabilities }).parts, undefined, 'the index knows better')
})
