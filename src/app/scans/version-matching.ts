/** Finds the movie that a new file is a version of, by the keys that join files into one movie within a library. */
import type { MovieFacts } from '../../events/movie-events.ts'
import type { FileId, LibraryId, MovieId } from '../../vocabulary/id.ts'
import { contradict, movieKeys } from '../../events/movie-keys.ts'
import type { FileStampDocument } from '../../../projections/views/file-stamps.ts'
import { keyIn, type MovieKeysDocument } from '../../../projections/views/movie-keys.ts'
import type { ReadModels } from '../read-models/read-models.ts'

export type Keyed = Pick<MovieFacts, 'title' | 'year' | 'externalIds'>
type ExternalIds = MovieFacts['externalIds']

export interface VersionMatcher {
  /** The movie of the library that has these keys. */
  find(keyed: Keyed): Promise<MovieId | undefined>
  /** Whether a movie has one of these keys. */
  fits(movieId: MovieId, keyed: Keyed): Promise<boolean>
  /** The ids that the movie is pinned to. */
  pinnedIds(movieId: MovieId): Promise<ExternalIds | null>
  /** Notes that a file of a movie has these keys, before the read models show it. */
  remember(movieId: MovieId, fileId: FileId, keyed: Keyed): void
}

export interface LibraryFiles {
  readonly files: readonly FileStampDocument[]
  /** Whether the known file is still at its path. */
  readonly isInPlace: (file: FileStampDocument) => boolean
}

/** What this scan has found of a movie so far: the read models may still have its former keys. */
interface Lately {
  readonly externalIds: ExternalIds
  readonly keys: ReadonlySet<string>
  readonly files: ReadonlySet<FileId>
}

interface State {
  readonly movieKeys: ReadModels['movieKeys']
  readonly libraryId: LibraryId
  readonly ofMovie: ReadonlyMap<MovieId, readonly FileStampDocument[]>
  readonly isInPlace: LibraryFiles['isInPlace']
  readonly lately: Map<MovieId, Lately>
  /** The movies found in this scan, in this order. */
  readonly byKey: Map<string, Set<MovieId>>
}

/** Several movies share a key only if explicit ids tell them apart. */
const SAME_KEY_MAX = 50
const NO_IDS: ExternalIds = { tmdb: null, imdb: null }

export function createVersionMatcher(
  { readModels }: { readonly readModels: Pick<ReadModels, 'movieKeys'> },
  libraryId: LibraryId,
  { files, isInPlace }: LibraryFiles,
): VersionMatcher {
  const ofMovie = Map.groupBy(files, ({ movieId }) => movieId)
  const state: State = { movieKeys: readModels.movieKeys, libraryId, ofMovie, isInPlace, lately: new Map(), byKey: new Map() }

  return {
    remember: (movieId, fileId, keyed) => remember(state, { movieId, fileId, keyed }),
    pinnedIds: async (movieId) => (await readModels.movieKeys.get(movieId))?.pinnedIds ?? null,

    async find(keyed) {
      for (const key of movieKeys(keyed)) {
        for (const movieId of await having(state, key)) {
          if (!contradict(await idsOf(state, movieId), keyed.externalIds)) return movieId
        }
      }
      return undefined
    },

    async fits(movieId, keyed) {
      const movie = await readModels.movieKeys.get(movieId)
      return movieKeys(keyed).some((key) => movie?.keys.includes(keyIn(libraryId, key)))
    },
  }
}

interface Remembered {
  readonly movieId: MovieId
  readonly fileId: FileId
  readonly keyed: Keyed
}

function remember({ lately, byKey }: State, { movieId, fileId, keyed }: Remembered): void {
  const { externalIds = NO_IDS, keys = [], files = [] } = lately.get(movieId) ?? {}
  const found = movieKeys(keyed)
  lately.set(movieId, {
    externalIds: united(externalIds, keyed.externalIds),
    keys: new Set([...keys, ...found]),
    files: new Set([...files, fileId]),
  })
  for (const key of found) byKey.set(key, (byKey.get(key) ?? new Set()).add(movieId))
}

/** Movies with this key: first those found in this scan, then those with available files. */
async function having(state: State, key: string): Promise<readonly MovieId[]> {
  const { ofMovie, byKey, libraryId } = state
  const late = byKey.get(key) ?? new Set()
  if (ofMovie.size === 0) return [...late]
  const where = [{ field: 'keys', op: 'has', values: [keyIn(libraryId, key)] }] as const
  const { items } = await state.movieKeys.find({ where, limit: SAME_KEY_MAX })
  const stored = items.filter((movie) => !late.has(movie.id) && stillHas(state, movie, key)).map(({ id }) => id)
  const isAvailable = (id: MovieId): boolean => ofMovie.get(id)?.some(({ missing }) => !missing) ?? false
  return [...late, ...stored.toSorted((a, b) => Number(isAvailable(b)) - Number(isAvailable(a)))]
}

function stillHas(state: State, { id, pinnedIds }: MovieKeysDocument, key: string): boolean {
  return storedCounts(state, id) || (pinnedIds !== null && movieKeys({ title: '', year: null, externalIds: pinnedIds }).includes(key))
}

/** Whether what the read models say of a movie still counts: it does until this scan has read all of its files. */
function storedCounts({ lately, ofMovie, isInPlace }: State, movieId: MovieId): boolean {
  const found = lately.get(movieId)
  return !found || (ofMovie.get(movieId) ?? []).some((file) => !found.files.has(file.id) && isInPlace(file))
}

async function idsOf(state: State, movieId: MovieId): Promise<ExternalIds> {
  const found = state.lately.get(movieId)?.externalIds ?? NO_IDS
  const stored = state.ofMovie.has(movieId) ? await state.movieKeys.get(movieId) : undefined
  if (stored?.pinnedIds) return stored.pinnedIds
  return stored && storedCounts(state, movieId) ? united(found, stored.externalIds) : found
}

function united(a: ExternalIds, b: ExternalIds): ExternalIds {
  return contradict(a, b) ? a : { tmdb: a.tmdb ?? b.tmdb, imdb: a.imdb ?? b.imdb }
}

export function haveSharedKey(a: Keyed, b: Keyed): boolean {
  const keys = movieKeys(a)
  return movieKeys(b).some((key) => keys.includes(key)) && !contradict(a.externalIds, b.externalIds)
}
