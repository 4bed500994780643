import t from 'tap'
import { clientCapabilities } from '../../../src/domain/streaming/player-capabilities.ts'
import { dolbyNames, withDolbyVision } from '../../../src/domain/streaming/dolby-vision.ts'
import { planStreams } from '../../../src/domain/streaming/plan.ts'
import { rangeOf } from '../../../src/domain/streaming/video-range.ts'
import type { HdrKind } from '../../../src/vocabulary/client-capabilities.ts'
import type { VideoTrack } from '../../../src/vocabulary/media-description.ts'
import { mediaFile, times, video } from '../../fixtures/media-descriptions.ts'

const HEVC = { codec: 'hevc', profile: 'Main 10', level: 120, bitDepth: 10, pixelFormat: 'yuv420p10le', hdr: 'dolby-vision' }
const AV1 = { ...HEVC, codec: 'av1', profile: 'Main', level: 8 }
const AVC = { ...HEVC, codec: 'h264', profile: 'High', level: 41, bitDepth: 8, pixelFormat: 'yuv420p' }

const KINDS: readonly (readonly HdrKind[])[] = [[], ['hdr10'], ['hlg'], ['dolby-vision']]
const planOf = (track: VideoTrack, hdr: readonly HdrKind[]) => {
  const decoders = ['hevc', 'av1', 'h264'].map((codec) => ({ codec, bitDepth: 10, hdr }))
  return planStreams(mediaFile({ video: [track] }), times(), { capabilities: clientCapabilities({ video: decoders }) })
}
/** Which players get the video as it is: those that support only SDR, HDR10, HLG, or Dolby Vision. */
const copiedBy = (track: VideoTrack) =>
  KINDS.filter((hdr) => planOf(track, hdr).video[0]?.name === 'original').map(([kind = 'sdr']) => kind)

type Row = readonly [
  title: string,
  base: Partial<VideoTrack>,
  profile: number,
  compatibilityId: number,
  transfer: string | null,
  copied: readonly string[],
  range: string,
]
const PQ = 'smpte2084'
const HLG = 'arib-std-b67'
const TABLE: readonly Row[] = [
  ['5: nothing without it', HEVC, 5, 0, null, ['dolby-vision'], 'PQ'],
  ['5 whose stream is tagged as PQ', HEVC, 5, 0, PQ, ['dolby-vision'], 'PQ'],
  ['7: HDR10 of a disc, and a second layer', HEVC, 7, 6, PQ, ['hdr10', 'dolby-vision'], 'PQ'],
  ['8.1: HDR10', HEVC, 8, 1, PQ, ['hdr10', 'dolby-vision'], 'PQ'],
  ['8.1 that is not tagged', HEVC, 8, 1, null, ['hdr10', 'dolby-vision'], 'PQ'],
  ['8.2: usual brightness', HEVC, 8, 2, 'bt709', ['sdr', 'hdr10', 'hlg', 'dolby-vision'], 'SDR'],
  ['8.4: HLG', HEVC, 8, 4, HLG, ['hlg', 'dolby-vision'], 'HLG'],
  ['9: usual brightness in H.264', AVC, 9, 2, 'bt709', ['sdr', 'hdr10', 'hlg', 'dolby-vision'], 'SDR'],
  ['10.1: HDR10 in AV1', AV1, 10, 1, PQ, ['hdr10', 'dolby-vision'], 'PQ'],
  ['10.4: HLG in AV1', AV1, 10, 4, HLG, ['hlg', 'dolby-vision'], 'HLG'],
  ['10.0: nothing without it, and no sample entry for it', AV1, 10, 0, null, [], 'PQ'],
  ['a compatibility of later days', HEVC, 8, 9, PQ, ['dolby-vision'], 'PQ'],
]
for (const [title, base, profile, compatibilityId, colorTransfer, copied, range] of TABLE) {
  t.test(`Dolby Vision ${title}: copied for those who take what is below`, async (t) => {
    const track = video({ ...base, colorTransfer, dolbyVision: { profile, level: 6, compatibilityId } })
    t.strictSame(copiedBy(track), copied)
    t.equal(rangeOf(track), range)
  })
}

