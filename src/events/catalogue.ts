/**
 * Every event type with its data: past tense, one meaning each. A type named here is for ever; its shape changes only by a new
 * version and an upcaster. `Sealed` fields are personal: encrypted with their subject's key before anything is hashed.
 */
import type { FileId, ImageId, LibraryId, LoginId, MovieId, ScanId, SessionId, UserId } from './id.ts'
import type { FileStamp, MediaDescription, SubtitleTrack } from './media-description.ts'
import type { Sealed } from './sealed.ts'

export type Role = 'admin' | 'user'
export type LibraryAccess = 'all' | 'selected'
export type ScanMode = 'incremental' | 'full'
export type ScanTrigger = 'manual' | 'start' | 'schedule' | 'watcher'
/** `taken-over`: a scan that a person asked for came after one that the watcher or the schedule had started. */
export type ScanCancelReason = 'asked' | 'taken-over' | 'library-removed'
export type ScanPhase = 'walking' | 'probing' | 'matching' | 'settling'
export type PlayState = 'playing' | 'paused' | 'buffering'
export type EndReason = 'client' | 'admin' | 'signed_out' | 'access_revoked' | 'library_deleted' | 'user_disabled'
export type PlayMethod = 'direct' | 'remux' | 'transcode'

export interface LibrarySettings {
  readonly watchFiles: boolean
  readonly scanIntervalMinutes: number
  readonly trickplay: boolean
  readonly publicImages: boolean
}

export interface UnavailableRoot {
  readonly path: string
  readonly reason: string
}

/** The device number of a root's file system: another one with nothing on it means that the drive is not mounted. */
export interface RootDevice {
  readonly path: string
  readonly device: number
}

export interface ScanCounts {
  readonly seen: number
  readonly added: number
  readonly updated: number
  readonly moved: number
  readonly missing: number
  readonly restored: number
  readonly unchanged: number
  readonly ignored: number
  readonly errors: number
}

export interface ScanError {
  /** Path below the library's root. */
  readonly file: string
  readonly message: string
}

export interface CastMember {
  readonly name: string
  readonly character: string | null
}

export interface CrewMember {
  readonly name: string
  readonly job: string
  readonly department: string
}

/** What a source (the file's name, an `.nfo`) says about a film. */
export interface MovieFacts {
  readonly title: string
  readonly originalTitle: string | null
  readonly sortTitle: string | null
  readonly year: number | null
  /** `YYYY-MM-DD`. */
  readonly releaseDate: string | null
  readonly overview: string | null
  readonly tagline: string | null
  readonly contentRating: string | null
  /** 0 to 10. */
  readonly rating: number | null
  readonly genres: readonly string[]
  readonly tags: readonly string[]
  readonly countries: readonly string[]
  readonly studios: readonly string[]
  readonly languages: readonly string[]
  readonly collection: string | null
  readonly externalIds: { readonly tmdb: string | null; readonly imdb: string | null }
  readonly cast: readonly CastMember[]
  readonly crew: readonly CrewMember[]
}

/** What an administrator may say about a film in place of what scans find. */
export type EditableFacts = Omit<MovieFacts, 'externalIds' | 'cast' | 'crew'>

export type ArtworkKind = 'poster' | 'backdrop' | 'logo'
export interface Artwork {
  readonly imageId: ImageId
  readonly path: string
}

/** `admin`: a seat among the admins; all seats are in one stream, so that it can tell the last one (src/domain/admin-seats.ts). */
export type NameKind = 'email' | 'first-admin' | 'admin'

interface Playback {
  readonly sessionId: SessionId
  readonly userId: UserId
  readonly movieId: MovieId
}

export interface EventData {
  // library-<id>
  LibraryCreated: {
    readonly libraryId: LibraryId
    readonly name: string
    readonly kind: 'movies'
    readonly language: string
    readonly roots: readonly string[]
    readonly settings: LibrarySettings
  }
  LibraryWentOffline: { readonly libraryId: LibraryId; readonly roots: readonly UnavailableRoot[] }
  LibraryCameOnline: { readonly libraryId: LibraryId }
  LibraryRenamed: { readonly libraryId: LibraryId; readonly name: string }
  LibraryRootAdded: { readonly libraryId: LibraryId; readonly path: string }
  /** What lay below it is missing from then on; nothing of it is forgotten. */
  LibraryRootRemoved: { readonly libraryId: LibraryId; readonly path: string }
  LibrarySettingsChanged: { readonly libraryId: LibraryId; readonly language: string; readonly settings: LibrarySettings }
  /** All files of a folder that is there were gone at once. */
  LibraryMassMissing: { readonly libraryId: LibraryId; readonly scanId: ScanId; readonly root: string; readonly files: number }
  /** Nobody sees it any more; files, movies and history stay. */
  LibraryRemoved: { readonly libraryId: LibraryId }
  LibraryRestored: { readonly libraryId: LibraryId }

