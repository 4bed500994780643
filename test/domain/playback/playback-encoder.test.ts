/** A session whose encoder is no longer available. */
import t from 'tap'
import { beat, playback, type HeartbeatFacts } from '../../../src/domain/playback/playback.ts'
import { given, NOON, type Happened } from '../../fixtures/given.ts'
import { named } from '../../fixtures/names.ts'

const key = { sessionId: named<'session'>('evening'), userId: named<'user'>('ann'), movieId: named<'movie'>('metropolis') }
const started = (encoder?: 'nvenc'): Happened => ({
  type: 'PlaybackStarted',
  data: {
    ...key,
    fileId: named<'file'>('metropolis-1080p'),
    durationMs: 3_600_000,
    loginId: named('phone'),
    libraryId: named('films'),
    positionMs: 0,
    client: null,
    method: 'transcode',
    reasons: [],
    idleSeconds: 120,
    ...(encoder ? { encoder } : {}),
  },
})
const changed: Happened = { type: 'PlaybackEncoderChanged', data: { ...key, encoder: 'x264' } }
const INSTEAD: HeartbeatFacts['instead'] = { commandId: named<'command'>('anew'), encoder: 'x264' }
const at = (told: Partial<HeartbeatFacts>) => beat({ positionMs: 10_000, ...told }, NOON + 10_000)
const types = (decision: unknown) => (Array.isArray(decision) ? decision.map(({ type }) => type) : decision)

t.test(
  'a session whose encoder nobody has any more gets another one with its heartbeat, and is told to load its playlists anew',
  async (t) => {
    t.match(given(playback, started('nvenc')).when(at({ instead: INSTEAD })), [
      { type: 'PlaybackHeartbeat' },
      { type: 'PlaybackEncoderChanged', data: { ...key, encoder: 'x264' } },
      { type: 'PlaybackCommandIssued', data: { commandId: named('anew'), command: 'reload', message: null } },
    ])
  },
)

t.test('once only: a node that has not heard of it yet says the same again', async (t) => {
  t.strictSame(types(given(playback, started('nvenc'), changed).when(at({ instead: INSTEAD }))), ['PlaybackHeartbeat'])
  t.strictSame(types(given(playback, started()).when(at({ instead: INSTEAD }))), ['PlaybackHeartbeat'])
})

t.test('one command to load anew is enough where the playlists are running out too', async (t) => {
  const reload = { commandId: named<'command'>('due'), beforeMs: NOON + 1 }
  const decided = given(playback, started('nvenc')).when(at({ instead: INSTEAD, reload }))
  t.strictSame(types(decided), ['PlaybackHeartbeat', 'PlaybackEncoderChanged', 'PlaybackCommandIssued'])
})

t.test('a session whose tone-mapper nobody has goes on with another one, once, and keeps its encoder', async (t) => {
  const instead = { commandId: named<'command'>('anew'), encoder: 'nvenc', toneMapping: 'none' } as const
  const mapped: Happened = { type: 'PlaybackEncoderChanged', data: { ...key, encoder: 'nvenc', toneMapping: 'none' } }
  t.match(given(playback, started('nvenc')).when(at({ instead })), [
    { type: 'PlaybackHeartbeat' },
    mapped,
    { type: 'PlaybackCommandIssued', data: { command: 'reload' } },
  ])
  t.strictSame(types(given(playback, started('nvenc'), mapped).when(at({ instead }))), ['PlaybackHeartbeat'])
  const later = { ...INSTEAD, toneMapping: 'none' } as const
  t.match(given(playback, started('nvenc'), mapped).when(at({ instead: INSTEAD })), [{}, { data: { encoder: 'x264' } }, {}])
  const changedToo: Happened = { type: 'PlaybackEncoderChanged', data: { ...key, encoder: 'x264' } }
  const decided = given(playback, started('nvenc'), mapped, changedToo).when(at({ instead: later }))
  t.strictSame(types(decided), ['PlaybackHeartbeat'], 'what an event does not name stays')
})