t.test('the reasons name what a player lacks: another brightness, or a layer that could replace Dolby Vision', async (t) => {
  const reasons = (profile: number, compatibilityId: number) =>
    planOf(video({ ...HEVC, colorTransfer: PQ, dolbyVision: { profile, level: 6, compatibilityId } }), ['hlg']).decision.reasons
  t.ok(reasons(8, 1).includes('video-hdr'))
  t.notOk(reasons(8, 1).includes('video-dolby-vision'))
  t.ok(reasons(5, 0).includes('video-dolby-vision'))
})

t.test('it is declared beside the codec, and as the codec where there is no other', async (t) => {
  const names = (codec: string, profile: number, compatibilityId: number) =>
    dolbyNames(video({ codec, dolbyVision: { profile, level: 6, compatibilityId } }))
  t.strictSame(names('hevc', 5, 0), { codec: 'dvh1.05.06' })
  t.strictSame(names('hevc', 8, 1), { supplementalCodec: 'dvh1.08.06/db1p' })
  t.strictSame(names('hevc', 8, 4), { supplementalCodec: 'dvh1.08.06/db4h' })
  t.strictSame(names('av1', 10, 1), { supplementalCodec: 'dav1.10.06/db1p' })
  t.strictSame(names('hevc', 7, 6), {}, 'players take the base layer of a disc')
  t.strictSame(dolbyNames(video()), {})
  const track = video({ ...HEVC, colorTransfer: PQ, dolbyVision: { profile: 5, level: 6, compatibilityId: 0 } })
  t.match(planOf(track, ['dolby-vision']).video[0], { codec: 'dvh1.05.06', output: { tag: 'dvh1' }, videoRange: 'PQ', isCodecExact: true })
})

t.test('a film whose description is older than such descriptions is known by its container', async (t) => {
  const old = mediaFile({ video: [video({ ...HEVC, colorTransfer: PQ })] })
  const hdr = { dolbyVision: { profile: 8, level: 6, compatibilityId: 1 } }
  const known = times({ tracks: [{ type: 'video', configuration: null, hdr }] })
  const capabilities = clientCapabilities({ video: [{ codec: 'hevc', bitDepth: 10, hdr: ['hdr10'] }] })
  t.notOk(
    planStreams(old, times(), { capabilities }).video.some(({ name }) => name === 'original'),
    'else only Dolby Vision takes it',
  )
  t.match(planStreams(old, known, { capabilities }).video[0], { name: 'original', supplementalCodec: 'dvh1.08.06/db1p' })
  const other = mediaFile()
  t.equal(withDolbyVision(other, known), other, 'others stay as they are')
})

t.test('a player without HDR is offered nothing of it, one that has it is offered both', async (t) => {
  const track = video({ ...HEVC, hdr: 'hdr10', colorTransfer: PQ })
  t.strictSame(new Set(planOf(track, []).video.map(({ videoRange }) => videoRange)), new Set(['SDR']))
  t.strictSame(
    planOf(track, ['hdr10']).video.map(({ name, videoRange }) => [name, videoRange]),
    [
      ['original', 'PQ'],
      ['720p', 'SDR'],
      ['480p', 'SDR'],
      ['360p', 'SDR'],
    ],
  )
})

t.test('the init segment of a film that was copied before its Dolby Vision was declared is taken for the new one', async (t) => {
  const keyOf = (track: Partial<VideoTrack>) =>
    planOf(video({ ...HEVC, colorTransfer: PQ, ...track }), ['hdr10', 'dolby-vision']).video[0]?.key
  const plain = keyOf({ hdr: 'hdr10' })
  t.match(plain, /^v0-copy-(?!dolby)/)
  t.match(keyOf({ dolbyVision: { profile: 8, level: 6, compatibilityId: 1 } }), /^v0-copy-dolby-/)
  t.match(keyOf({ dolbyVision: { profile: 5, level: 6, compatibilityId: 0 } }), /^v0-copy-dolby-/)
  t.equal(keyOf({ dolbyVision: { profile: 8, level: 6, compatibilityId: 2 }, colorTransfer: 'bt709' }), plain, 'nothing is declared')
})
