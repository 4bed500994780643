/**
 * Places: which movie and which file a film on disk is. By its path; else, where a known file is gone, by the same content
 * elsewhere (it was moved); else by the keys that make files versions of one movie; else it is new.
 */
import type { FileId, LibraryId, MovieId } from '../events/id.ts'
import type { FileDocument } from '../../projections/files.ts'
import { movieKeys } from '../domain/film-name.ts'
import type { Ids } from '../ports/ids.ts'
import type { Documents } from './documents.ts'
import type { ReadFilm } from './film-reading.ts'

export interface Place {
  readonly movieId: MovieId
  readonly fileId: FileId
  readonly how: 'known' | 'moved' | 'added'
}

export interface Places {
  /** The file that stands at this path, as the read models have it. */
  at(path: string): FileDocument | undefined
  /** All files of the library, as the read models have them. */
  readonly files: readonly FileDocument[]
  /** Whether the file has been found elsewhere. */
  wasMoved(id: FileId): boolean
  find(film: ReadFilm): Place
}

type Keyed = Parameters<typeof movieKeys>[0]

/** `present`: paths that the walk has seen; a file elsewhere with the content of a known one that is not among them was moved. */
export async function readPlaces(
  deps: { readonly documents: Documents; readonly ids: Ids },
  libraryId: LibraryId,
  present: ReadonlySet<string>,
): Promise<Places> {
  const { documents, ids } = deps
  const byPath = new Map<string, FileDocument>()
  const gone = new Map<string, FileDocument>()
  const moved = new Set<FileId>()
  const where = [{ field: 'libraryId', op: 'eq', value: libraryId }] as const
  for await (const file of documents.files.walk({ where })) {
    byPath.set(file.path, file)
    if (!present.has(file.path)) gone.set(file.fingerprint, file)
  }
  const movies = new Map<string, { readonly movieId: MovieId; readonly keyed: Keyed }>()
  for await (const { id, details } of documents.movies.walk({ where })) remember(id, details)

  function remember(movieId: MovieId, keyed: Keyed): void {
    for (const key of movieKeys(keyed)) if (!movies.has(key)) movies.set(key, { movieId, keyed })
  }

  function movieOf(keyed: Keyed): MovieId {
    const known = movieKeys(keyed)
      .flatMap((key) => movies.get(key) ?? [])
      .find((other) => !contradict(other.keyed, keyed))
    const movieId = known?.movieId ?? ids.next<'movie'>()
    remember(movieId, keyed)
    return movieId
  }

  return {
    files: [...byPath.values()],
    wasMoved: (id) => moved.has(id),
    at: (path) => byPath.get(path),
    find({ location, identity }) {
      const known = byPath.get(location.path)
      if (known) return { movieId: known.movieId, fileId: known.id, how: 'known' }
      const elsewhere = gone.get(location.fingerprint)
      if (elsewhere && !moved.has(elsewhere.id)) {
        moved.add(elsewhere.id)
        return { movieId: elsewhere.movieId, fileId: elsewhere.id, how: 'moved' }
      }
      return { movieId: movieOf(identity.facts), fileId: ids.next<'file'>(), how: 'added' }
    },
  }
}

/** Two films that name different entries of the same provider are two films, whatever their titles. */
function contradict({ externalIds: a }: Keyed, { externalIds: b }: Keyed): boolean {
  const differ = (x: string | null, y: string | null) => x !== null && y !== null && x !== y
  return differ(a.tmdb, b.tmdb) || differ(a.imdb, b.imdb)
}
