import t from 'tap'
import { copyCuts } from '../../../src/domain/streaming/copy-cuts.ts'
import { startOf, segmentCount, type Grid } from '../../../src/domain/streaming/segment-grid.ts'
import type { MediaTimes } from '../../../src/domain/streaming/media-times.ts'
import { times } from '../../fixtures/media-descriptions.ts'

type Kind = NonNullable<MediaTimes['keyframeKinds']>[number]
const starts = (grid: Grid) => Array.from({ length: segmentCount(grid) }, (_, segment) => startOf(grid, segment))
/** A keyframe every two seconds. */
const cuts = (...keyframeKinds: readonly Kind[]) => {
  const durationMs = keyframeKinds.length * 2_000
  const known = times({ keyframesMs: keyframeKinds.map((_, index) => index * 2_000), keyframeKinds, videoEndMs: durationMs })
  const { grid, ...rest } = copyCuts(known, durationMs)
  return { startsMs: starts(grid), ...rest }
}
const [C, O, U] = ['closed', 'open', 'unclear'] as const

t.test('a film of nothing but closed keyframes is cut every four seconds, and its segments are independent', async (t) => {
  const known = times({ keyframesMs: [0, 2_000, 4_000, 6_000, 8_000], videoEndMs: 10_000 })
  const { grid, ...rest } = copyCuts(known, 10_000)
  t.strictSame({ startsMs: starts(grid), ...rest }, { startsMs: [0, 4_000, 8_000], areIndependent: true, standAlone: true })
})

t.test('closed keyframes are cut at where there are enough of them, at most twelve seconds apart', async (t) => {
  t.strictSame(cuts(C, O, O, C, O, O, C, O), { startsMs: [0, 6_000, 12_000], areIndependent: true, standAlone: true })
  t.strictSame(cuts(C, O, O, O, O, O, C, O).startsMs, [0, 12_000])
})

t.test('where they are too few, all keyframes are cut at, and the segments are not called independent', async (t) => {
  t.strictSame(cuts(C, O, O, O, O, O, O, C, O), { startsMs: [0, 4_000, 8_000, 12_000, 16_000], areIndependent: false, standAlone: true })
})

t.test('segments that begin with a gradual refresh have no frame of their own', async (t) => {
  t.strictSame(cuts(C, U, U, U, U, U, U, U), { startsMs: [0, 4_000, 8_000, 12_000], areIndependent: false, standAlone: false })
})

t.test('a film that begins in the middle of something is not independent, though it is cut at closed keyframes', async (t) => {
  t.strictSame(cuts(O, O, C, O, C, O), { startsMs: [0, 4_000, 8_000], areIndependent: false, standAlone: true })
})

t.test('cuts at closed keyframes count the frames that lead others to the segment of those', async (t) => {
  const keyframesMs = [0, 5_000, 10_000]
  const known = times({ keyframesMs, keyframeLeadsMs: [0, 80, 0], keyframeKinds: [C, O, C], videoEndMs: 15_000 })
  t.strictSame(starts(copyCuts(known, 15_000).grid), [0, 10_000])
})
