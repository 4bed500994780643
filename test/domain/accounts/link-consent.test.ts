import t from 'tap'
import { giveLinkConsent, linkByConsent, withdrawLinkConsent } from '../../../src/domain/accounts/link-consent.ts'
import { user } from '../../../src/domain/accounts/user.ts'
import type { Sealed } from '../../../src/events/sealed.ts'
import { given } from '../../fixtures/given.ts'
import { named } from '../../fixtures/names.ts'

const userId = named<'user'>('ann')
const sealed = 'sealed:ann:AAAA' as Sealed
const account = {
  userId,
  email: sealed,
  name: sealed,
  role: 'user',
  libraryAccess: 'all',
  libraryIds: [],
  maxConcurrentStreams: null,
  passwordVersion: 1,
} as const
const registered = { type: 'UserRegistered', data: account } as const
const admin = { type: 'UserRoleChanged', data: { userId, role: 'admin' } } as const
const linked = { type: 'IdentityLinked', data: { userId, identity: sealed } } as const
const UNTIL = '2026-01-08T12:00:00.000Z'
const END_MS = Date.parse(UNTIL)
const consent = { type: 'LinkConsentGiven', data: { userId, expiresAt: UNTIL } } as const
const withdrawn = { type: 'LinkConsentWithdrawn', data: { userId } } as const
const link = (nowMs = END_MS - 1) => linkByConsent(userId, sealed, nowMs)

t.test('a consent is given to an account, again and again, but not to that of an administrator', async (t) => {
  t.strictSame(given(user, registered).when(giveLinkConsent(userId, UNTIL)), [consent])
  t.strictSame(given(user, registered, consent).when(giveLinkConsent(userId, UNTIL)), [consent], 'its time begins again')
  t.match(given(user, registered, admin).when(giveLinkConsent(userId, UNTIL)), { refusal: 'conflict' })
  t.match(given(user).when(giveLinkConsent(userId, UNTIL)), { refusal: 'not-found' })
})

t.test('what was never given is not withdrawn', async (t) => {
  t.strictSame(given(user, registered).when(withdrawLinkConsent(userId)), [])
  t.strictSame(given(user, registered, consent).when(withdrawLinkConsent(userId)), [withdrawn])
  t.match(given(user).when(withdrawLinkConsent(userId)), { refusal: 'not-found' })
})

t.test('a consent links once, before its time has ended', async (t) => {
  t.strictSame(given(user, registered, consent).when(link()), [linked])
  const email = { type: 'UserEmailChanged', data: { userId, email: sealed } } as const
  const refusing = [
    [registered],
    [registered, consent, linked],
    [registered, consent, withdrawn],
    [registered, consent, email],
    [registered, consent, admin],
  ]
  for (const events of refusing) t.match(given(user, ...events).when(link()), { refusal: 'forbidden' }, String(events.at(-1)?.type))
  t.match(given(user, registered, consent).when(link(END_MS)), { refusal: 'forbidden' }, 'too late')
  t.match(given(user).when(link()), { refusal: 'not-found' })
})
