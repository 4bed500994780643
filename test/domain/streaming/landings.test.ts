import t from 'tap'
import { landingsOf } from '../../../src/domain/streaming/landings.ts'
import { times, video } from '../../fixtures/media-descriptions.ts'

const keyframesMs = [0, 2_000, 4_000, 6_000]
const mp4 = { container: 'mp4' }

t.test('a run can decode from every closed keyframe', async (t) => {
  t.strictSame(landingsOf(mp4, video(), times({ keyframesMs })), keyframesMs)
  for (const codec of ['hevc', 'av1', 'vp9'])
    t.strictSame(landingsOf({ container: 'matroska' }, video({ codec }), times({ keyframesMs })), keyframesMs, codec)
})

t.test('it cannot if frames would be missing', async (t) => {
  const keyframeKinds = ['closed', 'open', 'unclear', 'closed'] as const
  t.strictSame(landingsOf(mp4, video(), times({ keyframesMs, keyframeKinds })), [0, 6_000])
  t.strictSame(landingsOf(mp4, video(), times({ keyframesMs, keyframeLeadsMs: [0, 80, 0, 0] })), [0, 4_000, 6_000], 'leading frames')
})

t.test('it cannot if ffmpeg would land elsewhere', async (t) => {
  t.strictSame(landingsOf(mp4, video(), times({ keyframesMs: [0, 2_000, 2_900, 4_000] })), [0, 2_900, 4_000], 'the next one is near')
  t.strictSame(landingsOf(mp4, video(), times({ keyframesMs, isSpliced: true })), [])
  t.strictSame(landingsOf(mp4, video(), times({ keyframesMs, sharesTimes: true })), [], 'frames of the group before')
  t.strictSame(landingsOf(mp4, video(), times({ keyframesMs: [-500, ...keyframesMs] })), [], 'an edit list')
  t.strictSame(landingsOf({ container: 'mpegts' }, video(), times({ keyframesMs })), [])
})

t.test('it cannot if too little is known', async (t) => {
  t.strictSame(landingsOf(mp4, video({ codec: 'mpeg4' }), times({ keyframesMs })), [])
  t.strictSame(landingsOf(mp4, video(), undefined), [])
  t.strictSame(landingsOf(mp4, undefined, times({ keyframesMs })), [])
})
