import t from 'tap'
import { createMemoryLoudness, type MemoryLoudnessOptions } from '../../../src/adapters/memory/loudness.ts'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createSoundGain } from '../../../src/app/playback/sound-gain.ts'
import type { LoudFilm, TrackLoudness } from '../../../src/ports/loudness.ts'
import { audio, film as media } from '../../fixtures/film-descriptions.ts'
import { allowed, openHouse, ORIGIN } from '../../fixtures/house.ts'

const SOFT: readonly TrackLoudness[] = [{ stream: 1, stereo: { loudnessLufs: -22, truePeakDb: -9 }, surround: null }]
const RAISED = [{ stream: 1, stereoDb: 6, surroundDb: 0 }]
const film = (fingerprint = 'a') => ({ path: `/films/${fingerprint}.mkv`, fingerprint, media: media({ audio: [audio()] }) })

function open(measuring: NonNullable<MemoryLoudnessOptions['measuring']>) {
  const clock = createTestClock()
  const problems: unknown[] = []
  const loudness = createMemoryLoudness({ measuring })
  return { clock, loudness, problems, gain: createSoundGain({ clock, loudness, problem: (cause) => problems.push(cause) }) }
}

t.test('a film is measured when its gain is first asked for, and never again', async (t) => {
  const { gain, loudness } = open(async () => SOFT)
  t.strictSame(await gain.resolve(film(), 'auto'), RAISED)
  t.strictSame(await gain.resolve(film(), 4), [{ stream: 1, stereoDb: 4, surroundDb: 0 }])
  t.equal(loudness.measurements.length, 1)
  t.strictSame(await gain.resolve(film('b'), 0), [], 'nothing is measured for no gain')
  t.equal(loudness.measurements.length, 1)
})

t.test('who plays a film that takes long to measure hears it as it is, and the next one has the gain', async (t) => {
  const measured = Promise.withResolvers<typeof SOFT>()
  const { clock, gain, loudness } = open(() => measured.promise)
  const first = gain.resolve(film(), 'auto')
  const second = gain.resolve(film(), 3)
  await clock.advance(3_000)
  t.strictSame([await first, await second], [[], []])
  measured.resolve(SOFT)
  t.strictSame(await gain.resolve(film(), 'auto'), RAISED)
  t.equal(loudness.measurements.length, 1, 'one measurement served all')
})

t.test('a film that is turned down is neither measured nor waited for', async (t) => {
  const { gain, loudness } = open(() => new Promise(() => undefined))
  t.match(await gain.resolve(film(), -3), [{ stereoDb: -3 }])
  t.strictSame(loudness.measurements, [])
})

t.test('no more than two films are measured for players at once, and all of it is given up at the end', async (t) => {
  const untilAborted = (_: LoudFilm, signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
  const { clock, gain, loudness, problems } = open(untilAborted)
  const asked = ['a', 'b', 'c', 'd'].map((name) => gain.resolve(film(name), 'auto'))
  await clock.advance(3_000)
  t.strictSame(await Promise.all(asked), [[], [], [], []])
  t.strictSame(loudness.measurements, ['a', 'b'])
  await gain.close()
  t.strictSame(problems, [])
})

t.test('a measurement that fails is told, and costs the gain only', async (t) => {
  const { gain, problems } = open(async () => Promise.reject(new Error('ffmpeg is gone')))
  t.strictSame(await gain.resolve(film(), 'auto'), [])
  t.match(problems, [{ message: 'ffmpeg is gone' }])
  await gain.close()
})

t.test('a session keeps the gain that it was begun with, and is offered by it', async (t) => {
  const loudness = createMemoryLoudness({
    measuring: async ({ audio: tracks }) => tracks.map(({ stream }) => ({ ...SOFT[0]!, stream })),
  })
  const house = await openHouse(t, { loudness })
  const { caller } = await house.person()
  house.films.put('/films/Metropolis (1927).mkv')
  await house.scan(await house.newLibrary('/films'))
  const { id: movieId } = await house.movieNamed('Metropolis')
  const started = allowed(await house.playback.start(caller, { movieId, audioGain: 'auto' }, ORIGIN))
  t.equal(started.audioGainDb, 6)
  t.match(started.session.audioGain, [{ stereoDb: 6 }])
  const event = (await house.events()).find(({ type }) => type === 'PlaybackStarted')
  t.match(event, { data: { audioGain: started.session.audioGain } }, 'every node plans by it')
  t.equal(allowed(await house.playback.get(caller, started.session.id)).audioGainDb, 6)
  const plain = allowed(await house.playback.start(caller, { movieId }, ORIGIN))
  t.equal(plain.audioGainDb, null)
  t.notOk('audioGain' in plain.session)
})
