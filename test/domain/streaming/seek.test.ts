import t from 'tap'
import { planStreams } from '../../../src/domain/streaming/plan.ts'
import { seekFor } from '../../../src/domain/streaming/seek.ts'
import { mediaFile, times, video } from '../../fixtures/media-descriptions.ts'

const zeroMs = 1_400

t.test('a copy reads from the boundary before the one it wants', async (t) => {
  const plan = planStreams(mediaFile(), times({ zeroMs }))
  t.strictSame(
    [0, 1, 2, 3].map((segment) => seekFor(plan, plan.video[0]!, segment)),
    [null, null, zeroMs + 4_000, zeroMs + 8_000],
  )
})

t.test('a transcode reads from the boundary that it wants', async (t) => {
  const plan = planStreams(mediaFile(), times({ zeroMs }))
  t.strictSame(
    [0, 1, 5].map((segment) => seekFor(plan, plan.video[1]!, segment)),
    [null, zeroMs + 1_999, zeroMs + 9_999],
  )
})

t.test('a demuxer without an index is sent back to before a keyframe', async (t) => {
  const plan = planStreams(
    mediaFile({ container: 'mpeg', video: [video({ codec: 'mpeg2video' })] }),
    times({ zeroMs, keyframesMs: [0, 3_000, 9_500] }),
  )
  t.strictSame(
    [1, 2, 5].map((segment) => seekFor(plan, plan.video[0]!, segment)),
    [null, zeroMs + 2_000, zeroMs + 8_500],
  )
})

t.test('sound is read from a little before', async (t) => {
  const plan = planStreams(mediaFile(), times({ zeroMs }))
  t.strictSame(
    [0, 1].map((segment) => seekFor(plan, plan.audio[0]!, segment)),
    [null, zeroMs + 900],
  )
})
