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

export type ArtworkKind = 'poster' | 'backdrop' | 'logo'
export interface Artwork {
  readonly imageId: ImageId
  readonly path: string
}

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
  ScanCompleted: ScanEnd
  ScanFailed: ScanEnd & { readonly reason: 'root_unavailable' | 'io_error' | 'internal' }
  ScanInterrupted: { readonly scanId: ScanId; readonly libraryId: LibraryId }

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

  // watched-<user>_<movie>
  MovieMarkedWatched: { readonly userId: UserId; readonly movieId: MovieId; readonly watchedAt: string }
  MovieMarkedUnwatched: { readonly userId: UserId; readonly movieId: MovieId }
  MovieCompleted: { readonly userId: UserId; readonly movieId: MovieId; readonly sessionId: SessionId; readonly completedAt: string }
  ResumePointDismissed: { readonly userId: UserId; readonly movieId: MovieId }

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

  // claim-<hmac>
  NameClaimed: { readonly kind: 'email' | 'first-admin'; readonly userId: UserId }
  NameReleased: { readonly kind: 'email' | 'first-admin'; readonly userId: UserId }
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
  ScanRequested: 1,
  ScanStarted: 1,
  ScanProgressed: 1,
  ScanCompleted: 1,
  ScanFailed: 1,
  ScanInterrupted: 1,
  MovieDiscovered: 1,
  MovieIdentified: 1,
  MovieFileAdded: 1,
  MovieProbed: 1,
  MovieArtworkChosen: 1,
  MovieFileMoved: 1,
  MovieFileReplaced: 1,
  MovieFileMissing: 1,
  MovieFileReturned: 1,
  MovieMarkedWatched: 1,
  MovieMarkedUnwatched: 1,
  MovieCompleted: 1,
  ResumePointDismissed: 1,
  PlaybackStarted: 1,
  PlaybackAdopted: 1,
  PlaybackHeartbeat: 1,
  PlaybackSeeked: 1,
  PlaybackEnded: 1,
  PlaybackExpired: 1,
  UserRegistered: 1,
  SignedIn: 1,
  SignInRefused: 1,
  LoginExtended: 1,
  SignedOut: 1,
  NameClaimed: 1,
  NameReleased: 1,
}