  // scan-<library>
  ScanRequested: {
    readonly scanId: ScanId
    readonly libraryId: LibraryId
    readonly mode: ScanMode
    readonly trigger: ScanTrigger
    readonly startedBy: UserId | null
    /** Absolute folders below a root, or null for the whole library. */
    readonly paths: readonly string[] | null
  }
  ScanStarted: { readonly scanId: ScanId; readonly libraryId: LibraryId; readonly node: string }
  ScanProgressed: {
    readonly scanId: ScanId
    readonly libraryId: LibraryId
    readonly phase: ScanPhase
    readonly done: number
    readonly total: number
    readonly current: string | null
    readonly counts: ScanCounts
  }
  /** `devices`: where each root was mounted; roots that are left out were not looked at. */
  ScanCompleted: ScanEnd & { readonly devices?: readonly RootDevice[] }
  ScanFailed: ScanEnd & { readonly reason: 'root_unavailable' | 'io_error' | 'internal' }
  ScanInterrupted: { readonly scanId: ScanId; readonly libraryId: LibraryId }
  ScanCancelled: { readonly scanId: ScanId; readonly libraryId: LibraryId; readonly reason: ScanCancelReason }

  // movie-<id>
  MovieDiscovered: { readonly movieId: MovieId; readonly libraryId: LibraryId }
  MovieIdentified: {
    readonly movieId: MovieId
    readonly source: 'name' | 'nfo'
    /** 0 to 1. */
    readonly confidence: number
    readonly facts: MovieFacts
  }
  MovieFileAdded: { readonly movieId: MovieId; readonly libraryId: LibraryId; readonly fileId: FileId } & FileLocation
  MovieProbed: {
    readonly movieId: MovieId
    readonly fileId: FileId
    readonly media: MediaDescription
    readonly sidecars: readonly SubtitleTrack[]
    /** Digest of names, sizes and times of what lies beside the film: changes whenever that does. */
    readonly companions: string
  }
  MovieArtworkChosen: { readonly movieId: MovieId; readonly artwork: Readonly<Record<ArtworkKind, Artwork | null>> }
  /** The same content under another path. */
  MovieFileMoved: { readonly movieId: MovieId; readonly fileId: FileId } & FileLocation
  /** Other content under the same path. */
  MovieFileReplaced: { readonly movieId: MovieId; readonly fileId: FileId } & FileLocation
  MovieFileMissing: { readonly movieId: MovieId; readonly fileId: FileId }
  MovieFileReturned: { readonly movieId: MovieId; readonly fileId: FileId }
  /** From then on these members are what was said here, whatever scans find. */
  MovieEdited: { readonly movieId: MovieId; readonly changes: Partial<EditableFacts> }
  /** Which film it is: by an id of a provider, or by title and year. Null: not said. Scans never overwrite it. */
  MovieMatchPinned: {
    readonly movieId: MovieId
    readonly tmdb: string | null
    readonly imdb: string | null
    readonly title: string | null
    readonly year: number | null
  }

  // watched-<user>_<movie>
  MovieMarkedWatched: { readonly userId: UserId; readonly movieId: MovieId; readonly watchedAt: string }
  MovieMarkedUnwatched: { readonly userId: UserId; readonly movieId: MovieId }
  MovieCompleted: { readonly userId: UserId; readonly movieId: MovieId; readonly sessionId: SessionId; readonly completedAt: string }
  /** A resume point set by hand. */
  ResumePointSet: {
    readonly userId: UserId
    readonly movieId: MovieId
    readonly fileId: FileId
    readonly positionMs: number
    readonly durationMs: number
  }
  /** Off the list of what to go on with; `cleared`: the point itself is gone too. */
  ResumePointDismissed: { readonly userId: UserId; readonly movieId: MovieId; readonly cleared?: boolean }
  MovieWatchlisted: { readonly userId: UserId; readonly movieId: MovieId }
  MovieUnwatchlisted: { readonly userId: UserId; readonly movieId: MovieId }

