import t from 'tap'
import { audio, mediaFile } from '../../fixtures/media-descriptions.ts'
import type { BurnableSubtitle } from '../../../src/domain/streaming/burn-in.ts'
import { allowed, openNodeFixture, ORIGIN } from '../../fixtures/node-fixture.ts'

const burnable: readonly BurnableSubtitle[] = [
  { index: 0, language: 'en', title: null, forced: false, default: true, kind: 'styled' },
  { index: 2, language: 'de', title: 'Disc', forced: false, default: false, kind: 'bitmap' },
]

t.test('the subtitle in the video is agreed on at the start, and everything is made by that', async (t) => {
  const offered: unknown[] = []
  const begun: unknown[] = []
  const decision = { method: 'transcode', reasons: [], rejected: [] } as const
  const node = await openNodeFixture(t, {
    streams: {
      offer: async (_file, options) => (offered.push(options.burnIn), { decision, qualities: [], audio: [], subtitles: [], burnable }),
      prewarm: (_file, { options }) => void begun.push(options.burnIn),
    },
  })
  const { caller } = await node.person()
  node.mediaFiles.put('/films/Metropolis (1927).mkv')
  await node.scan(await node.newLibrary('/films'))
  const { id: movieId } = await node.movieNamed('Metropolis')
  const started = allowed(await node.playback.start(caller, { movieId, subtitleIndex: 2 }, ORIGIN))
  t.match(started, { session: { burnIn: 2 }, burnable })
  t.equal(offered.at(-1), 2)
  t.match(await node.playback.get(caller, started.session.id), { session: { burnIn: 2 } })
  const drawn = allowed(await node.playback.start(caller, { movieId, subtitleIndex: 0, burnSubtitle: true }, ORIGIN))
  const beside = allowed(await node.playback.start(caller, { movieId, subtitleIndex: 0 }, ORIGIN))
  t.strictSame([drawn.session.burnIn, beside.session.burnIn, begun], [0, undefined, [2, 0, undefined]])
  t.match(await node.playback.start(caller, { movieId, subtitleIndex: 1 }, ORIGIN), { refusal: 'invalid', path: 'subtitleIndex' })
  t.equal(begun.length, 3)
})

t.test('the audio track to play first is agreed on at the start, and one that the film has not is refused', async (t) => {
  const node = await openNodeFixture(t)
  const { caller } = await node.person()
  const sound = [audio({ language: 'en' }), audio({ stream: 2, language: 'de', default: false })]
  node.mediaFiles.put('/films/Metropolis (1927).mkv', { probe: mediaFile({ audio: sound }) })
  await node.scan(await node.newLibrary('/films'))
  const { id: movieId } = await node.movieNamed('Metropolis')
  const begun = async (audioIndex: number) => node.playback.start(caller, { movieId, audioIndex }, ORIGIN)
  t.equal(allowed(await begun(1)).session.audioIndex, 1)
  t.equal(allowed(await begun(0)).session.audioIndex, undefined, "the film's own default")
  t.match(await begun(2), { refusal: 'invalid', path: 'audioIndex' })
})
