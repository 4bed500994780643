/** Events of movies (`movie-<id>`): what scans find, and what administrators say. */
import type { FileId, ImageId, LibraryId, MovieId } from '../vocabulary/id.ts'
import type { FileStamp, MediaDescription, SubtitleTrack } from '../vocabulary/media-description.ts'

export interface CastMember {
  readonly name: string
  readonly character: string | null
  /** Name of a picture at the provider of online metadata; only where it has one. */
  readonly picture?: string
}

export interface CrewMember {
  readonly name: string
  readonly job: string
  readonly department: string
  readonly picture?: string
}

/** What a source (the file's name, an `.nfo`, a provider of online metadata) says about a film. */
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

export const ARTWORK_KINDS = ['poster', 'backdrop', 'logo'] as const
export type ArtworkKind = (typeof ARTWORK_KINDS)[number]

/** Those of which clients paint a tinted box until the picture comes. */
export const TINTED_KINDS = ['poster', 'backdrop'] as const
export type TintedKind = (typeof TINTED_KINDS)[number]

/** The mean colour of a picture. An image id never stands for another picture file, so the two belong together. */
export interface ImageTint {
  readonly imageId: ImageId
  /** `#rrggbb`. */
  readonly tint: string
}

export interface Artwork {
  readonly imageId: ImageId
  readonly path: string
}

/** What a provider of online metadata is asked for: an explicit id, then the rest is null; else title and year. */
export interface OnlineQuestion {
  readonly tmdb: string | null
  readonly imdb: string | null
  readonly title: string | null
  readonly originalTitle: string | null
  readonly year: number | null
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
  /** What a provider of online metadata says of the film that it was asked for. It stands beside what files say. */
  MovieMatchedOnline: {
    readonly movieId: MovieId
    readonly libraryId: LibraryId
    readonly provider: 'tmdb'
    readonly asked: OnlineQuestion
    /** 0 to 1. */
    readonly confidence: number
    /** BCP 47, of the texts. */
    readonly language: string
    readonly facts: MovieFacts
    /** Makes the ids of its pictures unguessable; ids of events that lack it follow from the pictures' names alone. */
    readonly imageSalt?: string
    /** Names of pictures at the provider. */
    readonly artwork: Readonly<Record<ArtworkKind, string | null>>
  }
  /** It is another film than the one that the provider was asked for: what that said counts no more. */
  MovieUnmatchedOnline: { readonly movieId: MovieId }
  /** Preview pictures of a file's content are there, all of them. */
  TrickplayMade: {
    readonly movieId: MovieId
    readonly fileId: FileId
    /** Of the content that they show. */
    readonly fingerprint: string
    readonly intervalMs: number
    /** Of one picture, pixels. */
    readonly width: number
    readonly height: number
    readonly pictures: number
  }
  /** Mean colours of pictures of it; null: nothing new is said of that one. */
  MovieImagesTinted: { readonly movieId: MovieId } & Readonly<Record<TintedKind, ImageTint | null>>
}

interface FileLocation {
  readonly path: string
  /** The root of the library that it lies below. */
  readonly root: string
  readonly stamp: FileStamp
  /** SHA-256 of size, head and tail of the file, hex: the same film after a move. */
  readonly fingerprint: string
}
