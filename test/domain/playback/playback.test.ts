import t from 'tap'
import {
  adopt,
  beat,
  clampPosition,
  completes,
  end,
  expire,
  isSuperseded,
  playback,
  seek,
  type HeartbeatFacts,
  type PlaybackState,
} from '../../../src/domain/playback/playback.ts'
import type { Decision } from '../../../src/domain/decider.ts'
import { isRefusal } from '../../../src/domain/refusal.ts'
import { given, iso, NOON, type Happened } from '../../fixtures/given.ts'
import { named } from '../../fixtures/names.ts'

const HOUR_MS = 3_600_000
const session = {
  sessionId: named<'session'>('evening'),
  userId: named<'user'>('ann'),
  movieId: named<'movie'>('metropolis'),
  fileId: named<'file'>('metropolis-1080p'),
  durationMs: HOUR_MS,
}
const started = (more: { readonly positionMs?: number; readonly durationMs?: number } = {}): Happened => ({
  type: 'PlaybackStarted',
  data: {
    ...session,
    loginId: named('phone'),
    libraryId: named('films'),
    positionMs: 0,
    client: null,
    method: 'remux',
    reasons: [],
    idleSeconds: 120,
    ...more,
  },
})
const heartbeatAt = (positionMs: number, more: { readonly playState?: 'playing' | 'paused'; readonly sequence?: number } = {}) => {
  const { playState = 'playing', sequence = null } = more
  return { type: 'PlaybackHeartbeat', data: { ...session, positionMs, playState, rate: 1, sequence } } as const
}
const soughtTo = (positionMs: number, fromMs = 0) => ({ type: 'PlaybackSeeked', data: { ...session, fromMs, positionMs } }) as const
const endedAt = (positionMs: number, told: boolean) => {
  return { type: 'PlaybackEnded', data: { ...session, reason: 'client', positionMs, told } } as const
}
const IDLE_MS = 120_000
const gone = { refusal: 'not-found' }
const beatAt = (positionMs: number, more: Omit<HeartbeatFacts, 'positionMs'> = {}, nowMs = NOON + 10_000) =>
  beat({ positionMs, ...more }, nowMs)

t.test('a heartbeat reports the position; without a play state the first one means playing', async (t) => {
  t.strictSame(given(playback, started()).when(beatAt(10_000)), [heartbeatAt(10_000)])
  t.strictSame(given(playback, started(), heartbeatAt(0, { playState: 'paused' })).when(beatAt(5)), [
    heartbeatAt(5, { playState: 'paused' }),
  ])
  t.match(given(playback, started()).when(beatAt(10_000, { playState: 'buffering', rate: 1.5 })), [
    { data: { playState: 'buffering', rate: 1.5 } },
  ])
})

t.test('a heartbeat up to ten seconds past the end is clamped to the end, beyond it is refused', async (t) => {
  const { when } = given(playback, started())
  t.strictSame(when(beatAt(0)), [heartbeatAt(0)])
  t.strictSame(when(beatAt(HOUR_MS + 10_000)), [heartbeatAt(HOUR_MS)])
  t.match(when(beatAt(HOUR_MS + 10_001)), { refusal: 'invalid', path: 'position' })
  t.match(when(beatAt(-1)), { refusal: 'invalid', path: 'position' })
})

t.test('a seek up to one second past the end is clamped to the end, beyond it is refused', async (t) => {
  const { when } = given(playback, started(), heartbeatAt(60_000))
  const seekTo = (positionMs: number): Decision => when(seek(positionMs, NOON + 1))
  t.strictSame(seekTo(0), [soughtTo(0, 60_000)])
  t.strictSame(seekTo(HOUR_MS), [soughtTo(HOUR_MS, 60_000)])
  t.strictSame(seekTo(HOUR_MS + 1000), [soughtTo(HOUR_MS, 60_000)])
  t.match(seekTo(HOUR_MS + 1001), { refusal: 'invalid', path: 'position' })
  t.match(seekTo(-1), { refusal: 'invalid', path: 'position' })
})

t.test('a start position is judged like a seek, under its own name', async (t) => {
  t.equal(clampPosition(HOUR_MS + 1000, HOUR_MS, 'seek', 'startPosition'), HOUR_MS)
  t.match(clampPosition(HOUR_MS + 1001, HOUR_MS, 'seek', 'startPosition'), { path: 'startPosition' })
})

t.test('a heartbeat with an older sequence is answered and ignored, the same one again is taken', async (t) => {
  const { when } = given(playback, started(), heartbeatAt(50_000, { sequence: 5 }), heartbeatAt(60_000))
  t.strictSame(when(beatAt(40_000, { sequence: 4 })), [])
  t.strictSame(when(beatAt(50_000, { sequence: 5 })), [heartbeatAt(50_000, { sequence: 5 })])
  t.strictSame(when(beatAt(70_000, { sequence: 6 })), [heartbeatAt(70_000, { sequence: 6 })])
  t.strictSame(when(beatAt(70_000)), [heartbeatAt(70_000)], 'one without a sequence is never old')
})

t.test('a session is over at exactly 120.000 s after the last heartbeat; its creation counts as one', async (t) => {
  const { when } = given(playback, started())
  t.strictSame(when(beatAt(1, {}, NOON + IDLE_MS - 1)), [heartbeatAt(1)])
  const over = NOON + IDLE_MS
  for (const decide of [beatAt(1, {}, over), seek(1, over), end('client', over)]) t.match(when(decide), gone)
})

