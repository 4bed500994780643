/**
 * View `movie_keys`: of each movie the keys that make files its versions (src/events/movie-keys.ts), as scans have found them,
 * and the ids of a match that was pinned. Slim, because a scan asks it for each new file, and who looks up films online goes through
 * all of it. What administrators edit changes no key.
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
  /** Those that were pinned, else those that were found. */
  readonly externalIds: ExternalIds
  /** Each with its library (`keyIn`). */
  readonly keys: readonly string[]
  /** Of the texts that a provider of online metadata has told of it; null where it has told nothing. */
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

/** A key within a library. */
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
