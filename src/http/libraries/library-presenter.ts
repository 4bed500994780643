/** Presents a library; only administrators see its folders. */
import type { CountedLibrary } from '../../app/libraries/libraries.ts'
import { actsAsAdmin, type Caller } from '../../app/access/caller.ts'
import type { LibraryBody } from './library-schemas.ts'

export function presentLibrary(library: CountedLibrary, caller: Caller): LibraryBody {
  const available = library.roots.every((root) => root.available)
  const mayKnowWhere = actsAsAdmin(caller)
  return {
    id: library.id,
    name: library.name,
    kind: library.kind,
    paths: mayKnowWhere ? library.roots.map(({ path }) => path) : null,
    language: library.language,
    state: library.scanning ? 'scanning' : available ? 'idle' : 'offline',
    available,
    roots: mayKnowWhere ? library.roots.map(({ path, available, reason }) => ({ path, available, reason })) : null,
    movieCount: library.movieCount,
    missingCount: library.missingCount,
    lastScan: library.lastScan,
    settings: library.settings,
    createdAt: library.createdAt,
    updatedAt: library.updatedAt,
  }
}