  // playback-<session>
  PlaybackStarted: Playback & {
    readonly loginId: LoginId
    readonly libraryId: LibraryId
    readonly fileId: FileId
    readonly positionMs: number
    readonly durationMs: number
    readonly client: Sealed | null
    readonly method: PlayMethod
    readonly reasons: readonly string[]
    readonly idleSeconds: number
  }
  PlaybackAdopted: { readonly sessionId: SessionId; readonly node: string; readonly token: number }
  PlaybackHeartbeat: Playback & {
    readonly fileId: FileId
    readonly positionMs: number
    readonly durationMs: number
    readonly playState: PlayState
    readonly rate: number
    readonly sequence: number | null
  }
  PlaybackSeeked: Playback & { readonly fileId: FileId; readonly fromMs: number; readonly positionMs: number; readonly durationMs: number }
  PlaybackEnded: Playback & {
    readonly fileId: FileId
    readonly reason: EndReason
    readonly positionMs: number
    readonly durationMs: number
    /** Whether the player told a position in this session. */
    readonly told: boolean
  }
  /** `expiredAt`: the last heartbeat plus the idle time, whenever it was noticed. */
  PlaybackExpired: Playback & { readonly expiredAt: string; readonly positionMs: number }

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
  UserEmailChanged: { readonly userId: UserId; readonly email: Sealed }
  UserRoleChanged: { readonly userId: UserId; readonly role: Role }
  UserAccessChanged: { readonly userId: UserId; readonly libraryAccess: LibraryAccess; readonly libraryIds: readonly LibraryId[] }
  UserStreamLimitChanged: { readonly userId: UserId; readonly maxConcurrentStreams: number | null }
  /** `logins`: those that end by it, in the same step: none, all, or all but `keptLoginId`. The hash is in the vault. */
  UserPasswordChanged: {
    readonly userId: UserId
    readonly passwordVersion: number
    readonly logins: 'kept' | 'ended'
    readonly keptLoginId: LoginId | null
  }
  /** Ends every login of the user for good; so does UserEnabled with one that slipped in meanwhile. */
  UserDisabled: { readonly userId: UserId }
  UserEnabled: { readonly userId: UserId }
  UserRemoved: { readonly userId: UserId }
  /** The key of the user's personal fields is destroyed with it, or soon after. */
  UserErased: { readonly userId: UserId }

  // login-<id>
  SignedIn: {
    readonly loginId: LoginId
    readonly userId: UserId
    /** SHA-256 of the token, hex; shown by no API. */
    readonly tokenHash: string
    readonly expiresAt: string
    readonly rememberMe: boolean
  }
  /** `emailHmac` names an address without telling it (architecture, section 3). */
  SignInRefused: {
    readonly loginId: LoginId
    readonly userId: UserId | null
    readonly emailHmac: string
    readonly reason: 'unknown' | 'password'
  }
  LoginExtended: { readonly loginId: LoginId; readonly userId: UserId; readonly expiresAt: string }
  SignedOut: { readonly loginId: LoginId; readonly userId: UserId }
  /** Ended from elsewhere: by another login of the user, or by an admin. */
  LoginRevoked: { readonly loginId: LoginId; readonly userId: UserId }

  // claim-<hmac>
  NameClaimed: { readonly kind: NameKind; readonly userId: UserId }
  NameReleased: { readonly kind: NameKind; readonly userId: UserId }
}

interface FileLocation {
  readonly path: string
  /** The root of the library that it lies below. */
  readonly root: string
  readonly stamp: FileStamp
  /** SHA-256 of size, head and tail of the file, hex: the same film after a move. */
  readonly fingerprint: string
}

interface ScanEnd {
  readonly scanId: ScanId
  readonly libraryId: LibraryId
  readonly counts: ScanCounts
  /** The first 1,000. */
  readonly errors: readonly ScanError[]
}

export type EventType = keyof EventData

/** One event of the given types: a union discriminated by `type`. */
export type EventOf<Type extends EventType> = { [T in Type]: { readonly type: T; readonly data: EventData[T] } }[Type]
export type DomainEvent = EventOf<EventType>

/** Version that is written today; older ones are lifted by `upcasters.ts`. */
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
  PlaybackEnded: 1,
  PlaybackExpired: 1,
  UserRegistered: 1,
  UserProfileChanged: 1,
  UserEmailChanged: 1,
  UserRoleChanged: 1,
  UserAccessChanged: 1,
  UserStreamLimitChanged: 1,
  UserPasswordChanged: 1,
  UserDisabled: 1,
  UserEnabled: 1,
  UserRemoved: 1,
  UserErased: 1,
  SignedIn: 1,
  SignInRefused: 1,
  LoginExtended: 1,
  SignedOut: 1,
  LoginRevoked: 1,
  NameClaimed: 1,
  NameReleased: 1,
}
