/** The commands for a player, and its confirmations. */
import t from 'tap'
import { beat, command, end, playback, reloadPlaylists, type HeartbeatFacts } from '../../../src/domain/playback/playback.ts'
import type { Sealed } from '../../../src/events/sealed.ts'
import type { PlayerCommand } from '../../../src/events/playback-events.ts'
import { given, NOON, type Happened } from '../../fixtures/given.ts'
import { named } from '../../fixtures/names.ts'

const key = { sessionId: named<'session'>('evening'), userId: named<'user'>('ann'), movieId: named<'movie'>('metropolis') }
const film = { fileId: named<'file'>('metropolis-1080p'), durationMs: 3_600_000 }
const started: Happened = {
  type: 'PlaybackStarted',
  data: {
    ...key,
    ...film,
    loginId: named('phone'),
    libraryId: named('films'),
    positionMs: 0,
    client: null,
    method: 'remux',
    reasons: [],
    idleSeconds: 120,
  },
}
const issued = (name: string, kind: PlayerCommand = 'pause', atMs = NOON): Happened => ({
  type: 'PlaybackCommandIssued',
  data: { ...key, commandId: named(name), command: kind, message: null },
  atMs,
})
const beaten = (atMs: number): Happened => ({
  type: 'PlaybackHeartbeat',
  data: { ...key, ...film, positionMs: 0, playState: 'playing', rate: 1, sequence: null },
  atMs,
})
const at = (told: Partial<HeartbeatFacts>, nowMs = NOON + 10_000) => beat({ positionMs: 10_000, ...told }, nowMs)

t.test('a command goes to a session that lives, and to no other', async (t) => {
  const order = { commandId: named<'command'>('one'), command: 'message', message: 'sealed:ann:DINNER' as Sealed } as const
  t.strictSame(given(playback, started).when(command(order, NOON)), [{ type: 'PlaybackCommandIssued', data: { ...key, ...order } }])
  t.match(given(playback, started).when(command(order, NOON + 120_000)), { refusal: 'not-found' })
  t.match(given(playback).when(command(order, NOON)), { refusal: 'not-found' })
})

t.test('a heartbeat that names a command acknowledges it and all before it; anything else acknowledges nothing', async (t) => {
  const three = given(playback, started, issued('one'), issued('two'), issued('three'))
  t.match(three.state.commands, [{ id: named('one') }, { id: named('two') }, { id: named('three') }])
  const acknowledging = three.when(at({ lastCommandId: named('two') }))
  t.match(acknowledging, [{ type: 'PlaybackHeartbeat', data: { lastCommandId: named('two') } }])
  const [event] = Array.isArray(acknowledging) ? acknowledging : []
  t.strictSame(event && playback.evolve(three.state, event, new Date(NOON).toISOString()).commands, [{ id: named('three') }])
  for (const lastCommandId of [named('unknown'), undefined]) {
    t.notMatch(three.when(at(lastCommandId ? { lastCommandId } : {})), [{ data: { lastCommandId: String } }])
  }
})

t.test('of commands that nobody takes only the newest wait', async (t) => {
  const many = Array.from({ length: 100 }, (_, n) => issued(`command-${n}`))
  const { commands } = given(playback, started, ...many).state
  t.equal(commands.length, 16)
  t.match(commands.at(-1), { id: named('command-99') })
})

t.test('a player is ordered to reload its playlists, unless it was ordered to in the meantime', async (t) => {
  const HOUR_MS = 3_600_000
  const later = NOON + 4 * HOUR_MS
  const commandId = named<'command'>('reload')
  const reload = reloadPlaylists({ commandId, beforeMs: NOON + HOUR_MS }, later)
  const playing = beaten(later - 10_000)
  const due = [{ type: 'PlaybackCommandIssued', data: { ...key, commandId, command: 'reload', message: null } }]
  t.strictSame(given(playback, started, playing).when(reload), due)
  t.strictSame(given(playback, started, issued('earlier', 'reload', NOON + 2 * HOUR_MS), playing).when(reload), [])
  t.strictSame(given(playback, started, issued('pause', 'pause', NOON + 2 * HOUR_MS), playing).when(reload), due)
  t.match(given(playback, started).when(reload), { refusal: 'not-found' }, 'its session is over')
})

t.test('an evicted player is notified in the same step', async (t) => {
  const last = { commandId: named<'command'>('last'), command: 'stop', message: 'sealed:ann:BEDTIME' as Sealed } as const
  t.match(given(playback, started).when(end('admin', NOON, { last })), [
    { type: 'PlaybackCommandIssued', data: { ...key, ...last } },
    { type: 'PlaybackEnded', data: { reason: 'admin' } },
  ])
  t.match(given(playback, started).when(end('admin', NOON + 120_000, { last })), { refusal: 'not-found' })
})
