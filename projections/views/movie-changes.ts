/** View `movie_changes`: for each movie, when it changed and whether it was available afterwards. */
import { lifeKindOf, type LifeEvent, type LifeKind } from '../../src/events/movie-life.ts'
import type { FileId, LibraryId, MovieId } from '../../src/vocabulary/id.ts'
import { operations, type View } from './view.ts'

export interface MovieChangesDocument {
  readonly id: MovieId
  readonly libraryId: LibraryId
  /** Time of the newest change. */
  readonly changedAt: string
  /** The newest changes, oldest first. */
  readonly changes: readonly MovieChange[]
  /** Months of these changes, such as `2026-01`, so that a query for an old month skips newer changes. */
  readonly months: readonly string[]
  readonly files: readonly FileId[]
  readonly missing: readonly FileId[]
}

export interface MovieChange {
  readonly at: string
  readonly kind: LifeKind
  /** Whether one of its files was available afterwards. */
  readonly there: boolean
}

/** Enough for a disk that is connected and removed daily for a year. */
const CHANGES_MAX = 400

export const monthOf = (at: string): string => at.slice(0, 'YYYY-MM'.length)

const { put, change } = operations<MovieChangesDocument>()

export const movieChanges: View<MovieChangesDocument> = {
  name: 'movie_changes',
  version: 2,
  fields: { libraryId: 'text', changedAt: 'text', months: 'list' },
  indexes: [['libraryId', 'changedAt']],
  handles: {
    MovieDiscovered: (event) => {
      const { movieId: id, libraryId } = event.data
      return put(id, noted({ id, libraryId, changedAt: event.at, changes: [], months: [], files: [], missing: [] }, event))
    },
    MovieIdentified: happened,
    MovieMatchedOnline: happened,
    MovieUnmatchedOnline: happened,
    MovieMatchPinned: happened,
    MovieEdited: happened,
    MovieArtworkChosen: happened,
    MovieFileAdded: (event) => happened(event, (movie) => ({ ...movie, files: [...movie.files, event.data.fileId] })),
    MovieFileMoved: (event) => happened(event, (movie) => found(movie, event.data.fileId)),
    MovieFileReplaced: (event) => happened(event, (movie) => found(movie, event.data.fileId)),
    MovieFileReturned: (event) => happened(event, (movie) => found(movie, event.data.fileId)),
    MovieFileMissing: (event) =>
      happened(event, (movie) => ({ ...movie, missing: [...found(movie, event.data.fileId).missing, event.data.fileId] })),
  },
}

function happened(event: LifeEvent, changed: (movie: MovieChangesDocument) => MovieChangesDocument = (movie) => movie) {
  return change(event.data.movieId, (movie) => noted(changed(movie), event))
}

const found = (movie: MovieChangesDocument, fileId: FileId): MovieChangesDocument => ({
  ...movie,
  missing: movie.missing.filter((id) => id !== fileId),
})

function noted(movie: MovieChangesDocument, event: LifeEvent): MovieChangesDocument {
  const { at } = event
  const there = movie.files.some((id) => !movie.missing.includes(id))
  const changes = [...movie.changes, { at, kind: lifeKindOf(event), there }].slice(-CHANGES_MAX)
  const months = [...new Set(changes.map((one) => monthOf(one.at)))]
  return { ...movie, changes, months, changedAt: at > movie.changedAt ? at : movie.changedAt }
}
