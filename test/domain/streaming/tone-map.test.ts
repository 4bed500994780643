import t from 'tap'
import { planStreams } from '../../../src/domain/streaming/plan.ts'
import { mapperOf, preferredToneMapping, toneMapOf } from '../../../src/domain/streaming/tone-map.ts'
import type { ToneMapper, ToneMapping } from '../../../src/vocabulary/tone-mapper.ts'
import { mediaFile, times, video } from '../../fixtures/media-descriptions.ts'

const PQ = { colorTransfer: 'smpte2084', colorPrimaries: 'bt2020', colorSpace: 'bt2020nc', colorRange: 'tv' }
const BY_ZSCALE = { by: 'zscale', transfer: 'pq', primaries: 'bt2020', matrix: 'bt2020nc', isFullRange: false, peakNits: 1_000 }

t.test('video is brought down from the colours that it has', async (t) => {
  t.strictSame(toneMapOf(video(PQ)), BY_ZSCALE)
  t.strictSame(toneMapOf(video({ ...PQ, colorTransfer: 'arib-std-b67' })), { ...BY_ZSCALE, transfer: 'hlg' })
  t.strictSame(toneMapOf(video({ ...PQ, colorRange: 'pc' })), { ...BY_ZSCALE, isFullRange: true })
  t.strictSame(toneMapOf(video({ ...PQ, colorPrimaries: 'bt709', colorSpace: 'ictcp' })), {
    ...BY_ZSCALE,
    primaries: 'bt709',
    matrix: 'ictcp',
  })
})

t.test('what a film does not say of its HDR is what HDR usually has', async (t) => {
  t.strictSame(toneMapOf(video({ colorTransfer: 'smpte2084', colorPrimaries: null, colorSpace: null })), BY_ZSCALE)
  t.strictSame(toneMapOf(video({ ...PQ, colorPrimaries: 'film', colorSpace: 'unspecified' })), BY_ZSCALE)
})

t.test('wide colours of usual brightness are brought down too, others left alone', async (t) => {
  const wide = video({ ...PQ, colorTransfer: 'bt2020-10' })
  t.strictSame(toneMapOf(wide), { ...BY_ZSCALE, transfer: 'sdr' })
  t.equal(toneMapOf(video({ ...PQ, colorTransfer: 'bt2020-10', colorSpace: 'ictcp' }))?.matrix, 'bt2020nc')
  t.equal(toneMapOf(wide, 'none'), null)
  t.equal(toneMapOf(video()), null)
  t.equal(toneMapOf(video({ colorPrimaries: 'smpte170m', colorSpace: 'smpte170m' })), null)
})

t.test('Dolby Vision without a base layer is for libplacebo alone', async (t) => {
  const track = video({ ...PQ, dolbyVision: { profile: 5, level: 6, compatibilityId: 0 } })
  for (const mapping of ['zscale', 'libplacebo', 'none'] as const) t.equal(toneMapOf(track, mapping)?.by, 'libplacebo')
  t.equal(toneMapOf(video({ ...PQ, dolbyVision: { profile: 8, level: 6, compatibilityId: 1 } }), 'none')?.by, 'none')
})

t.test('an agent needs what maps, and nothing where nothing does', async (t) => {
  const needed = (mapping: ToneMapping) => mapperOf(toneMapOf(video(PQ), mapping))
  t.strictSame([needed('zscale'), needed('libplacebo'), needed('none'), mapperOf(null)], ['zscale', 'libplacebo', null, null])
})

const PREFERRED: readonly (readonly [string, readonly (readonly ToneMapper[])[], ToneMapping])[] = [
  ['no agent yet', [], 'zscale'],
  ['one that has all', [['zscale', 'libplacebo']], 'zscale'],
  ['one of two that has zscale', [['libplacebo'], ['zscale']], 'zscale'],
  ['none that has zscale', [['libplacebo'], []], 'libplacebo'],
  ['none that has any', [[], []], 'none'],
]
for (const [title, agents, mapping] of PREFERRED) {
  t.test(`a session begins with what there is: ${title}`, async (t) => t.equal(preferredToneMapping(agents), mapping))
}

t.test('the brightest light of a film is what it says, unless no film has that', async (t) => {
  const peak = (peakNits: number, mostNits: number) =>
    toneMapOf(video(PQ), 'zscale', { contentLight: { peakNits }, mastering: { mostNits } })?.peakNits
  t.equal(toneMapOf(video(PQ), 'zscale', null)?.peakNits, 1_000)
  t.equal(peak(3_500, 4_000), 3_500)
  t.equal(peak(0, 4_000), 4_000)
  t.equal(peak(0, 0.1), 1_000, 'a unit that was mistaken')
  t.equal(peak(65_535, 1_000), 1_000)
  t.equal(toneMapOf(video({ ...PQ, colorTransfer: 'arib-std-b67' }), 'zscale', { contentLight: { peakNits: 4_000 } })?.peakNits, 1_000)
  const hdr = { dolbyVision: null, mastering: null, contentLight: { peakNits: 4_000 } }
  const known = times({ tracks: [{ type: 'video', configuration: null, hdr }] })
  const made = planStreams(mediaFile({ video: [video(PQ)] }), known).video.at(-1)
  t.match(made, { key: /-zscale4000-/, output: { toneMap: { peakNits: 4_000 } } }, 'and is not mixed with another one')
})

t.test('what different mappers make is not mixed', async (t) => {
  const keys = (['zscale', 'libplacebo', 'none'] as const).map(
    (toneMapping) => planStreams(mediaFile({ video: [video(PQ)] }), times(), { toneMapping }).video.at(-1)?.key,
  )
  t.equal(new Set(keys).size, 3)
  t.notMatch(planStreams(mediaFile(), times()).video.at(-1)?.key, /zscale/)
})
