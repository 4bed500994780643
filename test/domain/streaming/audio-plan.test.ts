import t from 'tap'
import { clientCapabilities } from '../../../src/domain/streaming/player-capabilities.ts'
import { planStreams } from '../../../src/domain/streaming/plan.ts'
import type { StreamOptions } from '../../../src/vocabulary/stream-options.ts'
import { audio, mediaFile, times } from '../../fixtures/media-descriptions.ts'

const SIX = clientCapabilities({
  containers: ['mp4'],
  audio: [
    { codec: 'aac', maxChannels: 6 },
    { codec: 'ac3', maxChannels: 6 },
  ],
})
const planned = (changes: Parameters<typeof audio>[0], options: StreamOptions = {}) =>
  planStreams(mediaFile({ audio: [audio(changes)] }), times(), options)
const keys = (plan: ReturnType<typeof planned>) => plan.audio.map(({ key }) => key.replace(/-\d+x.*$/, ''))

t.test('sound of more than two channels says which ones it has, and how they are mixed is part of its key', async (t) => {
  const plan = planned({ codec: 'dts', channels: 6, channelLayout: '5.1(side)' }, { capabilities: SIX })
  const mixedFrom = { channels: 6, names: ['FL', 'FR', 'FC', 'LFE', 'SL', 'SR'] }
  t.match(plan.audio, [
    { name: 'audio-0-aac51', channels: 6, output: { channels: 6, mixedFrom } },
    { name: 'audio-0-aac', channels: 2, output: { channels: 2, mixedFrom } },
  ])
  t.strictSame(keys(plan), ['a1-aac51-clock1-mix1', 'a1-aac-clock1-mix1'])
  const stereo = planned({ codec: 'mp3' }).audio[0]!
  t.strictSame(stereo.output, { type: 'encode-audio', channels: 2, bitrateBps: 160_000, sampleRate: 48_000 })
})

t.test('one channel stays one', async (t) => {
  t.match(planned({ codec: 'mp3', channels: 1, channelLayout: 'mono' }).audio, [{ channels: 1, output: { channels: 1 } }])
})

t.test('channels that cannot be identified are offered as stereo only', async (t) => {
  const forms = (channels: number) =>
    planned({ codec: 'pcm_s16le', channels, channelLayout: null }, { capabilities: SIX }).audio.map(({ name }) => name)
  t.strictSame(forms(6), ['audio-0-aac51', 'audio-0-aac'], 'six are taken for 5.1')
  t.strictSame(forms(12), ['audio-0-aac'])
})

t.test('sound that is raised is re-encoded, never copied, and shared by those who hear it as loud', async (t) => {
  const audioGain = [{ stream: 1, stereoDb: 3.5, surroundDb: -0.5 }]
  const plan = planned({ codec: 'ac3', profile: null, channels: 6, channelLayout: '5.1' }, { capabilities: SIX, audioGain })
  t.strictSame(keys(plan), ['a1-aac51-clock1-mix1-down5', 'a1-aac-clock1-mix1-up35'])
  t.match(plan.audio, [{ output: { gainDb: -0.5 } }, { output: { gainDb: 3.5 } }])
  t.strictSame(keys(planned({}, { audioGain: [{ stream: 1, stereoDb: 3.5, surroundDb: 0 }] })), ['a1-aac-clock1-up35'], 'stereo AAC too')
  t.strictSame(keys(planned({}, { audioGain: [{ stream: 9, stereoDb: 3.5, surroundDb: 0 }] })), ['a1-copy'], 'other tracks as they are')
})

t.test('the decision says that it is for the gain that the sound is re-encoded, and the file itself is not offered for it', async (t) => {
  const plan = planned({}, { capabilities: SIX, audioGain: [{ stream: 1, stereoDb: 2, surroundDb: 0 }] })
  t.strictSame(plan.decision, {
    method: 'transcode-audio',
    reasons: ['audio-gain'],
    rejected: [
      { method: 'direct', reasons: ['audio-gain'] },
      { method: 'remux', reasons: ['audio-gain'] },
    ],
  })
  t.equal(planned({}, { capabilities: SIX }).decision.method, 'direct')
})
