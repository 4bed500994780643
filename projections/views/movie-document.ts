/** Defines the document that the view `movies` keeps of a movie. */
import type { EventData } from '../../src/events/catalogue.ts'
import type {
  Artwork,
  ArtworkKind,
  EditableFacts,
  ImageTint,
  MovieFacts,
  OnlineQuestion,
  TintedKind,
} from '../../src/events/movie-events.ts'
import type { FileId, ImageId, LibraryId, MovieId } from '../../src/vocabulary/id.ts'
import type { Resolution } from '../../src/vocabulary/resolution.ts'

export interface MovieFile {
  readonly id: FileId
  readonly path: string
  readonly sizeBytes: number
  readonly available: boolean
  /** Null until the file has been probed. */
  readonly container: string | null
  readonly durationMs: number | null
  readonly resolution: Resolution | null
  readonly hdr: string | null
  readonly videoCodec: string | null
  readonly audioCodecs: readonly string[]
  readonly audioLanguages: readonly string[]
  readonly subtitleLanguages: readonly string[]
  /** Fingerprint of the content that its preview images show; missing if it has none. */
  readonly trickplay?: string
}

/** A film's descriptive facts; the view `credits` holds `cast` and `crew`. */
export type MovieDetails = Omit<MovieFacts, 'cast' | 'crew'>

/** The fields that lists show, as one small member that can be read alone. */
export interface MovieCard {
  readonly id: MovieId
  readonly libraryId: LibraryId
  readonly title: string
  readonly originalTitle: string | null
  readonly sortTitle: string
  readonly year: number | null
  readonly releaseDate: string | null
  readonly overview: string | null
  /** The next three describe the primary file. */
  readonly durationMs: number | null
  readonly resolution: Resolution | null
  readonly hdr: string | null
  readonly genres: readonly string[]
  readonly contentRating: string | null
  readonly rating: number | null
  readonly poster: ImageId | null
  readonly backdrop: ImageId | null
  readonly logo: ImageId | null
  /** `#rrggbb`; null until the tint of this image is known. */
  readonly posterTint: string | null
  readonly backdropTint: string | null
  readonly available: boolean
  readonly addedAt: string
  readonly updatedAt: string
}

export interface MovieDocument {
  readonly id: MovieId
  readonly libraryId: LibraryId
  readonly details: MovieDetails
  readonly match: { readonly source: string; readonly confidence: number; readonly pinned: boolean }
  /** Image files beside the film, otherwise a still of it under the film's path. */
  readonly artwork: Readonly<Record<ArtworkKind, Artwork | null>>
  /** The newest known tints, of any image. */
  readonly tints: Readonly<Record<TintedKind, ImageTint | null>>
  /** The first available file is the primary file. */
  readonly files: readonly MovieFile[]
  readonly addedAt: string
  readonly updatedAt: string
  /** Administrators' edits: scans never override them. */
  readonly edits: Partial<EditableFacts> | null
  readonly pin: MatchPin | null
  readonly found: StoredFoundFacts
  readonly online: OnlineFacts | null
  readonly card: MovieCard
  // Fields for queries:
  readonly sortTitle: string
  /** Words of the titles, followed by words of people's names. */
  readonly words: readonly string[]
  readonly available: boolean
  /** True or null, so that the few missing movies are separate in an index. */
  readonly missing: true | null
  /** True or null: whether it shows an image whose tint is unknown. */
  readonly untinted: true | null
  readonly year: number | null
  readonly releaseDate: string | null
  readonly rating: number | null
  /** Of the primary file. */
  readonly durationMs: number | null
  readonly sizeBytes: number | null
  readonly shuffle: number
  readonly factKeys: readonly string[]
  readonly fileKeys: readonly string[]
  readonly tallies: readonly string[]
}

export type MatchPin = Omit<EventData['MovieMatchPinned'], 'movieId'>
export type FoundAs = Pick<MovieDetails, 'title' | 'year' | 'externalIds'>

/** The query sent to a provider, and the provider's name for the film it matched. */
export interface AskedFor {
  readonly asked: OnlineQuestion
  readonly as: FoundAs & Pick<MovieDetails, 'originalTitle'>
}

/** Only names; the view `credits` holds the people themselves. */
export interface PeopleNames {
  readonly cast: readonly string[]
  readonly crew: readonly string[]
}

/** Facts from the film's name and its `.nfo`. */
export interface FoundFacts {
  readonly source: EventData['MovieIdentified']['source']
  readonly confidence: number
  readonly details: MovieDetails
  readonly people: PeopleNames
}

/** `details`: null if they are the movie's own, as long as nothing else describes it. */
export type StoredFoundFacts = Omit<FoundFacts, 'details'> & { readonly details: MovieDetails | null }

/** Facts from an online metadata provider. */
export interface OnlineFacts extends Pick<EventData['MovieMatchedOnline'], 'provider' | 'asked' | 'confidence' | 'language'> {
  readonly details: MovieDetails
  readonly people: PeopleNames
  readonly artwork: Readonly<Record<ArtworkKind, ImageId | null>>
}

/** A film without any known facts. */
export const NOTHING_KNOWN: MovieDetails = {
  title: '',
  originalTitle: null,
  sortTitle: null,
  year: null,
  releaseDate: null,
  overview: null,
  tagline: null,
  contentRating: null,
  rating: null,
  genres: [],
  tags: [],
  countries: [],
  studios: [],
  languages: [],
  collection: null,
  externalIds: { tmdb: null, imdb: null },
}
