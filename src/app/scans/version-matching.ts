/** Finds the movie that a new file is a version of, by the keys that join files into one movie within a library. */
import type { MovieFacts } from '../../events/movie-events.ts'
import { derivedId } from '../../events/derived-id.ts'
import type { FileId, LibraryId, MovieId } from '../../vocabulary/id.ts'
import { contradict, movieKeys } from '../../events/movie-keys.ts'
import type { FileStampDocument } from '../../../projections/views/file-stamps.ts'
import { keyIn } from '../../../projections/views/movie-keys.ts'
import type { ReadModels } from '../read-models/read-models.ts'

export type Keyed = Pick<MovieFacts, 'title' | 'year' | 'externalIds'>

export interface VersionMatcher {
  /** The movie of the library that has these keys, else the id of a new movie whose first file this is. */
  find(keyed: Keyed, fileId: FileId): Promise<MovieId>
  /** Whether a movie has one of these keys. */
  fits(movieId: MovieId, keyed: Keyed): Promise<boolean>
  /** Notes that a movie has these keys, before the read models show it. */
  remember(movieId: MovieId, keyed: Keyed): void
}

interface Named {
  readonly movieId: MovieId
  readonly externalIds: MovieFacts['externalIds']
}

/** Several movies share a key only if explicit ids tell them apart. */
const SAME_KEY_MAX = 50

export function createVersionMatcher(
  { readModels }: { readonly readModels: Pick<ReadModels, 'movieKeys'> },
  libraryId: LibraryId,
  files: readonly FileStampDocument[],
): VersionMatcher {
  const lately = new Map<string, Named>()
  /** Keys of movies found in this scan: the read models may still have their former keys. */
  const foundAs = new Map<MovieId, Keyed>()
  const present = new Set(files.flatMap(({ movieId, missing }) => (missing ? [] : [movieId])))

  async function stored(key: string): Promise<readonly Named[]> {
    if (files.length === 0) return []
    const where = [{ field: 'keys', op: 'has', values: [keyIn(libraryId, key)] }] as const
    const { items } = await readModels.movieKeys.find({ where, limit: SAME_KEY_MAX })
    const standing = items.filter(({ id, pinnedIds }) => {
      const now = foundAs.get(id)
      return !now || movieKeys({ ...now, externalIds: pinnedIds ?? now.externalIds }).includes(key)
    })
    const named = standing.map(({ id, externalIds }) => ({ movieId: id, externalIds }))
    return named.toSorted((a, b) => Number(present.has(b.movieId)) - Number(present.has(a.movieId)))
  }

  function remember(movieId: MovieId, { title, year, externalIds }: Keyed): void {
    foundAs.set(movieId, { title, year, externalIds })
    for (const key of movieKeys({ title, year, externalIds })) if (!lately.has(key)) lately.set(key, { movieId, externalIds })
  }

  async function known(keyed: Keyed): Promise<MovieId | undefined> {
    for (const key of movieKeys(keyed)) {
      const late = lately.get(key)
      const others = [...(late ? [late] : []), ...(await stored(key))]
      const found = others.find(({ externalIds }) => !contradict(externalIds, keyed.externalIds))
      if (found) return found.movieId
    }
    return undefined
  }

  return {
    remember,
    async find(keyed, fileId) {
      const movieId = (await known(keyed)) ?? derivedId('movie', fileId)
      remember(movieId, keyed)
      return movieId
    },
    async fits(movieId, keyed) {
      const movie = await readModels.movieKeys.get(movieId)
      return movieKeys(keyed).some((key) => movie?.keys.includes(keyIn(libraryId, key)))
    },
  }
}

export function haveSharedKey(a: Keyed, b: Keyed): boolean {
  const keys = movieKeys(a)
  return movieKeys(b).some((key) => keys.includes(key)) && !contradict(a.externalIds, b.externalIds)
}
