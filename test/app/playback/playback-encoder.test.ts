/** The encoder of a session, from its start until no agent has it any more. */
import t from 'tap'
import type { Encoder } from '../../../src/vocabulary/encoder.ts'
import { createMemoryEventLog } from '../../../src/adapters/memory/event-log.ts'
import { allowed, createCluster, openNodeFixture, ORIGIN } from '../../fixtures/node-fixture.ts'

t.test(
  'a session keeps the encoder that it began with, until nobody has it: then its player is ordered to reload its playlists',
  async (t) => {
    const offers: (Encoder | undefined)[] = []
    const begun: (Encoder | undefined)[] = []
    const decision = { method: 'transcode', reasons: [], rejected: [] } as const
    let instead: Encoder | undefined
    let means: { readonly encoder?: Encoder } = { encoder: 'nvenc' }
    const node = await openNodeFixture(t, {
      streams: {
        offer: async (_file, options) => (
          offers.push(options.encoder),
          { decision, qualities: [], audio: [], subtitles: [], burnable: [] }
        ),
        prewarm: (_file, { options }) => void begun.push(options.encoder),
        currentEncoders: () => means,
        replacementEncoder: () => instead && { encoder: instead },
      },
    })
    const { caller } = await node.person()
    node.mediaFiles.put('/films/Metropolis (1927).mkv')
    await node.scan(await node.newLibrary('/films'))
    const { id: movieId } = await node.movieNamed('Metropolis')
    const { session } = allowed(await node.playback.start(caller, { movieId }, ORIGIN))
    t.equal(session.encoder, 'nvenc')
    t.strictSame(begun, ['nvenc'])
    t.strictSame(new Set(offers), new Set(['nvenc']))

    means = {}
    const beat = async () => allowed(await node.playback.heartbeat(caller, session.id, { positionMs: 1_000 }, ORIGIN)).session
    t.match(await beat(), { encoder: 'nvenc', commands: [] }, 'whatever others get')
    instead = 'x264'
    t.match(await beat(), { encoder: 'x264', commands: [{ command: 'reload', message: null }] })
    t.equal((await beat()).commands.length, 1, 'once')
    const commandOf = new Map((await node.events()).map(({ type, metadata }) => [type, metadata.command]))
    t.equal(commandOf.get('PlaybackHeartbeat'), 'heartbeat')
    t.equal(commandOf.get('PlaybackEncoderChanged'), 'switchEncoder', 'a heartbeat records a heartbeat only')
    t.equal(commandOf.get('PlaybackCommandIssued'), 'switchEncoder')
    await node.playback.get(caller, session.id)
    t.equal(offers.at(-1), 'x264')

    const later = allowed(await node.playback.start(caller, { movieId }, ORIGIN))
    t.notOk('encoder' in later.session, 'software is not named')
  },
)

t.test('a heartbeat succeeds although its new encoder cannot be stored, and the next one orders it', async (t) => {
  const log = createMemoryEventLog()
  const fault = new Error('The disk is full')
  let isFull = true
  const cluster = createCluster({
    log: {
      ...log,
      async append(stream, expected, events) {
        if (isFull && events.some(({ type }) => type === 'PlaybackEncoderChanged')) throw fault
        return log.append(stream, expected, events)
      },
    },
  })
  const node = await openNodeFixture(t, { cluster, streams: { replacementEncoder: () => ({ encoder: 'nvenc' }) } })
  const { caller } = await node.person()
  node.mediaFiles.put('/films/Metropolis (1927).mkv')
  await node.scan(await node.newLibrary('/films'))
  const { id: movieId } = await node.movieNamed('Metropolis')
  const { session } = allowed(await node.playback.start(caller, { movieId }, ORIGIN))
  const beat = async (positionMs: number) => allowed(await node.playback.heartbeat(caller, session.id, { positionMs }, ORIGIN)).session
  t.match(await beat(1_000), { positionMs: 1_000, commands: [] })
  t.strictSame(node.problems, [fault])
  isFull = false
  t.match(await beat(2_000), { positionMs: 2_000, encoder: 'nvenc', commands: [{ command: 'reload' }] })
})
