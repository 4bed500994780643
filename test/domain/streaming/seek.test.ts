import t from 'tap'
import { planStreams, type StreamPlan } from '../../../src/domain/streaming/plan.ts'
import { seekFor } from '../../../src/domain/streaming/seek.ts'
import { mediaFile, times, video } from '../../fixtures/media-descriptions.ts'

const zeroMs = 1_400

t.test('a copy that cannot start with its keyframe reads from the boundary before', async (t) => {
  const plan = planStreams(mediaFile(), times({ zeroMs }))
  t.strictSame(
    [0, 1, 2, 3].map((segment) => seekFor(plan, plan.video[0]!, segment)),
    [null, null, zeroMs + 4_000, zeroMs + 8_000],
  )
})

t.test('a copy that starts with a closed keyframe reads from it', async (t) => {
  const plan = planStreams(mediaFile(), times({ zeroMs, landsOnKeyframes: true }))
  t.strictSame(
    [0, 1, 2].map((segment) => seekFor(plan, plan.video[0]!, segment)),
    [null, zeroMs + 4_150, zeroMs + 8_150],
  )
})

t.test('a transcode reads from the boundary that it wants', async (t) => {
  const plan = planStreams(mediaFile(), times({ zeroMs, keyframesMs: [0, 10_000, 20_000] }))
  t.strictSame(
    [0, 1, 6].map((segment) => seekFor(plan, plan.video[1]!, segment)),
    [null, zeroMs + 1_999, zeroMs + 11_999],
  )
})

t.test('a transcode that starts with a closed keyframe reads from it, not from the one before', async (t) => {
  const keyframes = { zeroMs, keyframesMs: [0, 10_000, 20_000], landsOnKeyframes: true }
  const seekOf = (plan: StreamPlan) => seekFor(plan, plan.video.at(-1)!, 5)
  t.equal(seekOf(planStreams(mediaFile(), times(keyframes))), zeroMs + 10_150)
  const keyframeKinds = ['closed', 'open', 'closed'] as const
  t.equal(seekOf(planStreams(mediaFile(), times({ ...keyframes, keyframeKinds }))), zeroMs + 9_999, 'an open one')
  const interlaced = mediaFile({ video: [video({ interlaced: true })] })
  t.equal(seekOf(planStreams(interlaced, times(keyframes))), zeroMs + 9_799, 'a deinterlacer needs the frames before')
  const justAfterBeat = times({ ...keyframes, zeroMs: 1_000.5 })
  t.equal(seekOf(planStreams(mediaFile(), justAfterBeat)), 1_000.5 + 9_999, 'a frame may be repeated just before it')
})

t.test('ffmpeg is sent back by as much as it may land late', async (t) => {
  const plan = planStreams(mediaFile(), times({ zeroMs, keyframesMs: [0, 10_000, 20_000, 40_000], landsLateMs: 80 }))
  t.equal(seekFor(plan, plan.video.at(-1)!, 6), zeroMs + 11_919)
  t.equal(seekFor(plan, plan.video[0]!, 2), zeroMs + 9_920, 'copies, too')
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

t.test('nothing before the first keyframe with a time is sought in a Matroska film that begins before its time 0', async (t) => {
  const early = { zeroMs: -222, keyframesMs: [10_022, 20_022], videoStartMs: 342 }
  const plan = planStreams(mediaFile({ container: 'matroska' }), times(early))
  t.strictSame(
    [1, 5, 6].map((segment) => seekFor(plan, plan.video.at(-1)!, segment)),
    [null, null, -222 + 11_999],
  )
  t.strictSame(
    [1, 5, 6].map((segment) => seekFor(plan, plan.audio[0]!, segment)),
    [null, null, -222 + 10_900],
  )
})
