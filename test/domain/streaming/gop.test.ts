import t from 'tap'
import { copiedPeakBps } from '../../../src/domain/streaming/copy-bitrate.ts'
import { segmentAt, segmentSeconds, startOf } from '../../../src/domain/streaming/segment-grid.ts'
import { groupStartsMs } from '../../../src/domain/streaming/gop.ts'
import { planStreams } from '../../../src/domain/streaming/plan.ts'
import { mediaFile, times } from '../../fixtures/media-descriptions.ts'

const keyframesMs = [0, 5_000, 10_000]

t.test('a group begins with the frames that lead its keyframe, where there are any', async (t) => {
  t.strictSame(groupStartsMs(times({ keyframesMs })), keyframesMs)
  t.strictSame(groupStartsMs(times({ keyframesMs, keyframeLeadsMs: [0, 126, 0] })), [0, 4_874, 10_000])
})

t.test('a group that would begin before the keyframe of the one before it counts from its own', async (t) => {
  t.strictSame(groupStartsMs(times({ keyframesMs, keyframeLeadsMs: [0, 5_000, 4_900] })), [0, 5_000, 5_100])
})

t.test('a copy is cut where its groups begin to be shown, and a rung beside it in the same places', async (t) => {
  const known = times({ keyframesMs, keyframeLeadsMs: [0, 126, 80], videoEndMs: 15_000 })
  const { video } = planStreams(mediaFile({ durationMs: 15_000 }), known)
  t.strictSame(segmentSeconds(video[0]!.grid), [4.874, 5.046, 5.08])
  const made = video[1]!.grid
  for (const ms of [4_874, 9_920]) t.equal(startOf(made, segmentAt(made, ms)), ms)
})

t.test('its peak is known as that of any other', async (t) => {
  const known = times({ keyframesMs, keyframeLeadsMs: [0, 1_000, 0], keyframeOffsets: [0, 1_000_000, 1_500_000], videoEndMs: 15_000 })
  const media = mediaFile({ durationMs: 15_000, bitrateBps: null, audio: [] })
  t.equal(copiedPeakBps(media, known, planStreams(media, known).video[0]!.grid), 2_000_000)
})
