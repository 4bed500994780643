/** Movie document: what the view `movies` keeps of a movie. */
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
  /** Null until it has been probed. */
  readonly container: string | null
  readonly durationMs: number | null
  readonly resolution: Resolution | null
  readonly hdr: string | null
  readonly videoCodec: string | null
  readonly audioCodecs: readonly string[]
  readonly audioLanguages: readonly string[]
  readonly subtitleLanguages: readonly string[]
  /** Fingerprint of the content that preview pictures were made of; only where they were. */
  readonly trickplay?: string
}

/** What a film is called and said to be; `cast` and `crew` are in the view `credits`. */
export type MovieDetails = Omit<MovieFacts, 'cast' | 'crew'>

/** What lists show of a movie, as one small member that can be read alone. */
export interface MovieCard {
  readonly id: MovieId
  readonly libraryId: LibraryId
  readonly title: string
  readonly originalTitle: string | null
  readonly sortTitle: string
  readonly year: number | null
  readonly releaseDate: string | null
  readonly overview: string | null
  /** These three are of the primary file. */
  readonly durationMs: number | null
  readonly resolution: Resolution | null
  readonly hdr: string | null
  readonly genres: readonly string[]
  readonly contentRating: string | null
  readonly rating: number | null
  readonly poster: ImageId | null
  readonly backdrop: ImageId | null
  readonly logo: ImageId | null
  /** `#rrggbb`; null until it is known of this very image. */
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
  /** What lies beside the film, else a still out of it under the film's path. */
  readonly artwork: Readonly<Record<ArtworkKind, Artwork | null>>
  /** The newest that are known, of whichever image. */
  readonly tints: Readonly<Record<TintedKind, ImageTint | null>>
  /** The first one that is there is the primary file. */
  readonly files: readonly MovieFile[]
  readonly addedAt: string
  readonly updatedAt: string
  /** What administrators have said: it stands, whatever scans find. */
  readonly edits: Partial<EditableFacts> | null
  readonly pin: MatchPin | null
  readonly found: FoundFacts
  readonly online: OnlineFacts | null
  readonly card: MovieCard
  // What queries use:
  readonly sortTitle: string
  /** Of the titles, then of the people. */
  readonly words: readonly string[]
  readonly available: boolean
  /** True or null, so that the few that are missing stand apart in an index. */
  readonly missing: true | null
  /** True or null: whether it shows an image whose tint is not known. */
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

/** What a provider was asked for, and what it calls the film that it told of. */
export interface AskedFor {
  readonly asked: OnlineQuestion
  readonly as: FoundAs & Pick<MovieDetails, 'originalTitle'>
}

/** Names; the people themselves are in the view `credits`. */
export interface PeopleNames {
  readonly cast: readonly string[]
  readonly crew: readonly string[]
}

/** What the film's name and its `.nfo` say. */
export interface FoundFacts {
  readonly source: EventData['MovieIdentified']['source']
  readonly confidence: number
  readonly details: MovieDetails
  readonly people: PeopleNames
}

/** What a provider of online metadata says. */
export interface OnlineFacts extends Pick<EventData['MovieMatchedOnline'], 'provider' | 'asked' | 'confidence' | 'language'> {
  readonly details: MovieDetails
  readonly people: PeopleNames
  readonly artwork: Readonly<Record<ArtworkKind, ImageId | null>>
}

/** A film of which nothing is said yet. */
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
