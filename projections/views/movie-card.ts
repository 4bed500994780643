/** Builds a movie's card: the fields that lists show. */
import type { ArtworkKind, TintedKind } from '../../src/events/movie-events.ts'
import type { ImageId } from '../../src/vocabulary/id.ts'
import type { MovieCard, MovieDocument } from './movie-document.ts'
import { primaryOf } from './movie-query-fields.ts'

/** The input of the card, without the members derived from the card. */
export type Cardless = Omit<MovieDocument, 'card' | 'untinted'>

export function cardOf(movie: Cardless): MovieCard {
  const { id, libraryId, sortTitle, available, addedAt, updatedAt } = movie
  const { title, originalTitle, year, releaseDate, overview, genres, contentRating, rating } = movie.details
  const primary = primaryOf(movie.files)
  const [poster, backdrop] = [imageOf(movie, 'poster'), imageOf(movie, 'backdrop')]
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
    poster,
    backdrop,
    logo: imageOf(movie, 'logo'),
    posterTint: tintOf(movie, 'poster', poster),
    backdropTint: tintOf(movie, 'backdrop', backdrop),
    available,
    addedAt,
    updatedAt,
  }
}

/** An image file beside the film has priority over a provider's image, and that over a still. The film's path identifies a still. */
function imageOf({ artwork, files, online }: Cardless, kind: ArtworkKind): ImageId | null {
  const own = artwork[kind]
  const isStill = own !== null && files.some(({ path }) => path === own.path)
  return (isStill ? null : own?.imageId) ?? online?.artwork[kind] ?? own?.imageId ?? null
}

function tintOf({ tints }: Cardless, kind: TintedKind, shown: ImageId | null): string | null {
  const known = tints[kind]
  return known !== null && known.imageId === shown ? known.tint : null
}
