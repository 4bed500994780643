/** Presents a movie to one user: its facts, and the user's state of it. */
import type { Anchor, MovieAnchors } from '../../app/movies/movie-anchors.ts'
import type { PagePoint } from '../../app/read-models/page.ts'
import type { WatchedMark } from '../../app/movies/mark-types.ts'
import type { MovieForUser } from '../../app/movies/list-sources.ts'
import type { MovieDetailsForUser } from '../../app/movies/movies.ts'
import { collectionIdOf } from '../../../projections/views/movie-query-fields.ts'
import type { MovieFile } from '../../../projections/views/movie-document.ts'
import type { Credits } from '../../../projections/views/credits.ts'
import type { ResumePointDocument } from '../../../projections/views/resume-points.ts'
import type { CreditsBody, MovieAnchorsBody, MovieBody, MovieSummaryBody, SummaryView, WatchedMarkBody } from './movie-schemas.ts'
import { baseName, imageUrl, seconds, secondsOrNull } from '../server/values-presenter.ts'

/** Members of a summary that cards do not show. */
const NOT_ON_CARDS = { overview: null, originalTitle: null, contentRating: null } as const

type Shown = Pick<MovieForUser, 'own'> & { readonly movie: Pick<MovieForUser['movie'], 'card'> }

/** `view`: how many details of each movie a list shows. */
export const presentSummaryAs =
  (view: SummaryView = 'full') =>
  ({ movie, own }: Shown): MovieSummaryBody => {
    const { durationMs, genres, poster, backdrop, logo, posterTint, backdropTint, available, ...card } = movie.card
    return {
      ...card,
      ...(view === 'card' ? NOT_ON_CARDS : {}),
      duration: secondsOrNull(durationMs),
      genres: [...genres],
      images: { poster: imageUrl(poster), backdrop: imageUrl(backdrop), logo: imageUrl(logo), posterTint, backdropTint },
      availability: available ? 'available' : 'missing',
      ...presentOwn(own),
    }
  }

export const presentOwn = (own: MovieForUser['own']) => ({
  watched: own?.watched ?? false,
  watchedAt: own?.watchedAt ?? null,
  playCount: own?.playCount ?? 0,
  position: seconds(own?.resume?.positionMs ?? 0),
  lastPlayedAt: own?.lastPlayedAt ?? null,
  watchlist: (own?.watchlistAt ?? null) !== null,
})

export const presentSummary = presentSummaryAs('full')

export function presentAnchors({ total, items, letters }: MovieAnchors, cursorOf: (point: PagePoint) => string): MovieAnchorsBody {
  const shown = ({ index, label, after }: Anchor) => ({ index, label, cursor: after && cursorOf(after) })
  return { total, items: items.map(shown), letters: letters.map((letter) => ({ ...shown(letter), label: letter.label ?? '' })) }
}

export function presentMovie(found: MovieDetailsForUser): MovieBody {
  const { details, match, files } = found.movie
  return {
    ...presentSummary(found),
    tagline: details.tagline,
    countries: [...details.countries],
    studios: [...details.studios],
    languages: [...details.languages],
    tags: [...details.tags],
    collection: details.collection,
    collectionId: details.collection === null ? null : collectionIdOf(details.collection),
    externalIds: { ...details.externalIds },
    match: { ...match },
    files: files.map(presentFile),
    trickplay: found.trickplay,
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

const distinct = (values: readonly string[]) => [...new Set(values)]

export function presentCredits({ id, cast, crew }: Credits): CreditsBody {
  return {
    movieId: id,
    cast: cast.map(({ image, ...member }) => ({ ...member, image: imageUrl(image) })),
    crew: crew.map(({ image, ...member }) => ({ ...member, image: imageUrl(image) })),
  }
}

export function presentResumePoint({ id, at, positionMs, durationMs, fileId, sessionId }: ResumePointDocument) {
  const source: 'manual' | 'playback' = sessionId === null ? 'manual' : 'playback'
  return { id, at, position: seconds(positionMs), duration: seconds(durationMs), fileId, sessionId, source }
}

export function presentMark(movieId: string, { watched, watchedAt, playCount }: WatchedMark): WatchedMarkBody {
  return { movieId, watched, watchedAt, playCount }
}
