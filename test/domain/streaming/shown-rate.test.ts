import t from 'tap'
import { shownRate } from '../../../src/domain/streaming/frame-rate.ts'
import type { VideoTrack } from '../../../src/vocabulary/media-description.ts'

const rateOf = (frameRate: number | null, framesPerSecond?: number) => {
  const times = { zeroMs: 0, keyframesMs: [0], videoStartMs: 0, audioStartMs: null, videoEndMs: 1000 }
  return shownRate({ frameRate } as VideoTrack, framesPerSecond === undefined ? times : { ...times, framesPerSecond })
}

t.test('a film of a variable rate, of which its container states none or another, is declared with the most of any stretch', async (t) => {
  t.equal(rateOf(null, 25.24), 25.24)
  t.equal(rateOf(60, 25.24), 25.24)
  t.equal(rateOf(null), null)
  t.equal(rateOf(null, 1000), null, 'two frames a millisecond apart')
})

t.test('a film is declared with the rate of its container, unless its frames are slides', async (t) => {
  t.equal(rateOf(24, 24.4), 24)
  t.equal(rateOf(24), 24)
  t.equal(rateOf(60, 0.13), null)
})
