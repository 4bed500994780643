/** A movie as it is shown to one user: what it is, and what that user has done with it. */
import type { MovieForUser, WatchedMark } from '../../app/movies.ts'
import type { MovieFile } from '../../../projections/movies.ts'
import type { CreditsDocument } from '../../../projections/credits.ts'
import type { CreditsBody, MovieBody, MovieSummaryBody, WatchedMarkBody } from '../schemas/movie.ts'
import { baseName, imageUrl, seconds, secondsOrNull } from './values.ts'

export function presentSummary({ movie, own }: MovieForUser): MovieSummaryBody {
  const { details, artwork } = movie
  const primary = primaryOf(movie.files)
  return {
    id: movie.id,
    libraryId: movie.libraryId,
    title: details.title,
    originalTitle: details.originalTitle,
    sortTitle: movie.sortTitle,
    year: details.year,
    releaseDate: details.releaseDate,
    overview: details.overview,
    duration: secondsOrNull(primary?.durationMs),
    genres: [...details.genres],
    contentRating: details.contentRating,
    rating: details.rating,
    resolution: primary?.resolution ?? null,
    hdr: primary?.hdr ?? null,
    images: { poster: imageUrl(artwork.poster), backdrop: imageUrl(artwork.backdrop), logo: imageUrl(artwork.logo) },
    availability: movie.available ? 'available' : 'missing',
    addedAt: movie.addedAt,
    updatedAt: movie.updatedAt,
    watched: own?.watched ?? false,
    watchedAt: own?.watchedAt ?? null,
    playCount: own?.playCount ?? 0,
    position: seconds(own?.resume?.positionMs ?? 0),
    lastPlayedAt: own?.lastPlayedAt ?? null,
    watchlist: false,
  }
}

export function presentMovie(found: MovieForUser): MovieBody {
  const { details, match, files } = found.movie
  return {
    ...presentSummary(found),
    tagline: details.tagline,
    countries: [...details.countries],
    studios: [...details.studios],
    languages: [...details.languages],
    tags: [...details.tags],
    collection: details.collection,
    externalIds: { ...details.externalIds },
    match: { ...match },
    files: files.map(presentFile),
    trickplay: false,
    subtitleLanguages: distinct(files.flatMap((file) => file.subtitleLanguages)),
    audioLanguages: distinct(files.flatMap((file) => file.audioLanguages)),
  }
}

const presentFile = (file: MovieFile): MovieBody['files'][number] => ({
  id: file.id,
  name: baseName(file.path),
  resolution: file.resolution,
  container: file.container,
  size: file.sizeBytes,
  duration: secondsOrNull(file.durationMs),
  available: file.available,
})

/** The first file that is there; of a movie that is away, the first one. */
const primaryOf = (files: readonly MovieFile[]) => files.find((file) => file.available) ?? files[0]

const distinct = (values: readonly string[]) => [...new Set(values)]

export function presentCredits({ id, cast, crew }: CreditsDocument): CreditsBody {
  return {
    movieId: id,
    cast: cast.map(({ personId, name, character, order }) => ({ personId, name, character, order, image: null })),
    crew: crew.map(({ personId, name, job, department }) => ({ personId, name, job, department, image: null })),
  }
}

export function presentMark(movieId: string, { watched, watchedAt, playCount }: WatchedMark): WatchedMarkBody {
  return { movieId, watched, watchedAt, playCount }
}
