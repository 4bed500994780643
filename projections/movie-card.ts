/** Card: what lists show of a movie, as one small member that can be read alone. */
import type { ImageId, LibraryId, MovieId } from '../src/events/id.ts'
import type { Resolution } from '../src/events/resolution.ts'
import { primaryOf } from './movie-query-fields.ts'
import type { MovieDocument } from './movies.ts'

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
  readonly available: boolean
  readonly addedAt: string
  readonly updatedAt: string
}

export function cardOf(movie: Omit<MovieDocument, 'card'>): MovieCard {
  const { id, libraryId, sortTitle, available, addedAt, updatedAt, artwork } = movie
  const { title, originalTitle, year, releaseDate, overview, genres, contentRating, rating } = movie.details
  const primary = primaryOf(movie.files)
  return {
    id,
    libraryId,
    title,
    originalTitle,
    sortTitle,
    year,
    releaseDate,
    overview,
    genres,
    contentRating,
    rating,
    durationMs: primary?.durationMs ?? null,
    resolution: primary?.resolution ?? null,
    hdr: primary?.hdr ?? null,
    poster: artwork.poster?.imageId ?? null,
    backdrop: artwork.backdrop?.imageId ?? null,
    logo: artwork.logo?.imageId ?? null,
    available,
    addedAt,
    updatedAt,
  }
}