t.test('a heartbeat keeps it alive; a seek, an adoption and an ignored heartbeat do not', async (t) => {
  const beaten = given(playback, started(), { ...heartbeatAt(60_000), atMs: NOON + 60_000 })
  t.strictSame(beaten.when(beatAt(1, {}, NOON + 60_000 + IDLE_MS - 1)), [heartbeatAt(1)])
  t.match(beaten.when(beatAt(1, {}, NOON + 60_000 + IDLE_MS)), gone)
  const adopted: Happened = { type: 'PlaybackAdopted', data: { sessionId: session.sessionId, node: 'two', token: 9 }, atMs: NOON + 100_000 }
  const sought = given(playback, started(), { ...soughtTo(5000), atMs: NOON + 100_000 }, adopted)
  t.match(sought.when(beatAt(1, {}, NOON + IDLE_MS)), gone)
})

t.test('an idle session has expired at its last heartbeat plus the idle time, whenever that is noticed', async (t) => {
  const { when } = given(playback, started(), { ...heartbeatAt(60_000), atMs: NOON + 60_000 }, { ...soughtTo(70_000), atMs: NOON + 61_000 })
  const { sessionId, userId, movieId } = session
  const expiredAt = iso(NOON + 60_000 + IDLE_MS)
  t.strictSame(when(expire(NOON + 60_000 + IDLE_MS - 1)), [], 'not while it lives')
  const expired = { type: 'PlaybackExpired', data: { sessionId, userId, movieId, expiredAt, positionMs: 70_000 } } as const
  t.strictSame(when(expire(NOON + 60_000 + IDLE_MS)), [expired])
  t.strictSame(when(expire(NOON + 24 * HOUR_MS)), [expired])
  t.strictSame(given(playback, started(), expired).when(expire(NOON + 24 * HOUR_MS)), [], 'once')
})

t.test('the end of a session is its last known position, and records whether the player reported one', async (t) => {
  t.strictSame(given(playback, started({ positionMs: 900_000 })).when(end('client', NOON)), [endedAt(900_000, false)])
  t.strictSame(given(playback, started(), heartbeatAt(60_000)).when(end('client', NOON)), [endedAt(60_000, true)])
  t.strictSame(given(playback, started(), soughtTo(70_000)).when(end('client', NOON)), [endedAt(70_000, true)])
  t.match(given(playback, started()).when(end('admin', NOON)), [{ data: { reason: 'admin' } }])
})

t.test('an end with a position is the same as a heartbeat there and then an end, in one step', async (t) => {
  const nowMs = NOON + 10_000
  for (const past of [[], [heartbeatAt(60_000, { playState: 'paused', sequence: 7 })], [soughtTo(70_000)]]) {
    const { state } = given(playback, started(), ...past)
    for (const positionMs of [0, 65_000, HOUR_MS, HOUR_MS + 10_000]) {
      const beats = beatAt(positionMs, {}, nowMs)(state)
      const beaten = isRefusal(beats) ? [] : beats
      const ends = given(playback, started(), ...past, ...beaten).when(end('client', nowMs))
      t.strictSame(end('client', nowMs, { positionMs })(state), [...beaten, ...(isRefusal(ends) ? [] : ends)], String(positionMs))
    }
  }
})

t.test('an end with a position that no heartbeat may have is refused, and the session lives on', async (t) => {
  const { when } = given(playback, started(), heartbeatAt(60_000))
  for (const positionMs of [-1, HOUR_MS + 10_001, NaN]) {
    t.match(when(end('client', NOON, { positionMs })), { refusal: 'invalid', path: 'position' }, String(positionMs))
  }
  t.match(when(end('client', NOON + IDLE_MS, { positionMs: 1 })), gone, 'and one that came too late ends nothing')
})

t.test('after its end a session is gone for everything: the first end wins', async (t) => {
  const { when } = given(playback, started(), endedAt(0, false))
  for (const decide of [beatAt(1), seek(1, NOON), end('client', NOON), adopt('two', 9)]) t.match(when(decide), gone)
  t.strictSame(when(expire(NOON + HOUR_MS)), [])
})

t.test('a session that never started is gone, too', async (t) => {
  for (const decide of [beatAt(1), seek(1, NOON), end('client', NOON), adopt('two', 9)]) t.match(given(playback).when(decide), gone)
  t.strictSame(given(playback).when(expire(NOON)), [])
})

t.test('the last adopter of a session is its actor; every other one is superseded', async (t) => {
  const adoption = (token: number): Happened => ({ type: 'PlaybackAdopted', data: { sessionId: session.sessionId, node: 'n', token } })
  const { state } = given(playback, started(), adoption(7), adoption(9))
  t.ok(isSuperseded(state, 7))
  t.notOk(isSuperseded(state, 9))
  t.match(
    given(playback, started()).when(adopt('two', 9)),
    [adoption(9)].map(({ type, data }) => ({ type, data: { ...data, node: 'two' } })),
  )
})

t.test('a film counts as watched from exactly 90 % of its probed duration on', async (t) => {
  t.notOk(completes(0.9 * HOUR_MS - 1, HOUR_MS))
  t.ok(completes(0.9 * HOUR_MS, HOUR_MS))
  t.ok(completes(HOUR_MS, HOUR_MS))
  t.ok(completes(4_860_108, 5_400_120), 'to the millisecond')
  t.notOk(completes(4_860_107, 5_400_120))
  t.notOk(completes(0, 0), 'a film of no length is never watched')
})

t.test('the state of a session is the same from one event at a time as from all of them', async (t) => {
  const past: readonly Happened[] = [started(), heartbeatAt(60_000, { sequence: 3 }), soughtTo(70_000)]
  const state: PlaybackState = given(playback, ...past).state
  t.match(state, {
    positionMs: 70_000,
    playState: 'playing',
    sequence: 3,
    hasReportedPosition: true,
    hasSentHeartbeat: true,
    beatAtMs: NOON,
    ended: false,
  })
})
