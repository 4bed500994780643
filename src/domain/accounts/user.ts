/** Account of a user: from registration to removal and erasure. */
import type { LibraryAccess, Role } from '../../events/account-events.ts'
import type { EventData } from '../../events/catalogue.ts'
import type { LibraryId, LoginId, UserId } from '../../vocabulary/id.ts'
import type { Sealed } from '../../events/sealed.ts'
import type { Decider, Decision } from '../decider.ts'
import { HIDDEN_IN_ADDRESSES } from './hidden-characters.ts'
import { LINKED_ALREADY, NO_SUCH_USER } from './refusals.ts'
import { evolveSecondFactor, type SecondFactorState } from './second-factor-state.ts'

export interface UserState {
  readonly registered: boolean
  /** Null before registration and after removal. */
  readonly account: AccountState | null
  /** The last address, which stays known after the account has ended: its claim may still have to be released. */
  readonly email: Sealed | null
  /** The linked account at the identity provider, which stays known as well. */
  readonly identity: Sealed | null
  readonly erased: boolean
}

export type AccountState = EventData['UserRegistered'] & {
  readonly enabled: boolean
  readonly secondFactor: SecondFactorState | null
  /** Until when an administrator allows that a verified address links the account (link-consent.ts); null: no consent is left. */
  readonly linkConsentUntil: string | null
}

export const user: Decider<UserState> = {
  initial: { registered: false, account: null, email: null, identity: null, erased: false },
  evolve: (state, event) => {
    switch (event.type) {
      case 'UserRegistered':
        return { ...state, registered: true, email: event.data.email, account: { ...event.data, ...NEW_ACCOUNT } }
      case 'UserProfileChanged':
      case 'UserRoleChanged':
      case 'UserAccessChanged':
      case 'UserStreamLimitChanged':
        return changed(state, event.data)
      case 'UserEmailChanged':
        // The consent was for the address that the administrator saw.
        return { ...changed(state, { ...event.data, linkConsentUntil: null }), email: event.data.email }
      case 'UserPasswordChanged':
        return changed(state, { passwordVersion: event.data.passwordVersion })
      case 'SecondFactorPrepared':
      case 'SecondFactorEnabled':
      case 'SecondFactorDisabled':
      case 'PasskeyAdded':
      case 'PasskeyRemoved':
      case 'RecoveryCodesReplaced':
      case 'RecoveryCodeUsed':
        return changed(state, { secondFactor: evolveSecondFactor(state.account?.secondFactor ?? null, event) })
      case 'IdentityLinked':
        return { ...changed(state, { linkConsentUntil: null }), identity: event.data.identity }
      case 'IdentityUnlinked':
        return { ...state, identity: null }
      case 'LinkConsentGiven':
        return changed(state, { linkConsentUntil: event.data.expiresAt })
      case 'LinkConsentWithdrawn':
        return changed(state, { linkConsentUntil: null })
      case 'UserDisabled':
      case 'UserEnabled':
        return changed(state, { enabled: event.type === 'UserEnabled' })
      case 'UserRemoved':
        return { ...state, account: null }
      case 'UserErased':
        return { ...state, account: null, erased: true }
      default:
        return state
    }
  },
}

const NEW_ACCOUNT = { enabled: true, secondFactor: null, linkConsentUntil: null }

const changed = (state: UserState, change: Partial<AccountState>): UserState =>
  state.account ? { ...state, account: { ...state.account, ...change } } : state

export const register =
  (account: EventData['UserRegistered']) =>
  (state: UserState): Decision =>
    state.registered ? [] : [{ type: 'UserRegistered', data: account }]

/** Films that an account with a limit may play at once. */
export const STREAMS_MAX = 1000

/** Wanted changes; absent members stay. The caller passes sealed texts only if the text differs. */
export interface AccountChange {
  readonly name?: Sealed
  readonly email?: Sealed
  readonly role?: Role
  readonly enabled?: boolean
  readonly libraryAccess?: LibraryAccess
  readonly libraryIds?: readonly LibraryId[]
  readonly maxConcurrentStreams?: number | null
}

