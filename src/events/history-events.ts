/**
 * Events of what other programs knew a user has watched: of one movie (`watched-<user>_<movie>`), and of the import that brought it
 * (`import-<import>`).
 */
import type { FileId, ImportId, LibraryId, MovieId, UserId, ViewingId } from '../vocabulary/id.ts'

export interface HistoryEvents {
  // watched-<user>_<movie>
  WatchImported: {
    readonly userId: UserId
    readonly movieId: MovieId
    readonly libraryId: LibraryId
    /** As the movie is called here. */
    readonly title: string
    readonly year: number | null
    readonly importId: ImportId
    readonly source: string
    /** Follows from user, source, film and time: the same item gives the same id. */
    readonly viewingId: ViewingId
    readonly watchedAt: string
    /** How many viewings it adds; 0 where it was left before its end. */
    readonly plays: number
    readonly watchedMs: number
    /** Where it was left; null: it was watched to its end. */
    readonly left: ImportedPosition | null
    readonly outcome: ImportOutcome
    /** It had waited for the movie. */
    readonly waited?: true
  }
  /** All that an import brought of this movie is taken back. */
  WatchImportUndone: {
    readonly userId: UserId
    readonly movieId: MovieId
    readonly importId: ImportId
    readonly viewingIds: readonly ViewingId[]
    /** Times of those that were left before their end. */
    readonly leftAt: readonly string[]
    readonly outcome: ImportOutcome
  }

  // import-<import>
  HistoryImportStarted: { readonly userId: UserId; readonly importId: ImportId; readonly source: string }
  /** Items of films that are not here, or not to be told from others. */
  ImportItemsKept: { readonly userId: UserId; readonly importId: ImportId; readonly items: readonly WaitingItem[] }
  ImportItemsDropped: { readonly userId: UserId; readonly importId: ImportId; readonly viewingIds: readonly ViewingId[] }
  HistoryImportUndone: { readonly userId: UserId; readonly importId: ImportId }
}

/** What holds of user and movie afterwards. */
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

/** A film that somebody watched, as another program says it. */
export interface ImportItem {
  readonly tmdb: string | null
  readonly imdb: string | null
  readonly title: string | null
  readonly year: number | null
  readonly watchedAt: string
  readonly plays: number
  /** `plays` counts all viewings to then, as of a program that keeps no more: those that were imported before are among them. */
  readonly tally?: true
  readonly watchedMs: number
  /** Where it was left; null: watched to its end. */
  readonly positionMs: number | null
}

export interface WaitingItem extends ImportItem {
  readonly viewingId: ViewingId
  readonly source: string
  readonly reason: NoMatch
}

/** `ambiguous`: several movies fit. */
export type NoMatch = 'not_found' | 'ambiguous'
