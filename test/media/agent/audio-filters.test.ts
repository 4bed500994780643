import t from 'tap'
import { stereoMix, surroundMix, type MixedSpeaker } from '../../../src/domain/streaming/downmix.ts'
import { channelLayoutOf, type ChannelLayout } from '../../../src/domain/streaming/channel-layout.ts'
import { audioFilters } from '../../../transcode-agent/audio-filters.ts'
import { bothFfmpegs, channelsOf, decibels, decoded, levelOf, peakOf, tones, toneOf } from '../tones.ts'

const AMPLITUDE = 0.5
const STEREO = ['2.1', '3.0', '3.0(back)', '4.0', 'quad', '3.1', '5.0(side)', '5.1', '5.1(side)', '6.1', '7.1', '7.1(wide)', '22.2']
const SURROUND = ['5.1', '5.1(side)', '6.0', '6.1', '6.1(front)', '7.0', '7.1', '7.1(wide)', 'octagonal', '22.2']
const UNNAMED = [3, 4, 5, 6, 7, 8, 9, 12]

const named = (channelLayout: string): ChannelLayout => channelLayoutOf({ channels: channelsOf(channelLayout), channelLayout })

/** Speakers in which a tone's level differs from the matrix by more than half a decibel. */
function strays(samples: readonly Float32Array[], mix: readonly MixedSpeaker[], gainDb = 0): readonly string[] {
  return mix.flatMap(({ speaker, levels }, at) =>
    levels.flatMap((level, channel) => {
      const heard = levelOf(samples[at]!, toneOf(channel)) / AMPLITUDE
      if (level === 0) return heard < 0.003 ? [] : [`${speaker} hears ${channel}: ${decibels(heard).toFixed(1)} dB`]
      const wanted = decibels(level) + gainDb
      return Math.abs(decibels(heard) - wanted) <= 0.5 ? [] : [`${speaker} of ${channel}: ${decibels(heard)} dB, not ${wanted}`]
    }),
  )
}

const filtered = (filters: readonly string[]) => ['-af', filters.join(',')]

for (const { title, channels, layouts, mixOf } of [
  { title: 'stereo has every channel of every layout as loud as the matrix says', channels: 2, layouts: STEREO, mixOf: stereoMix },
  { title: '5.1 has the channels of larger layouts folded into it', channels: 6, layouts: SURROUND, mixOf: surroundMix },
]) {
  t.test(title, async (t) => {
    for (const ffmpeg of await bothFfmpegs()) {
      for (const layout of layouts) {
        const mixedFrom = named(layout)
        const args = [...tones(layout, AMPLITUDE), ...filtered(audioFilters({ channels, mixedFrom }))]
        t.strictSame(strays(await decoded(ffmpeg, args, channels), mixOf(mixedFrom)), [], layout)
      }
    }
  })
}

t.test('nothing is lost of channels that nobody has named', async (t) => {
  for (const ffmpeg of await bothFfmpegs()) {
    for (const channels of UNNAMED) {
      const mixedFrom = channelLayoutOf({ channels, channelLayout: null })
      const args = [...tones({ unnamed: channels }, AMPLITUDE), ...filtered(audioFilters({ channels: 2, mixedFrom }))]
      t.strictSame(strays(await decoded(ffmpeg, args, 2), stereoMix(mixedFrom)), [], `${channels} channels`)
    }
  }
})

t.test('all channels at full scale at once do not clip', async (t) => {
  const [ffmpeg = ''] = await bothFfmpegs()
  for (const layout of STEREO) {
    const mixedFrom = named(layout)
    const same = Array.from({ length: mixedFrom.channels }, () => 'sin(2*PI*100*t)').join('|')
    const loud = ['-f', 'lavfi', '-i', `aevalsrc=${same}:c=${layout}:s=48000:d=0.2`]
    const stereo = await decoded(ffmpeg, [...loud, ...filtered(audioFilters({ channels: 2, mixedFrom }))], 2)
    t.ok(Math.max(...stereo.map(peakOf)) <= 1.00001, `${layout}: ${Math.max(...stereo.map(peakOf))}`)
    t.ok(Math.max(...stereo.map(peakOf)) > 0.99, `${layout}: no softer than it has to be`)
  }
})

t.test('a gain is what it says, with a mix and without', async (t) => {
  for (const ffmpeg of await bothFfmpegs()) {
    const mixedFrom = named('5.1')
    const mixed = await decoded(ffmpeg, [...tones('5.1', AMPLITUDE), ...filtered(audioFilters({ channels: 2, mixedFrom, gainDb: 3.5 }))], 2)
    t.strictSame(strays(mixed, stereoMix(mixedFrom), 3.5), [])
    const plain = await decoded(ffmpeg, [...tones('stereo', AMPLITUDE), ...filtered(audioFilters({ channels: 2, gainDb: -7.2 }))], 2)
    t.ok(Math.abs(decibels(levelOf(plain[0]!, toneOf(0)) / AMPLITUDE) + 7.2) < 0.05)
  }
})

t.test('sound that has the wanted channels and loudness is left alone', async (t) => {
  t.strictSame(audioFilters({ channels: 2 }), [])
  t.strictSame(audioFilters({ channels: 1, gainDb: 0 }), [])
})
