import t from 'tap'
import { clientCapabilities, type DeclaredCapabilities } from '../../../src/domain/streaming/player-capabilities.ts'
import { decide, type Method, type Obstacle } from '../../../src/domain/streaming/decision.ts'
import type { MediaDescription } from '../../../src/vocabulary/media-description.ts'
import type { MediaTimes } from '../../../src/domain/streaming/media-times.ts'
import { audio, mediaFile, times, video } from '../../fixtures/media-descriptions.ts'

const decided = (media: MediaDescription, told?: DeclaredCapabilities, known = true) =>
  decide({
    media,
    videoTrack: media.video[0],
    audioTrack: media.audio[0],
    times: known ? times() : undefined,
    client: told && clientCapabilities(told),
  })

const HEVC = video({ codec: 'hevc', profile: 'Main 10', level: 120, bitDepth: 10, pixelFormat: 'yuv420p10le' })
const HDR = { ...HEVC, hdr: 'hdr10', colorTransfer: 'smpte2084' }
const SURROUND = audio({ codec: 'eac3', profile: null, channels: 6, bitrateBps: 640_000 })
const NEW_TV: DeclaredCapabilities = {
  containers: ['mp4', 'matroska'],
  video: [
    { codec: 'hevc', level: 5.1, bitDepth: 10, hdr: ['hdr10'] },
    { codec: 'h264', level: 4.2 },
  ],
  audio: [
    { codec: 'aac', maxChannels: 6 },
    { codec: 'eac3', maxChannels: 6 },
  ],
}
const PHONE: DeclaredCapabilities = { containers: ['mp4'], maxHeight: 720, maxBitrate: 3_000_000 }
const DOLBY = { ...HDR, hdr: 'dolby-vision' }
const TS = mediaFile({ container: 'mpegts', video: [video({ interlaced: true })], audio: [audio({ codec: 'mp2', profile: null })] })

type Row = readonly [string, MediaDescription, DeclaredCapabilities | undefined, Method, readonly Obstacle[]]
const ROWS: readonly Row[] = [
  ['what every player takes, told nothing', mediaFile(), undefined, 'remux', ['client-unknown']],
  ['what every player takes, as a file', mediaFile(), { containers: ['mp4'] }, 'direct', []],
  ['a container that it does not take', mediaFile({ container: 'matroska' }), { containers: ['mp4'] }, 'remux', ['container']],
  ['HEVC, told nothing', mediaFile({ video: [HEVC] }), undefined, 'transcode', ['client-unknown', 'video-codec']],
  ['HEVC of ten bits on a new television', mediaFile({ video: [HEVC], audio: [SURROUND] }), NEW_TV, 'direct', []],
  [
    'the same with no E-AC-3',
    mediaFile({ video: [HEVC], audio: [SURROUND] }),
    { ...NEW_TV, audio: [{ codec: 'aac' }] },
    'transcode-audio',
    ['audio-codec'],
  ],
  ['too many channels', mediaFile({ audio: [audio({ channels: 8 })] }), NEW_TV, 'transcode-audio', ['audio-channels']],
  [
    'a profile of AAC that is not copied',
    mediaFile({ audio: [audio({ profile: 'HE-AACv2' })] }),
    { containers: [] },
    'transcode-audio',
    ['container', 'audio-profile'],
  ],
  ['DTS', mediaFile({ audio: [audio({ codec: 'dts', channels: 6 })] }), NEW_TV, 'transcode-audio', ['audio-codec']],
  ['HDR10', mediaFile({ video: [HDR] }), NEW_TV, 'direct', []],
  [
    'HDR10 without a screen for it',
    mediaFile({ video: [HDR] }),
    { ...NEW_TV, video: [{ codec: 'hevc', bitDepth: 10 }] },
    'transcode',
    ['video-hdr'],
  ],
  ['Dolby Vision of which no more is known on HDR10', mediaFile({ video: [DOLBY] }), NEW_TV, 'transcode', ['video-hdr']],
  [
    'ten bits where it takes eight',
    mediaFile({ video: [HEVC] }),
    { video: [{ codec: 'hevc' }] },
    'transcode',
    ['container', 'video-bit-depth'],
  ],
  ['a level above its own', mediaFile({ video: [video({ level: 51 })] }), NEW_TV, 'transcode', ['video-level']],
  [
    'a profile that nothing takes',
    mediaFile({ video: [video({ profile: 'High 4:2:2', pixelFormat: 'yuv422p' })] }),
    NEW_TV,
    'transcode',
    ['video-profile', 'video-pixel-format'],
  ],
  [
    'a profile that it names',
    mediaFile({ video: [HEVC] }),
    { ...NEW_TV, video: [{ codec: 'hevc', profile: 'main 10', bitDepth: 10 }] },
    'direct',
    [],
  ],
  ['a small screen behind a slow line', mediaFile(), PHONE, 'transcode', ['client-bitrate', 'client-height']],
  [
    'an old container',
    mediaFile({ container: 'avi', video: [video({ codec: 'mpeg4', profile: null })] }),
    { ...NEW_TV, containers: ['avi'], video: [{ codec: 'mpeg4' }] },
    'direct',
    [],
  ],
  [
    'the same not as a file',
    mediaFile({ container: 'avi', video: [video({ codec: 'mpeg4', profile: null })] }),
    { video: [{ codec: 'mpeg4' }] },
    'transcode',
    ['container', 'video-codec'],
  ],
  ['interlaced', TS, NEW_TV, 'transcode', ['container', 'video-interlaced', 'audio-codec']],
  ['no sound', mediaFile({ audio: [] }), NEW_TV, 'direct', []],
  ['no video', mediaFile({ video: [] }), undefined, 'transcode', ['client-unknown', 'no-video']],
]

