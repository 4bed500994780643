/** Events of movies (`movie-<id>`): what scans find, and what administrators say. */
import type { FileId, ImageId, LibraryId, MovieId } from './id.ts'
import type { FileStamp, MediaDescription, SubtitleTrack } from './media-description.ts'

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

export interface MovieEvents {
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
}

interface FileLocation {
  readonly path: string
  /** The root of the library that it lies below. */
  readonly root: string
  readonly stamp: FileStamp
  /** SHA-256 of size, head and tail of the file, hex: the same film after a move. */
  readonly fingerprint: string
}
