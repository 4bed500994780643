/** Library: a named set of root folders. */
import type { EventData, LibrarySettings, UnavailableRoot } from '../events/catalogue.ts'
import type { LibraryId } from '../events/id.ts'
import type { Decider, Decision } from './decider.ts'
import { refuse, type Refusal } from './refusal.ts'

export interface LibraryState {
  readonly library: { readonly libraryId: LibraryId; readonly offline: readonly UnavailableRoot[] } | null
}

export const library: Decider<LibraryState> = {
  initial: { library: null },
  evolve: (state, event) => {
    if (event.type === 'LibraryCreated') return { library: { libraryId: event.data.libraryId, offline: [] } }
    if (!state.library) return state
    if (event.type === 'LibraryWentOffline') return { library: { ...state.library, offline: event.data.roots } }
    return event.type === 'LibraryCameOnline' ? { library: { ...state.library, offline: [] } } : state
  },
}

export const DEFAULT_SETTINGS: LibrarySettings = { watchFiles: true, scanIntervalMinutes: 0, trickplay: true, publicImages: true }

const PATHS_MAX = 50
const NAME_MAX = 200

export const createLibrary =
  (data: EventData['LibraryCreated']) =>
  (state: LibraryState): Decision =>
    state.library ? [] : [{ type: 'LibraryCreated', data }]

/** What is wrong with a new library's name or root folders; undefined when nothing is. `mediaRoots`: where roots may lie; empty: anywhere. */
export function faultOf(name: string, paths: readonly string[], mediaRoots: readonly string[]): Refusal | undefined {
  if (name === '' || name.length > NAME_MAX) return refuse('invalid', `A name has 1 to ${NAME_MAX} characters`, { path: 'name' })
  if (paths.length === 0 || paths.length > PATHS_MAX) return refuse('invalid', `A library has 1 to ${PATHS_MAX} folders`, { path: 'paths' })
  for (const [n, path] of paths.entries()) {
    const fault = pathFault(path, paths.slice(0, n), mediaRoots)
    if (fault) return refuse('invalid', fault, { path: `paths.${n}` })
  }
  return undefined
}

function pathFault(path: string, before: readonly string[], mediaRoots: readonly string[]): string | undefined {
  if (!path.startsWith('/')) return 'A folder is given by its absolute path'
  if (path.includes('\0')) return 'A path has no NUL character'
  if (path.split('/').includes('..')) return 'A path has no ".."'
  if (before.some((other) => normalizePath(other) === normalizePath(path))) return 'This folder is named twice'
  if (mediaRoots.length > 0 && !mediaRoots.some((root) => isWithin(path, root))) return 'Libraries may not lie here (MARQUEE_MEDIA_ROOTS)'
  return undefined
}

/** Without doubled, trailing and `.` parts. */
export const normalizePath = (path: string) =>
  `/${path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/')}`

/** Whether an absolute path is the folder or lies below it; one that climbs (`..`) is within nothing. */
export function isWithin(path: string, folder: string): boolean {
  if (!path.startsWith('/') || path.includes('\0') || path.split('/').includes('..')) return false
  const [inner, outer] = [normalizePath(path), normalizePath(folder)]
  return inner === outer || inner.startsWith(outer === '/' ? '/' : `${outer}/`)
}

export const rootsAway =
  (roots: readonly UnavailableRoot[]) =>
  ({ library }: LibraryState): Decision => {
    if (!library || sameRoots(library.offline, roots)) return []
    if (roots.length === 0) return [{ type: 'LibraryCameOnline', data: { libraryId: library.libraryId } }]
    return [{ type: 'LibraryWentOffline', data: { libraryId: library.libraryId, roots } }]
  }

const sameRoots = (a: readonly UnavailableRoot[], b: readonly UnavailableRoot[]) => JSON.stringify(a) === JSON.stringify(b)
