import t from 'tap'
import { createMemoryLoudness, type MemoryLoudnessOptions } from '../../../src/adapters/memory/loudness.ts'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createAudioGains } from '../../../src/app/playback/audio-gain.ts'
import type { LoudMediaFile, TrackLoudness } from '../../../src/ports/loudness.ts'
import { audio, mediaFile as media } from '../../fixtures/media-descriptions.ts'
import { allowed, openNodeFixture, ORIGIN } from '../../fixtures/node-fixture.ts'

const SOFT: readonly TrackLoudness[] = [{ stream: 1, stereo: { loudnessLufs: -22, truePeakDb: -9 }, surround: null }]
const RAISED = [{ stream: 1, stereoDb: 6, surroundDb: 0 }]
const mediaFile = (fingerprint = 'a') => ({ path: `/films/${fingerprint}.mkv`, fingerprint, media: media({ audio: [audio()] }) })

function open(measuring: NonNullable<MemoryLoudnessOptions['measuring']>) {
  const clock = createTestClock()
  const problems: unknown[] = []
  const loudness = createMemoryLoudness({ measuring })
  return { clock, loudness, problems, gain: createAudioGains({ clock, loudness, onError: (cause) => problems.push(cause) }) }
}

t.test('a film is measured when its gain is first asked for, and never again', async (t) => {
  const { gain, loudness } = open(async () => SOFT)
  t.strictSame(await gain.resolve(mediaFile(), 'auto'), RAISED)
  t.strictSame(await gain.resolve(mediaFile(), 4), [{ stream: 1, stereoDb: 4, surroundDb: 0 }])
  t.equal(loudness.measurements.length, 1)
  t.strictSame(await gain.resolve(mediaFile('b'), 0), [], 'nothing is measured for no gain')
  t.equal(loudness.measurements.length, 1)
})

t.test('who plays a film that takes long to measure hears it as it is, and the next one has the gain', async (t) => {
  const measured = Promise.withResolvers<typeof SOFT>()
  const { clock, gain, loudness } = open(() => measured.promise)
  const first = gain.resolve(mediaFile(), 'auto')
  const second = gain.resolve(mediaFile(), 3)
  await clock.advance(3_000)
  t.strictSame([await first, await second], [[], []])
  measured.resolve(SOFT)
  t.strictSame(await gain.resolve(mediaFile(), 'auto'), RAISED)
  t.equal(loudness.measurements.length, 1, 'one measurement served all')
})

t.test('a film that is turned down is neither measured nor waited for', async (t) => {
  const { gain, loudness } = open(() => new Promise(() => undefined))
  t.match(await gain.resolve(mediaFile(), -3), [{ stereoDb: -3 }])
  t.strictSame(loudness.measurements, [])
})

t.test('no more than two films are measured for players at once, and all of it is given up at the end', async (t) => {
  const untilAborted = (_: LoudMediaFile, signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
  const { clock, gain, loudness, problems } = open(untilAborted)
  const asked = ['a', 'b', 'c', 'd'].map((name) => gain.resolve(mediaFile(name), 'auto'))
  await clock.advance(3_000)
  t.strictSame(await Promise.all(asked), [[], [], [], []])
  t.strictSame(loudness.measurements, ['a', 'b'])
  await gain.close()
  t.strictSame(problems, [])
})

t.test('a failed measurement is reported, and only costs the gain', async (t) => {
  const { gain, problems } = open(async () => Promise.reject(new Error('ffmpeg is gone')))
  t.strictSame(await gain.resolve(mediaFile(), 'auto'), [])
  t.match(problems, [{ message: 'ffmpeg is gone' }])
  await gain.close()
})

t.test('a session keeps the gain that it was begun with, and is offered by it', async (t) => {
  const loudness = createMemoryLoudness({
    measuring: async ({ audio: tracks }) => tracks.map(({ stream }) => ({ ...SOFT[0]!, stream })),
  })
  const node = await openNodeFixture(t, { loudness })
  const { caller } = await node.person()
  node.mediaFiles.put('/films/Metropolis (1927).mkv')
  await node.scan(await node.newLibrary('/films'))
  const { id: movieId } = await node.movieNamed('Metropolis')
  const started = allowed(await node.playback.start(caller, { movieId, audioGain: 'auto' }, ORIGIN))
  t.equal(started.audioGainDb, 6)
  t.match(started.session.audioGain, [{ stereoDb: 6 }])
  const event = (await node.events()).find(({ type }) => type === 'PlaybackStarted')
  t.match(event, { data: { audioGain: started.session.audioGain } }, 'every node plans by it')
  t.equal(allowed(await node.playback.get(caller, started.session.id)).audioGainDb, 6)
  const plain = allowed(await node.playback.start(caller, { movieId }, ORIGIN))
  t.equal(plain.audioGainDb, null)
  t.notOk('audioGain' in plain.session)
})