for (const [what, media, told, method, reasons] of ROWS) {
  t.test(`${what}: ${method}`, async (t) => {
    const decision = decided(media, told)
    t.equal(decision.method, method)
    t.strictSame(decision.reasons.toSorted(), reasons.toSorted())
    t.ok(
      decision.rejected.every((one) => one.reasons.length > 0),
      'every cheaper way has something in its way',
    )
  })
}

t.test('the cheaper methods are distinguished, each with its obstacles', async (t) => {
  const { rejected } = decided(mediaFile({ container: 'matroska', audio: [audio({ codec: 'dts', channels: 6 })] }), { containers: ['mp4'] })
  t.strictSame(rejected, [
    { method: 'direct', reasons: ['container', 'audio-codec'] },
    { method: 'remux', reasons: ['audio-codec'] },
  ])
})

t.test('a film without its index is transcoded, but can be given as a file', async (t) => {
  t.equal(decided(mediaFile(), NEW_TV, false).method, 'direct')
  t.match(decided(mediaFile(), undefined, false), { method: 'transcode', reasons: ['client-unknown', 'no-index'] })
})

t.test('levels are compared as their standards write them', async (t) => {
  const at = (codec: string, level: number, most: number) =>
    decided(mediaFile({ video: [video({ codec, level, profile: 'Main' })] }), { containers: ['mp4'], video: [{ codec, level: most }] })
      .method
  t.strictSame([at('h264', 41, 4.1), at('h264', 42, 4.1)], ['direct', 'transcode'])
  t.strictSame([at('hevc', 123, 4.1), at('hevc', 150, 4.1)], ['direct', 'transcode'])
  t.strictSame([at('av1', 9, 4.1), at('av1', 12, 4.1)], ['direct', 'transcode'])
})

t.test('H.264 whose keyframes are not all fresh starts is copied only for players that open what no browser opens', async (t) => {
  const keyframeKinds = ['closed', 'open', 'closed'] as const
  const open = times({ keyframeKinds })
  const told = (containers: readonly string[], codec = 'h264') => {
    const media = mediaFile({ container: 'matroska', video: [video({ codec, ...(codec === 'h264' ? {} : { profile: 'Profile 0' }) })] })
    const client = clientCapabilities({ containers, video: [{ codec }] })
    return decide({ media, videoTrack: media.video[0], audioTrack: media.audio[0], times: open, client })
  }
  t.match(told(['mp4']), { method: 'transcode', reasons: ['container', 'video-open-groups'] })
  t.match(told(['mp4', 'mpegts']), { method: 'remux' })
  t.match(told(['mp4'], 'vp9'), { method: 'remux' }, 'only of H.264')
})

t.test('a Matroska film whose video begins before its time 0 is not copied', async (t) => {
  const keyframesMs = [2_022, 4_022, 6_022]
  const reasonsOf = (container: string, changes: Partial<MediaTimes>) => {
    const media = mediaFile({ container })
    const own = times({ keyframesMs, ...changes })
    return decide({ media, videoTrack: media.video[0], audioTrack: media.audio[0], times: own, client: undefined }).reasons
  }
  t.ok(reasonsOf('matroska', { zeroMs: -222, videoStartMs: 342 }).includes('video-edited'))
  t.notOk(reasonsOf('matroska', { videoStartMs: 2_022 }).includes('video-edited'), 'the video begins late')
  t.notOk(reasonsOf('matroska', { videoStartMs: 1_942, keyframeLeadsMs: [80, 0, 0] }).includes('video-edited'), 'leading frames')
  t.notOk(reasonsOf('mpegts', { videoStartMs: 342 }).includes('video-edited'), 'a transport stream that was cut')
})

t.test('a film joined of recordings is not played from its file, whose times each begin anew', async (t) => {
  const media = mediaFile({ container: 'mpegts' })
  const parts = [0, 1].map((index) => ({ startByte: 1_000 * index, endByte: 1_000 * (index + 1), durationMs: 1_000 }))
  const client = clientCapabilities({ containers: ['mpegts'] })
  const methodOf = (own: MediaTimes) =>
    decide({ media, videoTrack: media.video[0], audioTrack: media.audio[0], times: own, parts: own.parts, client }).method
  t.equal(methodOf(times({})), 'direct')
  t.equal(methodOf(times({ isSpliced: true, parts })), 'transcode')
})
