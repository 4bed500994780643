import t from 'tap'
import {
  extend,
  isDue,
  issueAccessToken,
  login,
  LOGIN_LIFE_MS,
  refuseSignIn,
  revoke,
  signIn,
  signOut,
  useAccessToken,
} from '../../../src/domain/accounts/login.ts'
import { given, iso, NOON } from '../../fixtures/given.ts'
import type { Sealed } from '../../../src/events/sealed.ts'
import { named } from '../../fixtures/names.ts'

const DAY_MS = 86_400_000
const key = { loginId: named<'login'>('phone'), userId: named<'user'>('ann') }
const signedIn = {
  type: 'SignedIn',
  data: { ...key, tokenHash: 'ab'.repeat(32), rememberMe: true, expiresAt: iso(NOON + 7 * DAY_MS) },
} as const
const signedOut = { type: 'SignedOut', data: key } as const
const extendedAt = (ms: number) => ({ type: 'LoginExtended', data: { ...key, expiresAt: iso(ms + 7 * DAY_MS) } }) as const

t.test('a login lives for seven days', async (t) => {
  const { tokenHash, rememberMe } = signedIn.data
  t.strictSame(given(login).when(signIn({ ...key, tokenHash, rememberMe }, NOON)), [signedIn])
  t.equal(LOGIN_LIFE_MS, 7 * DAY_MS)
})

t.test('activity extends it from exactly 24 hours on, to seven days from then', async (t) => {
  const { when } = given(login, signedIn)
  t.strictSame(when(extend(NOON + DAY_MS - 1)), [])
  t.strictSame(when(extend(NOON + DAY_MS)), [extendedAt(NOON + DAY_MS)])
  t.strictSame(when(extend(NOON + 3 * DAY_MS)), [extendedAt(NOON + 3 * DAY_MS)])
})

t.test('it is extended once a day, not once a request', async (t) => {
  const { when } = given(login, signedIn, extendedAt(NOON + DAY_MS))
  t.strictSame(when(extend(NOON + DAY_MS)), [])
  t.strictSame(when(extend(NOON + 2 * DAY_MS - 1)), [])
  t.strictSame(when(extend(NOON + 2 * DAY_MS)), [extendedAt(NOON + 2 * DAY_MS)])
})

t.test('an expired login is not brought back', async (t) => {
  const end = NOON + 7 * DAY_MS
  t.strictSame(given(login, signedIn).when(extend(end - 1)), [extendedAt(end - 1)])
  t.strictSame(given(login, signedIn).when(extend(end)), [])
  t.notOk(isDue(end, end))
})

t.test('signing out ends it once, and nothing extends it afterwards', async (t) => {
  t.strictSame(given(login, signedIn).when(signOut), [signedOut])
  t.strictSame(given(login, signedIn, signedOut).when(signOut), [])
  t.strictSame(given(login, signedIn, signedOut).when(extend(NOON + DAY_MS)), [])
  t.strictSame(given(login).when(signOut), [])
})

t.test('a refused sign-in is written down and is no login', async (t) => {
  const data = { loginId: key.loginId, userId: null, emailHmac: 'cd'.repeat(32), reason: 'unknown' } as const
  const refused = { type: 'SignInRefused', data } as const
  t.strictSame(given(login).when(refuseSignIn(data)), [refused])
  t.strictSame(given(login, refused).when(signOut), [])
})

t.test('a revoked login is over as one that was signed out, once', async (t) => {
  const revoked = { type: 'LoginRevoked', data: key } as const
  t.strictSame(given(login, signedIn).when(revoke), [revoked])
  t.strictSame(given(login, signedIn, revoked).when(revoke), [])
  t.strictSame(given(login, signedIn, revoked).when(signOut), [])
  t.strictSame(given(login, signedIn, revoked).when(extend(NOON + DAY_MS)), [])
  t.strictSame(given(login, signedIn, signedOut).when(revoke), [])
})

const issued = {
  type: 'AccessTokenIssued',
  data: { ...key, tokenHash: 'ab'.repeat(32), expiresAt: iso(NOON + 90 * DAY_MS), scopes: ['read'], name: 'sealed:x' as Sealed },
} as const

t.test('an access token ends as a login does, and activity does not extend it', async (t) => {
  t.strictSame(given(login).when(issueAccessToken(issued.data)), [issued])
  t.strictSame(given(login, issued).when(revoke), [{ type: 'LoginRevoked', data: key }])
  t.strictSame(given(login, issued).when(signOut), [signedOut])
  for (const day of [1, 84, 89]) t.strictSame(given(login, issued).when(extend(NOON + day * DAY_MS)), [], `after ${day} days`)
})

t.test('the use of an access token is recorded once a day; a sign-in has no such record', async (t) => {
  const usedAt = (ms: number) => ({ type: 'AccessTokenUsed', data: { ...key, usedAt: iso(ms) } }) as const
  t.strictSame(given(login, issued).when(useAccessToken(NOON)), [usedAt(NOON)])
  t.strictSame(given(login, issued, usedAt(NOON)).when(useAccessToken(NOON + DAY_MS - 1)), [])
  t.strictSame(given(login, issued, usedAt(NOON)).when(useAccessToken(NOON + DAY_MS)), [usedAt(NOON + DAY_MS)])
  t.strictSame(given(login, signedIn).when(useAccessToken(NOON)), [])
  t.strictSame(given(login, issued, { type: 'LoginRevoked', data: key }).when(useAccessToken(NOON)), [])
})
