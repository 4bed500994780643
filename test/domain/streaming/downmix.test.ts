import t from 'tap'
import { stereoMix, surroundMix, type MixedSpeaker } from '../../../src/domain/streaming/downmix.ts'
import { CHANNELS, channelLayoutOf } from '../../../src/domain/streaming/channel-layout.ts'

const of = (channels: number, channelLayout: string) => channelLayoutOf({ channels, channelLayout })
/** In hundredths. */
const rounded = (mix: readonly MixedSpeaker[]) => mix.map(({ levels }) => levels.map((level) => Math.round(level * 100)))

t.test('5.1 in stereo: the centre as loud as the fronts, the surrounds at half, no effects', async (t) => {
  t.strictSame(rounded(stereoMix(of(6, '5.1'))), [
    [40, 0, 40, 0, 20, 0],
    [0, 40, 40, 0, 0, 20],
  ])
  t.strictSame(rounded(stereoMix(of(6, '5.1(side)'))), rounded(stereoMix(of(6, '5.1'))))
})

t.test('what is heard of speech in the middle is at least as loud as what comes from any one side', async (t) => {
  for (const [channels, layout] of [
    [3, '3.0'],
    [4, '4.0'],
    [6, '5.1'],
    [7, '6.1'],
    [8, '7.1'],
    [8, '7.1(wide)'],
    [24, '22.2'],
  ] as const) {
    const source = of(channels, layout)
    for (const { levels } of stereoMix(source)) {
      t.ok(
        levels.every((level) => level <= levels[2]! + 1e-9),
        layout,
      )
    }
  }
})

t.test('7.1 in 5.1: back and side share a loudspeaker by power, effects stay', async (t) => {
  t.strictSame(rounded(surroundMix(of(8, '7.1'))), [
    [71, 0, 0, 0, 0, 0, 0, 0],
    [0, 71, 0, 0, 0, 0, 0, 0],
    [0, 0, 71, 0, 0, 0, 0, 0],
    [0, 0, 0, 71, 0, 0, 0, 0],
    [0, 0, 0, 0, 50, 0, 50, 0],
    [0, 0, 0, 0, 0, 50, 0, 50],
  ])
  t.strictSame(
    rounded(surroundMix(of(6, '5.1(side)'))),
    [0, 1, 2, 3, 4, 5].map((row) => [0, 1, 2, 3, 4, 5].map((column) => (row === column ? 100 : 0))),
    '5.1 is what it was',
  )
})

t.test('no layout can clip, and none is softer than that takes', async (t) => {
  for (const names of [CHANNELS, CHANNELS.slice(0, 9), ['FL', 'FR'] as const, ['FL', 'FR', 'LFE'] as const, ['BC', 'FL', 'FR'] as const]) {
    for (const mix of [stereoMix({ channels: names.length, names }), surroundMix({ channels: names.length, names })]) {
      const sums = mix.map(({ levels }) => levels.reduce((sum, level) => sum + level, 0))
      t.ok(Math.abs(Math.max(...sums) - 1) < 1e-9, sums.join())
    }
  }
})
