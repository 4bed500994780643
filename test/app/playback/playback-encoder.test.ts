/** The encoder of a session, from its start to the day that nobody has it. */
import t from 'tap'
import type { Encoder } from '../../../src/vocabulary/encoder.ts'
import { allowed, openHouse, ORIGIN } from '../../fixtures/house.ts'

t.test(
  'a session keeps the encoder that it began with, until nobody has it: then its player is told to load its playlists anew',
  async (t) => {
    const offers: (Encoder | undefined)[] = []
    const begun: (Encoder | undefined)[] = []
    const decision = { method: 'transcode', reasons: [], rejected: [] } as const
    let instead: Encoder | undefined
    let means: { readonly encoder?: Encoder } = { encoder: 'nvenc' }
    const house = await openHouse(t, {
      streams: {
        offer: async (_file, terms) => (offers.push(terms.encoder), { decision, qualities: [], audio: [], subtitles: [], burnable: [] }),
        prewarm: (_file, { terms }) => void begun.push(terms.encoder),
        means: () => means,
        meansInstead: () => instead && { encoder: instead },
      },
    })
    const { caller } = await house.person()
    house.films.put('/films/Metropolis (1927).mkv')
    await house.scan(await house.newLibrary('/films'))
    const { id: movieId } = await house.movieNamed('Metropolis')
    const { session } = allowed(await house.playback.start(caller, { movieId }, ORIGIN))
    t.equal(session.encoder, 'nvenc')
    t.strictSame(begun, ['nvenc'])
    t.strictSame(new Set(offers), new Set(['nvenc']))

    means = {}
    const beat = async () => allowed(await house.playback.heartbeat(caller, session.id, { positionMs: 1_000 }, ORIGIN)).session
    t.match(await beat(), { encoder: 'nvenc', commands: [] }, 'whatever others get')
    instead = 'x264'
    t.match(await beat(), { encoder: 'x264', commands: [{ command: 'reload', message: null }] })
    t.equal((await beat()).commands.length, 1, 'once')
    await house.playback.get(caller, session.id)
    t.equal(offers.at(-1), 'x264')

    const later = allowed(await house.playback.start(caller, { movieId }, ORIGIN))
    t.notOk('encoder' in later.session, 'software is not named')
  },
)