/** One event for each changed member. */
export const changeAccount =
  (userId: UserId, change: AccountChange) =>
  ({ account }: UserState): Decision => {
    if (!account) return NO_SUCH_USER
    const { name, email, role = account.role, enabled = account.enabled, maxConcurrentStreams = account.maxConcurrentStreams } = change
    const { libraryAccess = account.libraryAccess, libraryIds = account.libraryIds } = change
    const sameAccess = libraryAccess === account.libraryAccess && sameIds(libraryIds, account.libraryIds)
    return [
      ...(name === undefined ? [] : [{ type: 'UserProfileChanged', data: { userId, name } } as const]),
      ...(email === undefined ? [] : [{ type: 'UserEmailChanged', data: { userId, email } } as const]),
      ...(role === account.role ? [] : [{ type: 'UserRoleChanged', data: { userId, role } } as const]),
      ...(sameAccess ? [] : [{ type: 'UserAccessChanged', data: { userId, libraryAccess, libraryIds } } as const]),
      ...(maxConcurrentStreams === account.maxConcurrentStreams
        ? []
        : [{ type: 'UserStreamLimitChanged', data: { userId, maxConcurrentStreams } } as const]),
      ...(enabled === account.enabled ? [] : [{ type: enabled ? 'UserEnabled' : 'UserDisabled', data: { userId } } as const]),
    ]
  }

const sameIds = (a: readonly string[], b: readonly string[]) => a.length === b.length && a.every((id) => b.includes(id))

/** Which logins end with the password: none, or all except one (null: all). */
export type EndingLogins = 'none' | { readonly except: LoginId | null }

/** `passwordVersion` names the hash, which is already in the vault. */
export const changePassword =
  (userId: UserId, passwordVersion: number, ending: EndingLogins) =>
  ({ account }: UserState): Decision => {
    if (!account) return NO_SUCH_USER
    const logins =
      ending === 'none' ? ({ logins: 'kept', keptLoginId: null } as const) : { logins: 'ended' as const, keptLoginId: ending.except }
    return [{ type: 'UserPasswordChanged', data: { userId, passwordVersion, ...logins } }]
  }

/** The caller passes another identity only if it differs. */
export const linkIdentity =
  (userId: UserId, identity: Sealed) =>
  ({ account }: UserState): Decision =>
    account ? [{ type: 'IdentityLinked', data: { userId, identity } }] : NO_SUCH_USER

/** Links an account that has no identity: of two sign-ins at once only one links it. */
export const linkFirstIdentity =
  (userId: UserId, identity: Sealed) =>
  ({ account, identity: before }: UserState): Decision => {
    if (!account) return NO_SUCH_USER
    return before === null ? [{ type: 'IdentityLinked', data: { userId, identity } }] : LINKED_ALREADY
  }

export const unlinkIdentity =
  (userId: UserId) =>
  ({ account, identity }: UserState): Decision => {
    if (!account) return NO_SUCH_USER
    return identity === null ? [] : [{ type: 'IdentityUnlinked', data: { userId } }]
  }

export const remove =
  (userId: UserId) =>
  ({ account }: UserState): Decision =>
    account ? [{ type: 'UserRemoved', data: { userId } }] : NO_SUCH_USER

/** Removes the account unless that was done before, and erases it. Nothing is left to decide for an erased account. */
export const erase =
  (userId: UserId) =>
  ({ registered, account, erased }: UserState): Decision => {
    if (!registered) return NO_SUCH_USER
    if (erased) return []
    return [...(account ? [{ type: 'UserRemoved', data: { userId } } as const] : []), { type: 'UserErased', data: { userId } }]
  }

export const PASSWORD_MIN = 8
export const PASSWORD_MAX = 128

/** Trimmed, in Unicode form NFKC and case-folded: different spellings of an address, such as with full-width letters, become equal. */
export const normalizeEmail = (email: string) => email.trim().normalize('NFKC').toLowerCase()

/** A normalized address: 3 to 254 characters, one `@`, neither white space nor hidden characters; no dot is required. */
export function isEmail(email: string): boolean {
  return email.length >= 3 && email.length <= 254 && EMAIL.test(email)
}

const EMAIL = new RegExp(`^[^@\\s${HIDDEN_IN_ADDRESSES}]+@[^@\\s${HIDDEN_IN_ADDRESSES}]+$`)
