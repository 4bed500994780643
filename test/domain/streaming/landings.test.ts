import t from 'tap'
import { landingsOf } from '../../../src/domain/streaming/landings.ts'
import { times } from '../../fixtures/media-descriptions.ts'

const index = { keyframesMs: [0, 2_000, 4_000, 6_000], landsOnKeyframes: true }

t.test('a run can read from every closed keyframe', async (t) => {
  t.strictSame(landingsOf(times(index)), index.keyframesMs)
})

t.test('it cannot if frames would be missing', async (t) => {
  const keyframeKinds = ['closed', 'open', 'unclear', 'closed'] as const
  t.strictSame(landingsOf(times({ ...index, keyframeKinds })), [0, 6_000])
  t.strictSame(landingsOf(times({ ...index, keyframeLeadsMs: [0, 80, 0, 0] })), [0, 4_000, 6_000], 'leading frames')
})

t.test('it cannot if ffmpeg would land elsewhere', async (t) => {
  t.strictSame(landingsOf(times({ ...index, keyframesMs: [0, 2_000, 2_900, 4_000] })), [0, 2_900, 4_000], 'the next one is near')
  t.strictSame(landingsOf(times({ ...index, keyframesMs: [-500, ...index.keyframesMs] })), [], 'frames are not shown')
})

t.test('it cannot if too little is known', async (t) => {
  t.strictSame(landingsOf(times({ keyframesMs: index.keyframesMs })), [])
  t.strictSame(landingsOf(undefined), [])
})
