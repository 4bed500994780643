/**
 * View `movie_keys`: for each movie, the keys by which scans group files into versions of it (src/events/movie-keys.ts), and the ids of a
 * pinned match. Documents are small, because a scan queries them for each new file and the online lookup iterates over all of them.
 * Administrators' edits change no key.
 */
import type { MovieFacts } from '../../src/events/movie-events.ts'
import type { LibraryId, MovieId } from '../../src/vocabulary/id.ts'
import { movieKeys } from '../../src/events/movie-keys.ts'
import { operations, type View } from './view.ts'

type ExternalIds = MovieFacts['externalIds']

export interface MovieKeysDocument {
  readonly id: MovieId
  readonly libraryId: LibraryId
  readonly found: Pick<MovieFacts, 'title' | 'year' | 'externalIds'>
  readonly pinnedIds: ExternalIds | null
  /** The pinned ids, otherwise the ids found by scans. */
  readonly externalIds: ExternalIds
  /** Each prefixed with its library (`keyIn`). */
  readonly keys: readonly string[]
  /** Language of the texts from an online metadata provider; null if there are none. */
  readonly onlineLanguage: string | null
}

const NO_IDS: ExternalIds = { tmdb: null, imdb: null }
const NOTHING_FOUND = {
  found: { title: '', year: null, externalIds: NO_IDS },
  pinnedIds: null,
  externalIds: NO_IDS,
  keys: [],
  onlineLanguage: null,
}

const { put, change } = operations<MovieKeysDocument>()

/** A key scoped to a library. */
export const keyIn = (libraryId: LibraryId, key: string): string => `${libraryId} ${key}`

export const movieKeysView: View<MovieKeysDocument> = {
  name: 'movie_keys',
  version: 2,
  fields: { keys: 'list' },
  indexes: [],
  handles: {
    MovieDiscovered: ({ data }) => put(data.movieId, { id: data.movieId, libraryId: data.libraryId, ...NOTHING_FOUND }),
    MovieIdentified: ({ data }) => {
      const { title, year, externalIds } = data.facts
      return change(data.movieId, (movie) => keyed({ ...movie, found: { title, year, externalIds } }))
    },
    MovieMatchPinned: ({ data: { movieId, tmdb, imdb } }) =>
      change(movieId, (movie) => keyed({ ...movie, pinnedIds: tmdb === null && imdb === null ? null : { tmdb, imdb } })),
    MovieMatchedOnline: ({ data }) => change(data.movieId, (movie) => ({ ...movie, onlineLanguage: data.language })),
    MovieUnmatchedOnline: ({ data }) => change(data.movieId, (movie) => ({ ...movie, onlineLanguage: null })),
  },
}

function keyed(movie: MovieKeysDocument): MovieKeysDocument {
  const externalIds = movie.pinnedIds ?? movie.found.externalIds
  const keys = movieKeys({ ...movie.found, externalIds }).map((key) => keyIn(movie.libraryId, key))
  return { ...movie, externalIds, keys }
}
