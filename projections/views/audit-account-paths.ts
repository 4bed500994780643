/** Maps events of accounts, logins, refusals and the installation to audit paths. */
import type { AccessEvents } from '../../src/events/access-events.ts'
import type { AccountEvents } from '../../src/events/account-events.ts'
import type { InstallationEvents } from '../../src/events/installation-events.ts'
import type { JsonObject } from '../../src/events/envelope.ts'
import { members, nothing, type PathsOf } from './audit-paths.ts'

type Type = keyof AccountEvents | keyof AccessEvents | keyof InstallationEvents

const CONSENT = 'singleSignOnConsent'
const consentEnded = (before: JsonObject): JsonObject => ((before[CONSENT] ?? null) === null ? {} : { [CONSENT]: null })

const ended = () => ({ state: 'ended' })

export const ACCOUNT_PATHS: { readonly [T in Type]: PathsOf<T> } = {
  UserRegistered: (data) => ({
    ...members('email', 'name', 'role', 'libraryAccess', 'libraryIds', 'maxConcurrentStreams', 'passwordVersion')(data),
    enabled: true,
  }),
  UserProfileChanged: members('name'),
  // Preferences are private: the audit shows only that they changed.
  UserPreferencesChanged: nothing,
  UserEmailChanged: (data, before) => ({ ...members('email')(data), ...consentEnded(before) }),
  UserRoleChanged: members('role'),
  UserAccessChanged: members('libraryAccess', 'libraryIds'),
  UserStreamLimitChanged: members('maxConcurrentStreams'),
  UserPasswordChanged: members('passwordVersion'),
  SecondFactorPrepared: nothing,
  SecondFactorEnabled: () => ({ secondFactor: true }),
  SecondFactorDisabled: () => ({ secondFactor: false }),
  RecoveryCodesReplaced: ({ recoveryCodes }) => ({ recoveryCodes: recoveryCodes.length }),
  RecoveryCodeUsed: nothing,
  PasskeyAdded: nothing,
  PasskeyRemoved: nothing,
  IdentityLinked: (_, before) => ({ singleSignOn: true, ...consentEnded(before) }),
  IdentityUnlinked: () => ({ singleSignOn: false }),
  LinkConsentGiven: ({ expiresAt }) => ({ [CONSENT]: expiresAt }),
  LinkConsentWithdrawn: () => ({ [CONSENT]: null }),
  UserDisabled: () => ({ enabled: false }),
  UserEnabled: () => ({ enabled: true }),
  UserRemoved: () => ({ removed: true }),
  UserErased: () => ({ erased: true, email: null, name: null }),
  KeyShredded: () => ({ keyShredded: true }),
  SignedIn: (data) => ({ state: 'active', ...members('expiresAt', 'rememberMe')(data) }),
  SignInRefused: ({ reason, times = 1 }) => ({ state: 'refused', reason, times }),
  AccessTokenIssued: (data) => ({ state: 'active', ...members('name', 'scopes', 'expiresAt')(data) }),
  AccessTokenUsed: members('usedAt'),
  LoginExtended: members('expiresAt'),
  SignedOut: ended,
  LoginRevoked: ({ userId }) => ({ ...ended(), userId }),
  LoginsExpired: ({ loginIds }) => ({ expiredLogins: loginIds.length }),
  NameClaimed: ({ kind }) => ({ [`claims.${kind}`]: true }),
  NameReleased: ({ kind }) => ({ [`claims.${kind}`]: false }),
  AccessDenied: members('operation', 'times'),
  HistoryViewed: members('operation', 'times'),
  HistoryHidden: ({ viewingId }) => ({ [`history.${viewingId}.hidden`]: true }),
  VaultAdopted: nothing,
  SigningSecretAdopted: nothing,
  CheckpointKeyRotated: members('verifier'),
  RebuildRequested: ({ projection }) => ({ rebuilt: projection }),
  LogSealed: members('size'),
}
