/** Card: what lists show of a movie. */
import type { ArtworkKind, TintedKind } from '../../src/events/movie-events.ts'
import type { ImageId } from '../../src/vocabulary/id.ts'
import type { MovieCard, MovieDocument } from './movie-document.ts'
import { primaryOf } from './movie-query-fields.ts'

/** What the card follows from, and what follows from the card. */
export type Cardless = Omit<MovieDocument, 'card' | 'untinted'>

export function cardOf(movie: Cardless): MovieCard {
  const { id, libraryId, sortTitle, available, addedAt, updatedAt } = movie
  const { title, originalTitle, year, releaseDate, overview, genres, contentRating, rating } = movie.details
  const primary = primaryOf(movie.files)
  const [poster, backdrop] = [pictureOf(movie, 'poster'), pictureOf(movie, 'backdrop')]
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
    logo: pictureOf(movie, 'logo'),
    posterTint: tintOf(movie, 'poster', poster),
    backdropTint: tintOf(movie, 'backdrop', backdrop),
    available,
    addedAt,
    updatedAt,
  }
}

/** A picture beside the film goes before one of a provider, and that before a still, which is named by the film that it is out of. */
function pictureOf({ artwork, files, online }: Cardless, kind: ArtworkKind): ImageId | null {
  const own = artwork[kind]
  const isStill = own !== null && files.some(({ path }) => path === own.path)
  return (isStill ? null : own?.imageId) ?? online?.artwork[kind] ?? own?.imageId ?? null
}

function tintOf({ tints }: Cardless, kind: TintedKind, shown: ImageId | null): string | null {
  const known = tints[kind]
  return known !== null && known.imageId === shown ? known.tint : null
}
