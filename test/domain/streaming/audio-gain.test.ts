import t from 'tap'
import { mainGainDb, trackGains, type AskedGain } from '../../../src/domain/streaming/audio-gain.ts'
import { audio } from '../../fixtures/media-descriptions.ts'

const media = { audio: [audio()] }
const measured = (loudnessLufs: number, truePeakDb: number) => [{ stream: 1, stereo: { loudnessLufs, truePeakDb }, surround: null }]

const CASES: readonly (readonly [title: string, asked: AskedGain, lufs: number, peak: number, gainDb: number])[] = [
  ['a soft film is raised to -16 LUFS', 'auto', -24.3, -12, 8.3],
  ['but not so far that it would clip', 'auto', -24.3, -5.05, 4],
  ['a film that reaches full scale is left as it is', 'auto', -27, 0.4, 0],
  ['a loud film is turned down', 'auto', -11.5, 1.2, -4.5],
  ['silence is left alone', 'auto', -70, -120, 0],
  ['what is asked for is given', 6, -24, -12, 6],
  ['as far as it does not clip', 6, -24, -3.2, 2.2],
  ['down it goes as far as one likes', -7, -24, 0, -7],
  ['never beyond twenty', 'auto', -60, -50, 20],
]
for (const [title, asked, lufs, peak, gainDb] of CASES) {
  t.test(title, async (t) => {
    const gains = trackGains(media, asked, measured(lufs, peak))
    t.equal(gains[0]?.stereoDb ?? 0, gainDb)
    t.equal(mainGainDb(media, { audioGain: gains }), gainDb || null)
  })
}

t.test('without a measurement nothing is made louder, but softer it is', async (t) => {
  t.strictSame(trackGains(media, 'auto'), [])
  t.strictSame(trackGains(media, 6), [])
  t.match(trackGains(media, -6), [{ stream: 1, stereoDb: -6 }])
})

t.test('each track has its own, as stereo and as 5.1, and the answer contains that of the main one', async (t) => {
  const tracks = { audio: [audio({ stream: 1, default: false }), audio({ stream: 2, channels: 6 }), audio({ stream: 3, default: false })] }
  const gains = trackGains(tracks, 'auto', [
    { stream: 1, stereo: { loudnessLufs: -20, truePeakDb: -10 }, surround: null },
    { stream: 2, stereo: { loudnessLufs: -30, truePeakDb: -9 }, surround: { loudnessLufs: -24, truePeakDb: -2.5 } },
  ])
  t.strictSame(gains, [
    { stream: 1, stereoDb: 4, surroundDb: 0 },
    { stream: 2, stereoDb: 8, surroundDb: 1.5 },
  ])
  t.equal(mainGainDb(tracks, { audioGain: gains }), 8)
  t.equal(mainGainDb(tracks, { audioGain: gains, audioIndex: 0 }), 4, 'of the one that the session asked for')
  t.equal(mainGainDb(tracks, {}), null)
})
