/**
 * Every event type with its data: past tense, one meaning each. A type named here is permanent; its shape changes only by a new version and
 * an upcaster. `Sealed` fields are personal: encrypted with their subject's key before anything is hashed.
 */
import type { AccessEvents } from './access-events.ts'
import type { AccountEvents } from './account-events.ts'
import type { HistoryEvents } from './history-events.ts'
import type { InstallationEvents } from './installation-events.ts'
import type { LibraryEvents } from './library-events.ts'
import type { MovieEvents } from './movie-events.ts'
import type { PlaybackEvents } from './playback-events.ts'
import type { TranscodeEvents } from './transcode-events.ts'
import type { WebhookEvents } from './webhook-events.ts'

export interface EventData
  extends
    AccessEvents,
    AccountEvents,
    HistoryEvents,
    InstallationEvents,
    LibraryEvents,
    MovieEvents,
    PlaybackEvents,
    TranscodeEvents,
    WebhookEvents {}

export type EventType = keyof EventData

/** One event of the given types: a union discriminated by `type`. */
export type EventOf<Type extends EventType> = { [T in Type]: { readonly type: T; readonly data: EventData[T] } }[Type]
export type DomainEvent = EventOf<EventType>

/** Version written today; `upcasters.ts` lifts older ones. */
export const VERSIONS: Readonly<Record<EventType, number>> = {
  LibraryCreated: 1,
  LibraryWentOffline: 1,
  LibraryCameOnline: 1,
  LibraryRenamed: 1,
  LibraryRootAdded: 1,
  LibraryRootRemoved: 1,
  LibrarySettingsChanged: 1,
  LibraryMassMissing: 1,
  LibraryRemoved: 1,
  LibraryRestored: 1,
  ScanRequested: 1,
  ScanStarted: 1,
  ScanProgressed: 1,
  ScanCompleted: 1,
  ScanFailed: 1,
  ScanInterrupted: 1,
  ScanCancelled: 1,
  MovieDiscovered: 1,
  MovieIdentified: 1,
  MovieFileAdded: 1,
  MovieProbed: 1,
  MovieArtworkChosen: 1,
  MovieFileMoved: 1,
  MovieFileReplaced: 1,
  MovieFileMissing: 1,
  MovieFileReturned: 1,
  MovieEdited: 1,
  MovieMatchPinned: 1,
  TrickplayMade: 1,
  MovieImagesTinted: 1,
  MovieMatchedOnline: 1,
  MovieUnmatchedOnline: 1,
  MovieMarkedWatched: 1,
  MovieMarkedUnwatched: 1,
  MovieCompleted: 1,
  ResumePointSet: 1,
  ResumePointDismissed: 1,
  MovieWatchlisted: 1,
  MovieUnwatchlisted: 1,
  PlaybackStarted: 1,
  PlaybackAdopted: 1,
  PlaybackHeartbeat: 1,
  PlaybackSeeked: 1,
  PlaybackEncoderChanged: 1,
  PlaybackCommandIssued: 2,
  PlaybackEnded: 1,
  PlaybackExpired: 1,
  TranscodeRequested: 1,
  TranscodeAssigned: 1,
  TranscodeReassigned: 1,
  TranscodeFailed: 1,
  TranscodeStopped: 1,
  UserRegistered: 1,
  UserProfileChanged: 1,
  UserPreferencesChanged: 1,
  UserEmailChanged: 1,
  UserRoleChanged: 1,
  UserAccessChanged: 1,
  UserStreamLimitChanged: 1,
  UserPasswordChanged: 1,
  SecondFactorPrepared: 1,
  SecondFactorEnabled: 1,
  SecondFactorDisabled: 1,
  RecoveryCodesReplaced: 1,
  RecoveryCodeUsed: 1,
  PasskeyAdded: 1,
  PasskeyRemoved: 1,
  IdentityLinked: 1,
  IdentityUnlinked: 1,
  LinkConsentGiven: 1,
  LinkConsentWithdrawn: 1,
  UserDisabled: 1,
  UserEnabled: 1,
  UserRemoved: 1,
  UserErased: 1,
  KeyShredded: 1,
  SignedIn: 1,
  SignInRefused: 1,
  AccessTokenIssued: 1,
  AccessTokenUsed: 1,
  LoginExtended: 1,
  SignedOut: 1,
  LoginRevoked: 1,
  LoginsExpired: 1,
  NameClaimed: 1,
  NameReleased: 1,
  AccessDenied: 1,
  HistoryViewed: 1,
  HistoryHidden: 1,
  WatchImported: 1,
  WatchImportUndone: 1,
  HistoryImportStarted: 1,
  ImportItemsKept: 1,
  ImportItemsDropped: 1,
  HistoryImportUndone: 1,
  VaultAdopted: 1,
  SigningSecretAdopted: 1,
  CheckpointKeyRotated: 1,
  RebuildRequested: 1,
  LogSealed: 1,
  WebhookAdded: 1,
  WebhookChanged: 1,
  WebhookDisabled: 1,
  WebhookRetryRequested: 1,
  WebhookRemoved: 1,
}

export const isEventType = (type: string): type is EventType => Object.hasOwn(VERSIONS, type)
