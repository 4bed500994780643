import t from 'tap'
import type { Sealed } from '../../../src/events/sealed.ts'
import { logins } from '../../../projections/views/logins.ts'
import { playbackSessions } from '../../../projections/views/playback-sessions.ts'
import { users } from '../../../projections/views/users.ts'
import { START, toPosition } from '../../../src/events/position.ts'
import { iso, NOON, type Happened } from '../../fixtures/given.ts'
import { named } from '../../fixtures/names.ts'
import { fold } from '../../fixtures/fold.ts'

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
    lastSeenAt: null,
    streamLimitSince: toPosition(1),
    loginsAfter: START,
    keptLoginId: null,
    linked: false,
    linkConsentUntil: null,
  })
})

const registered: Happened = {
  type: 'UserRegistered',
  data: {
    userId,
    email: 'sealed:ann:AAAA' as Sealed,
    name: 'sealed:ann:BBBB' as Sealed,
    role: 'user',
    libraryAccess: 'all',
    libraryIds: [],
    maxConcurrentStreams: null,
    passwordVersion: 1,
  },
}

t.test('an account shows each change, and when the last one was', async (t) => {
  const changed = (event: Happened) => fold(users, registered, event).get(userId)
  const updatedAt = iso(NOON + 1000)
  const name = 'sealed:ann:CCCC' as Sealed
  t.match(changed({ type: 'UserProfileChanged', data: { userId, name } }), { name, updatedAt })
  t.match(changed({ type: 'UserEmailChanged', data: { userId, email: name } }), { email: name, updatedAt })
  t.match(changed({ type: 'UserRoleChanged', data: { userId, role: 'admin' } }), { role: 'admin', updatedAt })
  const grants = { libraryAccess: 'selected', libraryIds: [named<'library'>('films')] } as const
  t.match(changed({ type: 'UserAccessChanged', data: { userId, ...grants } }), { ...grants, updatedAt })
  t.match(changed({ type: 'UserStreamLimitChanged', data: { userId, maxConcurrentStreams: 1 } }), { maxConcurrentStreams: 1, updatedAt })
  t.equal(changed({ type: 'UserRemoved', data: { userId } }), undefined)
  t.equal(changed({ type: 'UserErased', data: { userId } }), undefined)
})

t.test('an account shows whether it is linked, and until when it may be', async (t) => {
  const after = (...events: readonly Happened[]) => fold(users, registered, ...events).get(userId)
  const linkConsentUntil = '2026-01-08T12:00:00.000Z'
  const consent: Happened = { type: 'LinkConsentGiven', data: { userId, expiresAt: linkConsentUntil } }
  const linked: Happened = { type: 'IdentityLinked', data: { userId, identity: 'sealed:ann:DDDD' as Sealed } }
  t.match(after(consent), { linked: false, linkConsentUntil })
  t.match(after(consent, linked), { linked: true, linkConsentUntil: null })
  t.match(after(linked, { type: 'IdentityUnlinked', data: { userId } }), { linked: false, linkConsentUntil: null })
  t.match(after(consent, { type: 'LinkConsentWithdrawn', data: { userId } }), { linkConsentUntil: null })
  const email = 'sealed:ann:CCCC' as Sealed
  t.match(after(consent, { type: 'UserEmailChanged', data: { userId, email } }), { linkConsentUntil: null })
})

t.test('what ends all logins says from where on they hold again', async (t) => {
  const after = (...events: readonly Happened[]) => fold(users, registered, ...events).get(userId)
  const disabled: Happened = { type: 'UserDisabled', data: { userId } }
  const enabled: Happened = { type: 'UserEnabled', data: { userId } }
  t.match(after(disabled), { enabled: false, loginsAfter: toPosition(2), keptLoginId: null })
  t.match(after(disabled, enabled), { enabled: true, loginsAfter: toPosition(3) }, 'one that slipped in is over, too')
  const password = (logins: 'kept' | 'ended', keptLoginId: typeof loginId | null): Happened => ({
    type: 'UserPasswordChanged',
    data: { userId, passwordVersion: 9, logins, keptLoginId },
  })
  t.match(after(password('kept', null)), { passwordVersion: 9, loginsAfter: START, keptLoginId: null })
  t.match(after(password('ended', loginId)), { passwordVersion: 9, loginsAfter: toPosition(2), keptLoginId: loginId })
})

t.test('an account was last seen when it signed in or out, stayed a day longer, or started a film', async (t) => {
  const seen = (...events: readonly Happened[]) => fold(users, registered, ...events).get(userId)
  t.match(seen(signedIn), { lastSeenAt: iso(NOON + 1000), updatedAt: iso(NOON) })
  t.match(seen(signedIn, { type: 'LoginExtended', data: { loginId, userId, expiresAt: iso(NOON + 9) } }), { lastSeenAt: iso(NOON + 2000) })
  t.match(seen(signedIn, started), { lastSeenAt: iso(NOON + 2000) })
  t.match(seen(signedIn, started, beat), { lastSeenAt: iso(NOON + 2000) }, 'heartbeats write nothing here')
})

const signedIn: Happened = {
  type: 'SignedIn',
  data: { loginId, userId, tokenHash: 'ab'.repeat(32), expiresAt: iso(NOON + 7), rememberMe: false },
}

t.test('an access token is a login that its use does not extend', async (t) => {
  const name = 'sealed:ann:DDDD' as Sealed
  const data = { loginId, userId, tokenHash: 'ab'.repeat(32), expiresAt: iso(NOON + 7), scopes: ['read'], name } as const
  const issued: Happened = { type: 'AccessTokenIssued', data }
  t.match(fold(logins, issued).get(loginId), { userId, expiresAt: iso(NOON + 7), accessToken: { name, scopes: ['read'], usedAt: null } })
  const used: Happened = { type: 'AccessTokenUsed', data: { loginId, userId, usedAt: iso(NOON + 5) } }
  t.match(fold(logins, issued, used).get(loginId), { expiresAt: iso(NOON + 7), accessToken: { usedAt: iso(NOON + 5) } })
  t.equal(fold(logins, issued, { type: 'LoginRevoked', data: { loginId, userId } }).size, 0)
})

t.test('a login is there from sign-in to sign-out, and knows until when', async (t) => {
  t.match(fold(logins, signedIn).get(loginId), { id: loginId, userId, tokenHash: 'ab'.repeat(32), expiresAt: iso(NOON + 7) })
  const extended: Happened = { type: 'LoginExtended', data: { loginId, userId, expiresAt: iso(NOON + 9) } }
  t.match(fold(logins, signedIn, extended).get(loginId), { expiresAt: iso(NOON + 9), createdAt: iso(NOON), updatedAt: iso(NOON + 1000) })
  t.equal(fold(logins, signedIn, { type: 'SignedOut', data: { loginId, userId } }).size, 0)
  t.equal(fold(logins, signedIn, { type: 'LoginRevoked', data: { loginId, userId } }).size, 0)
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
