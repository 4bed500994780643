import t from 'tap'
import { copiedPeakBps } from '../../../src/domain/streaming/copy-bitrate.ts'
import { copyGrid } from '../../../src/domain/streaming/segment-grid.ts'
import { audio, mediaFile, times } from '../../fixtures/media-descriptions.ts'

const keyframesMs = [0, 4_000, 8_000, 12_000]
const grid = copyGrid(keyframesMs, 16_000)
const peak = (keyframeOffsets: readonly (number | null)[]) =>
  copiedPeakBps(mediaFile({ bitrateBps: null, audio: [audio({ bitrateBps: 100_000 })] }), times({ keyframesMs, keyframeOffsets }), grid)

t.test('the peak of a copy is that of its largest segment, less the sound that lies between', async (t) => {
  t.equal(peak([500, 500_500, 2_500_500, 3_000_500]), 4_000_000 - 100_000)
})

t.test('what comes after the last boundary is known by the length of the file', async (t) => {
  const offsets = { keyframesMs, keyframeOffsets: [0, 100_000, 200_000, 300_000] }
  t.equal(copiedPeakBps(mediaFile({ durationMs: 16_000, bitrateBps: 650_000, audio: [] }), times(offsets), grid), 2_000_000)
})

t.test('a film whose index has no positions of keyframes has no known peak', async (t) => {
  t.equal(peak([null, 500_500, null, 3_000_500]), undefined)
  t.equal(copiedPeakBps(mediaFile(), times({ keyframesMs }), grid), undefined)
})
