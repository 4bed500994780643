/**
 * Events of watch history imported from other programs: for one movie (`watched-<user>_<movie>`), and for the import that brought it
 * (`import-<import>`).
 */
import type { FileId, ImportId, LibraryId, MovieId, UserId, ViewingId } from '../vocabulary/id.ts'

export interface HistoryEvents {
  // watched-<user>_<movie>
  WatchImported: {
    readonly userId: UserId
    readonly movieId: MovieId
    readonly libraryId: LibraryId
    /** The movie's title here. */
    readonly title: string
    readonly year: number | null
    readonly importId: ImportId
    readonly source: string
    /** Derived from user, source, film and time: the same item gives the same id. */
    readonly viewingId: ViewingId
    readonly watchedAt: string
    /** Number of viewings it adds; 0 if it was stopped before its end. */
    readonly plays: number
    readonly watchedMs: number
    /** Resume position; null: it was watched to its end. */
    readonly left: ImportedPosition | null
    readonly outcome: ImportOutcome
    /** The movie stays as it was: watched at the same time, or not watched. */
    readonly sameMark?: true
    /** The item had waited for the movie to appear. */
    readonly waited?: true
  }
  /** Everything that an import brought for this movie is undone. */
  WatchImportUndone: {
    readonly userId: UserId
    readonly movieId: MovieId
    readonly importId: ImportId
    readonly viewingIds: readonly ViewingId[]
    /** Times of the viewings that were stopped before their end. */
    readonly leftAt: readonly string[]
    readonly outcome: ImportOutcome
    /** The movie stays as it was: watched at the same time, or not watched. */
    readonly sameMark?: true
  }

  // import-<import>
  HistoryImportStarted: { readonly userId: UserId; readonly importId: ImportId; readonly source: string }
  /** Items whose film is missing here or cannot be identified uniquely. */
  ImportItemsKept: { readonly userId: UserId; readonly importId: ImportId; readonly items: readonly WaitingItem[] }
  ImportItemsDropped: { readonly userId: UserId; readonly importId: ImportId; readonly viewingIds: readonly ViewingId[] }
  HistoryImportUndone: { readonly userId: UserId; readonly importId: ImportId }
}

/** The resulting state of user and movie. */
export interface ImportOutcome {
  readonly watchedAt: string | null
  readonly playCount: number
  readonly lastImportedAt: string | null
}

export interface ImportedPosition {
  readonly fileId: FileId
  readonly positionMs: number
  readonly durationMs: number
}

/** One viewing of a film, as another program reports it. */
export interface ImportItem {
  readonly tmdb: string | null
  readonly imdb: string | null
  readonly title: string | null
  readonly year: number | null
  readonly watchedAt: string
  readonly plays: number
  /** `plays` counts all viewings up to then, since the program keeps only a total: it includes those imported before. */
  readonly tally?: true
  readonly watchedMs: number
  /** Resume position; null: watched to its end. */
  readonly positionMs: number | null
}

export interface WaitingItem extends ImportItem {
  readonly viewingId: ViewingId
  readonly source: string
  readonly reason: NoMatch
}

/** `ambiguous`: several movies fit. */
export type NoMatch = 'not_found' | 'ambiguous'
