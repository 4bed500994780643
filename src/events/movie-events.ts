/** Events of movies (`movie-<id>`): results of scans, and changes by administrators. */
import type { FileId, ImageId, LibraryId, MovieId } from '../vocabulary/id.ts'
import type { FileStamp, MediaDescription, SubtitleTrack } from '../vocabulary/media-description.ts'

export interface CastMember {
  readonly name: string
  readonly character: string | null
  /** Name of an image at the provider of online metadata; only if it has one. */
  readonly picture?: string
}

export interface CrewMember {
  readonly name: string
  readonly job: string
  readonly department: string
  readonly picture?: string
}

/** Facts about a film from one source (the file's name, an `.nfo`, a provider of online metadata). */
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

/** Facts that an administrator may set in place of scan results. */
export type EditableFacts = Omit<MovieFacts, 'externalIds' | 'cast' | 'crew'>

export const ARTWORK_KINDS = ['poster', 'backdrop', 'logo'] as const
export type ArtworkKind = (typeof ARTWORK_KINDS)[number]

/** Kinds for which clients paint a tinted box until the image arrives. */
export const TINTED_KINDS = ['poster', 'backdrop'] as const
export type TintedKind = (typeof TINTED_KINDS)[number]

/** The mean colour of an image. An image id never refers to another image file, so the two belong together. */
export interface ImageTint {
  readonly imageId: ImageId
  /** `#rrggbb`. */
  readonly tint: string
}

export interface Artwork {
  readonly imageId: ImageId
  readonly path: string
}

/** A query to a provider of online metadata: an explicit id, then the rest is null; else title and year. */
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
    /** The file that says exactly this; null if several files together do. Earlier versions did not store it. */
    readonly fileId?: FileId | null
  }
  MovieFileAdded: { readonly movieId: MovieId; readonly libraryId: LibraryId; readonly fileId: FileId } & FileLocation
  MovieProbed: {
    readonly movieId: MovieId
    readonly fileId: FileId
    readonly media: MediaDescription
    readonly sidecars: readonly SubtitleTrack[]
    /** Digest of names, sizes and times of the companion files: changes whenever they do. */
    readonly companions: string
    /** What its name and its `.nfo` file say, if that differs from what they said before and from what the movie is identified as. */
    readonly identity?: Pick<MovieEvents['MovieIdentified'], 'source' | 'confidence' | 'facts'>
  }
  MovieArtworkChosen: { readonly movieId: MovieId; readonly artwork: Readonly<Record<ArtworkKind, Artwork | null>> }
  /** The same content under another path. */
  MovieFileMoved: { readonly movieId: MovieId; readonly fileId: FileId } & FileLocation
  /** Other content under the same path. */
  MovieFileReplaced: { readonly movieId: MovieId; readonly fileId: FileId } & FileLocation
  MovieFileMissing: { readonly movieId: MovieId; readonly fileId: FileId }
  MovieFileReturned: { readonly movieId: MovieId; readonly fileId: FileId }
  /** From then on these members keep the values set here, whatever scans find. */
  MovieEdited: { readonly movieId: MovieId; readonly changes: Partial<EditableFacts> }
  /** Sets which film it is: by an id of a provider, or by title and year. Null: not set. Scans never overwrite it. */
  MovieMatchPinned: {
    readonly movieId: MovieId
    readonly tmdb: string | null
    readonly imdb: string | null
    readonly title: string | null
    readonly year: number | null
  }
  /** A provider's data for the queried film, kept beside the data from files. */
  MovieMatchedOnline: {
    readonly movieId: MovieId
    readonly libraryId: LibraryId
    readonly provider: 'tmdb'
    readonly asked: OnlineQuestion
    /** 0 to 1. */
    readonly confidence: number
    /** BCP 47 language of the texts. */
    readonly language: string
    readonly facts: MovieFacts
    /** Makes the ids of its images unguessable; in events without it the ids are derived from the images' names alone. */
    readonly imageSalt?: string
    /** Names of images at the provider. */
    readonly artwork: Readonly<Record<ArtworkKind, string | null>>
  }
  /** It is another film than the queried one: the provider's data is no longer valid. */
  MovieUnmatchedOnline: { readonly movieId: MovieId }
  /** All trickplay thumbnails of a file's content exist. */
  TrickplayMade: {
    readonly movieId: MovieId
    readonly fileId: FileId
    /** Fingerprint of that content. */
    readonly fingerprint: string
    readonly intervalMs: number
    /** Size of one thumbnail, pixels. */
    readonly width: number
    readonly height: number
    readonly pictures: number
  }
  /** Mean colours of its images; null: no change for that one. */
  MovieImagesTinted: { readonly movieId: MovieId } & Readonly<Record<TintedKind, ImageTint | null>>
}

interface FileLocation {
  readonly path: string
  /** The library root that contains it. */
  readonly root: string
  readonly stamp: FileStamp
  /** SHA-256 of size, head and tail of the file, hex: identifies the film after a move. */
  readonly fingerprint: string
}
