import t from 'tap'
import type { Sealed } from '../../src/events/sealed.ts'
import { logins } from '../../projections/logins.ts'
import { playbackSessions } from '../../projections/playback-sessions.ts'
import { users } from '../../projections/users.ts'
import { iso, NOON, type Happened } from '../given.ts'
import { named } from '../names.ts'
import { fold } from './fold.ts'

const [userId, loginId, sessionId] = [named<'user'>('ann'), named<'login'>('phone'), named<'session'>('evening')]

t.test('an account keeps name and address sealed', async (t) => {
  const account = {
    userId,
    email: 'sealed:ann:AAAA' as Sealed,
    name: 'sealed:ann:BBBB' as Sealed,
    role: 'user',
    libraryAccess: 'selected',
    libraryIds: [named<'library'>('films')],
    maxConcurrentStreams: 2,
    passwordVersion: 1,
  } as const
  const { userId: id, ...told } = account
  t.strictSame(fold(users, { type: 'UserRegistered', data: account }).get(userId), {
    id,
    ...told,
    enabled: true,
    createdAt: iso(NOON),
    updatedAt: iso(NOON),
  })
})

const signedIn: Happened = {
  type: 'SignedIn',
  data: { loginId, userId, tokenHash: 'ab'.repeat(32), expiresAt: iso(NOON + 7), rememberMe: false },
}

t.test('a login is there from sign-in to sign-out, and knows until when', async (t) => {
  t.match(fold(logins, signedIn).get(loginId), { id: loginId, userId, tokenHash: 'ab'.repeat(32), expiresAt: iso(NOON + 7) })
  const extended: Happened = { type: 'LoginExtended', data: { loginId, userId, expiresAt: iso(NOON + 9) } }
  t.match(fold(logins, signedIn, extended).get(loginId), { expiresAt: iso(NOON + 9), createdAt: iso(NOON), updatedAt: iso(NOON + 1000) })
  t.equal(fold(logins, signedIn, { type: 'SignedOut', data: { loginId, userId } }).size, 0)
  const refused = { loginId: named<'login'>('nobody'), userId: null, emailHmac: 'cd', reason: 'unknown' } as const
  t.equal(fold(logins, { type: 'SignInRefused', data: refused }).size, 0, 'a refused sign-in is no login')
})

const key = { sessionId, userId, movieId: named<'movie'>('metropolis') }
const film = { fileId: named<'file'>('1080p'), durationMs: 3_600_000 }
const started: Happened = {
  type: 'PlaybackStarted',
  data: {
    ...key,
    ...film,
    loginId,
    libraryId: named('films'),
    positionMs: 5000,
    client: null,
    method: 'transcode',
    reasons: ['codec'],
    idleSeconds: 120,
  },
}
const beat: Happened = {
  type: 'PlaybackHeartbeat',
  data: { ...key, ...film, positionMs: 60_000, playState: 'buffering', rate: 1, sequence: 1 },
}
const seek: Happened = { type: 'PlaybackSeeked', data: { ...key, ...film, fromMs: 60_000, positionMs: 90_000 } }

t.test('a session is there from start to end; only heartbeats move the time that it is judged by', async (t) => {
  t.match(fold(playbackSessions, started).get(sessionId), {
    id: sessionId,
    userId,
    loginId,
    positionMs: 5000,
    playState: 'paused',
    createdAt: iso(NOON),
    beatAt: iso(NOON),
    idleSeconds: 120,
  })
  t.match(fold(playbackSessions, started, beat, seek).get(sessionId), {
    positionMs: 90_000,
    playState: 'buffering',
    createdAt: iso(NOON),
    beatAt: iso(NOON + 1000),
  })
  const ended: Happened = { type: 'PlaybackEnded', data: { ...key, ...film, reason: 'client', positionMs: 1, told: true } }
  const expired: Happened = { type: 'PlaybackExpired', data: { ...key, expiredAt: iso(NOON), positionMs: 1 } }
  for (const end of [ended, expired]) t.equal(fold(playbackSessions, started, beat, end).size, 0, end.type)
  t.equal(fold(playbackSessions, started, ended, seek).size, 0, 'what comes late brings nothing back')
})
