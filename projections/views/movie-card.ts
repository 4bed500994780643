/** Card: what lists show of a movie. */
import type { ArtworkKind } from '../../src/events/movie-events.ts'
import type { ImageId } from '../../src/vocabulary/id.ts'
import type { MovieCard, MovieDocument } from './movie-document.ts'
import { primaryOf } from './movie-query-fields.ts'

export function cardOf(movie: Omit<MovieDocument, 'card'>): MovieCard {
  const { id, libraryId, sortTitle, available, addedAt, updatedAt } = movie
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
    poster: pictureOf(movie, 'poster'),
    backdrop: pictureOf(movie, 'backdrop'),
    logo: pictureOf(movie, 'logo'),
    available,
    addedAt,
    updatedAt,
  }
}

/** A picture beside the film goes before one of a provider, and that before a still, which is named by the film that it is out of. */
function pictureOf({ artwork, files, online }: Omit<MovieDocument, 'card'>, kind: ArtworkKind): ImageId | null {
  const own = artwork[kind]
  const isStill = own !== null && files.some(({ path }) => path === own.path)
  return (isStill ? null : own?.imageId) ?? online?.artwork[kind] ?? own?.imageId ?? null
}
