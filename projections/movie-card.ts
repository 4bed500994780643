/** Card: what lists show of a movie. */
import type { MovieCard, MovieDocument } from './movie-document.ts'
import { primaryOf } from './movie-query-fields.ts'

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
