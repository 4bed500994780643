/**
 * An administrator's consent that one account is linked with an account at the identity provider by its verified e-mail address, without
 * its password. It ends by the link, by a change of the address, by withdrawal, or with its time.
 */
import type { Sealed } from '../../events/sealed.ts'
import type { UserId } from '../../vocabulary/id.ts'
import type { Decision } from '../decider.ts'
import { refuse } from '../refusal.ts'
import { NO_SUCH_USER } from './refusals.ts'
import type { AccountState, UserState } from './user.ts'

const ADMINISTRATOR = refuse('conflict', 'An administrator links the account with the password')
export const NO_LINK_CONSENT = refuse('forbidden', 'No administrator has consented to this link')

/** A repeat begins the time again. Refused for administrators: who controls their address at the provider would control this server. */
export const giveLinkConsent =
  (userId: UserId, expiresAt: string) =>
  ({ account }: UserState): Decision => {
    if (!account) return NO_SUCH_USER
    return account.role === 'admin' ? ADMINISTRATOR : [{ type: 'LinkConsentGiven', data: { userId, expiresAt } }]
  }

export const withdrawLinkConsent =
  (userId: UserId) =>
  ({ account }: UserState): Decision => {
    if (!account) return NO_SUCH_USER
    return account.linkConsentUntil === null ? [] : [{ type: 'LinkConsentWithdrawn', data: { userId } }]
  }

/** Whether a verified address is enough now. Not for somebody who has become an administrator since. */
export const hasLinkConsent = ({ role, linkConsentUntil }: AccountState, nowMs: number): boolean =>
  role !== 'admin' && linkConsentUntil !== null && Date.parse(linkConsentUntil) > nowMs

/** Links the account if the consent still holds when the event is stored: of two sign-ins at once only one uses it. */
export const linkByConsent =
  (userId: UserId, identity: Sealed, nowMs: number) =>
  ({ account }: UserState): Decision => {
    if (!account) return NO_SUCH_USER
    return hasLinkConsent(account, nowMs) ? [{ type: 'IdentityLinked', data: { userId, identity } }] : NO_LINK_CONSENT
  }
