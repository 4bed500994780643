/**
 * Events of accounts (`user-<id>`), their logins (`login-<id>`), their erasures (`erasure-<id>`) and the names they have claimed
 * (`claim-<hmac>`).
 */
import type { LibraryId, LoginId, UserId } from '../vocabulary/id.ts'
import type { Sealed } from './sealed.ts'

export type Role = 'admin' | 'user'
export type LibraryAccess = 'all' | 'selected'

/** What an access token may be used for; each scope includes `read`. */
export type AccessScope = 'read' | 'playback' | 'write' | 'admin'

/**
 * `admin`: an admin seat; all seats are in one stream, which therefore knows the last one (src/domain/accounts/admin-seats.ts).
 * `identity`: an account at the identity provider.
 */
export type NameKind = 'email' | 'identity' | 'first-admin' | 'admin'

export interface AccountEvents {
  // user-<id>
  UserRegistered: {
    readonly userId: UserId
    readonly email: Sealed
    readonly name: Sealed
    readonly role: Role
    readonly libraryAccess: LibraryAccess
    readonly libraryIds: readonly LibraryId[]
    readonly maxConcurrentStreams: number | null
    readonly passwordVersion: number
  }
  UserProfileChanged: { readonly userId: UserId; readonly name: Sealed }
  /** All of them, as JSON. */
  UserPreferencesChanged: { readonly userId: UserId; readonly preferences: Sealed }
  UserEmailChanged: { readonly userId: UserId; readonly email: Sealed }
  UserRoleChanged: { readonly userId: UserId; readonly role: Role }
  UserAccessChanged: { readonly userId: UserId; readonly libraryAccess: LibraryAccess; readonly libraryIds: readonly LibraryId[] }
  UserStreamLimitChanged: { readonly userId: UserId; readonly maxConcurrentStreams: number | null }
  /** `logins`: the logins ended in the same step: none, all, or all except `keptLoginId`. The hash is in the vault. */
  UserPasswordChanged: {
    readonly userId: UserId
    readonly passwordVersion: number
    readonly logins: 'kept' | 'ended'
    readonly keptLoginId: LoginId | null
  }
  /** A second factor that is not asked for yet. `secret`: of TOTP, in base32. `recoveryCodes`: SHA-256 of each, hex; shown by no API. */
  SecondFactorPrepared: { readonly userId: UserId; readonly secret: Sealed; readonly recoveryCodes: readonly string[] }
  /** From now on signing in needs a code. */
  SecondFactorEnabled: { readonly userId: UserId }
  SecondFactorDisabled: { readonly userId: UserId }
  RecoveryCodesReplaced: { readonly userId: UserId; readonly recoveryCodes: readonly string[] }
  RecoveryCodeUsed: { readonly userId: UserId; readonly recoveryCode: string }
  /** `passkeyId`: from the digest of the credential's id. `credential`: its id and public key, as JSON. */
  PasskeyAdded: { readonly userId: UserId; readonly passkeyId: string; readonly name: Sealed; readonly credential: Sealed }
  PasskeyRemoved: { readonly userId: UserId; readonly passkeyId: string }
  /** `identity`: issuer and subject of the account at the identity provider, separated by a space. */
  IdentityLinked: { readonly userId: UserId; readonly identity: Sealed }
  IdentityUnlinked: { readonly userId: UserId }
  /** Until then a sign-in at the identity provider with the account's address, verified there, links the account without its password. */
  LinkConsentGiven: { readonly userId: UserId; readonly expiresAt: string }
  LinkConsentWithdrawn: { readonly userId: UserId }
  /** Ends every login of the user permanently; so does UserEnabled for one that slipped in meanwhile. */
  UserDisabled: { readonly userId: UserId }
  UserEnabled: { readonly userId: UserId }
  UserRemoved: { readonly userId: UserId }
  /** The key of the user's personal fields is destroyed with it, or soon after. */
  UserErased: { readonly userId: UserId }

  // erasure-<id>
  /** The key that sealed the user's personal fields is destroyed in the vault. `keyId`: its name there. */
  KeyShredded: { readonly userId: UserId; readonly keyId: string }

  // login-<id>
  SignedIn: {
    readonly loginId: LoginId
    readonly userId: UserId
    /** SHA-256 of the token, hex; shown by no API. */
    readonly tokenHash: string
    readonly expiresAt: string
    readonly rememberMe: boolean
  }
  /**
   * `emailHmac` identifies an address without revealing it; null: a signed-in user gave a wrong password, or the event covers several.
   * `current-password`: at a confirmation with the password. `second-factor`: a wrong code after the right password. `locked`: after too many failures. `times`: how often since the last such
   * event, if events were throttled; missing in events of the first releases: once.
   */
  SignInRefused: {
    readonly loginId: LoginId
    readonly userId: UserId | null
    readonly emailHmac: string | null
    readonly reason: 'unknown' | 'password' | 'current-password' | 'second-factor' | 'disabled' | 'locked' | 'several'
    readonly times?: number
  }
  /** A login for a program of the user. Activity does not extend it. */
  AccessTokenIssued: {
    readonly loginId: LoginId
    readonly userId: UserId
    /** As in SignedIn. */
    readonly tokenHash: string
    readonly expiresAt: string
    readonly scopes: readonly AccessScope[]
    /** The user's name for it. */
    readonly name: Sealed
  }
  /** At most once a day. */
  AccessTokenUsed: { readonly loginId: LoginId; readonly userId: UserId; readonly usedAt: string }
  LoginExtended: { readonly loginId: LoginId; readonly userId: UserId; readonly expiresAt: string }
  SignedOut: { readonly loginId: LoginId; readonly userId: UserId }
  /** Ended by another login of the user, or by an admin. */
  LoginRevoked: { readonly loginId: LoginId; readonly userId: UserId }

  // system-logins
  /** Logins that expired some time ago; views need to keep nothing about them any more. */
  LoginsExpired: { readonly loginIds: readonly LoginId[] }

  // claim-<hmac>
  NameClaimed: { readonly kind: NameKind; readonly userId: UserId }
  NameReleased: { readonly kind: NameKind; readonly userId: UserId }
}
