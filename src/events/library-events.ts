/** Events of libraries (`library-<id>`) and of their scans (`scan-<library>`). */
import type { LibraryId, ScanId, UserId } from '../vocabulary/id.ts'

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

/** Where a file system is mounted, and its device number: a different one without films means that the drive is not mounted. */
export interface MountPoint {
  readonly path: string
  readonly device: number
}

export interface RootDevice extends MountPoint {
  /** Below the root, if films are there: the first 1,000 by path. Missing if there are none, and in older logs. */
  readonly mountPoints?: readonly MountPoint[]
}

export type ScanMode = 'incremental' | 'full'
export type ScanTrigger = 'manual' | 'start' | 'schedule' | 'watcher'

/** `taken-over`: a scan requested by a person replaced one that the watcher or the schedule had started. */
export type ScanCancelReason = 'asked' | 'taken-over' | 'library-removed'

export type ScanPhase = 'walking' | 'probing' | 'matching' | 'settling'

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

export interface LibraryEvents {
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
  /** Files below it are missing from then on; nothing about them is forgotten. */
  LibraryRootRemoved: { readonly libraryId: LibraryId; readonly path: string }
  LibrarySettingsChanged: { readonly libraryId: LibraryId; readonly language: string; readonly settings: LibrarySettings }
  /** All files of an existing folder disappeared at once. */
  LibraryMassMissing: { readonly libraryId: LibraryId; readonly scanId: ScanId; readonly root: string; readonly files: number }
  /** Hidden from everyone; files, movies and history stay. */
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
  /** `devices`: where each root was mounted; roots left out were not scanned. */
  ScanCompleted: ScanEnd & { readonly devices?: readonly RootDevice[] }
  ScanFailed: ScanEnd & { readonly reason: 'root_unavailable' | 'io_error' | 'internal' }
  ScanInterrupted: { readonly scanId: ScanId; readonly libraryId: LibraryId }
  ScanCancelled: { readonly scanId: ScanId; readonly libraryId: LibraryId; readonly reason: ScanCancelReason }
}

interface ScanEnd {
  readonly scanId: ScanId
  readonly libraryId: LibraryId
  readonly counts: ScanCounts
  /** The first 1,000. */
  readonly errors: readonly ScanError[]
}
