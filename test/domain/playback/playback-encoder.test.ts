/** A session whose encoder is no longer available. */
import t from 'tap'
import { beat, playback, reloadPlaylists, switchEncoder, type EncoderSwitch } from '../../../src/domain/playback/playback.ts'
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
const TO_SOFTWARE: EncoderSwitch = { commandId: named<'command'>('reload'), encoder: 'x264' }
const DUE_AT = NOON + 10_000
const switched = (choice: EncoderSwitch) => switchEncoder(choice, DUE_AT)

t.test('a session whose encoder is gone gets another one, and its player is ordered to reload its playlists', async (t) => {
  t.match(given(playback, started('nvenc')).when(switched(TO_SOFTWARE)), [
    { type: 'PlaybackEncoderChanged', data: { ...key, encoder: 'x264' } },
    { type: 'PlaybackCommandIssued', data: { commandId: named('reload'), command: 'reload', message: null } },
  ])
})

t.test('a second order for the same encoder changes nothing', async (t) => {
  t.strictSame(given(playback, started('nvenc'), changed).when(switched(TO_SOFTWARE)), [])
  t.strictSame(given(playback, started()).when(switched(TO_SOFTWARE)), [])
})

t.test('a new encoder orders new playlists, so that no second order follows it', async (t) => {
  const ordered: Happened = {
    type: 'PlaybackCommandIssued',
    data: { ...key, commandId: TO_SOFTWARE.commandId, command: 'reload', message: null },
    atMs: DUE_AT,
  }
  const reload = reloadPlaylists({ commandId: named<'command'>('due'), beforeMs: NOON + 1 }, DUE_AT)
  t.strictSame(given(playback, started('nvenc'), changed, ordered).when(reload), [])
})

t.test('a session that is over gets no other encoder', async (t) => {
  t.match(given(playback, started('nvenc')).when(switchEncoder(TO_SOFTWARE, NOON + 120_000)), { refusal: 'not-found' })
  t.match(given(playback).when(switched(TO_SOFTWARE)), { refusal: 'not-found' })
})

t.test('a heartbeat leaves the encoder as it is', async (t) => {
  t.match(given(playback, started('nvenc')).when(beat({ positionMs: 10_000 }, DUE_AT)), { length: 1, 0: { type: 'PlaybackHeartbeat' } })
})

t.test('a session whose tone-mapper is gone gets another one, once, and keeps its encoder', async (t) => {
  const unmapped = { commandId: named<'command'>('reload'), encoder: 'nvenc', toneMapping: 'none' } as const
  const mapped: Happened = { type: 'PlaybackEncoderChanged', data: { ...key, encoder: 'nvenc', toneMapping: 'none' } }
  t.match(given(playback, started('nvenc')).when(switched(unmapped)), [
    mapped,
    { type: 'PlaybackCommandIssued', data: { command: 'reload' } },
  ])
  t.strictSame(given(playback, started('nvenc'), mapped).when(switched(unmapped)), [])
  t.match(given(playback, started('nvenc'), mapped).when(switched(TO_SOFTWARE)), [{ data: { encoder: 'x264' } }, {}])
  const both = given(playback, started('nvenc'), mapped, changed)
  t.strictSame(both.when(switched({ ...TO_SOFTWARE, toneMapping: 'none' })), [], 'an omitted tone-mapper stays as it was')
})
