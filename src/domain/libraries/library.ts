/** Library: a named set of root folders. */
import type { DomainEvent, EventData } from '../../events/catalogue.ts'
import type { LibrarySettings, UnavailableRoot } from '../../events/library-events.ts'
import type { LibraryId, ScanId } from '../../vocabulary/id.ts'
import type { Decider, Decision } from '../decider.ts'
import { nameFault } from '../accounts/name-fault.ts'
import { refuse, refuseAll, type Refusal } from '../refusal.ts'
import { NO_SUCH_LIBRARY } from './refusals.ts'

interface Library {
  readonly libraryId: LibraryId
  readonly name: string
  readonly language: string
  readonly roots: readonly string[]
  readonly settings: LibrarySettings
  readonly offline: readonly UnavailableRoot[]
  readonly removed: boolean
}

export interface LibraryState {
  readonly library: Library | null
}

export const library: Decider<LibraryState> = {
  initial: { library: null },
  evolve: ({ library }, event) => {
    if (event.type === 'LibraryCreated') {
      const { libraryId, name, language, roots, settings } = event.data
      return { library: { libraryId, name, language, roots, settings, offline: [], removed: false } }
    }
    return { library: library && { ...library, ...changed(library, event) } }
  },
}

function changed({ roots, offline }: Library, event: DomainEvent): Partial<Library> {
  switch (event.type) {
    case 'LibraryWentOffline':
      return { offline: event.data.roots }
    case 'LibraryCameOnline':
      return { offline: [] }
    case 'LibraryRenamed':
      return { name: event.data.name }
    case 'LibraryRootAdded':
      return { roots: [...roots, event.data.path] }
    case 'LibraryRootRemoved': {
      const stays = (path: string) => path !== event.data.path
      return { roots: roots.filter(stays), offline: offline.filter(({ path }) => stays(path)) }
    }
    case 'LibrarySettingsChanged':
      return { language: event.data.language, settings: event.data.settings }
    case 'LibraryRemoved':
      return { removed: true }
    case 'LibraryRestored':
      return { removed: false }
    default:
      return {}
  }
}

export const DEFAULT_SETTINGS: LibrarySettings = { watchFiles: true, scanIntervalMinutes: 0, trickplay: true, publicImages: true }

const PATHS_MAX = 50

export const createLibrary =
  (data: EventData['LibraryCreated']) =>
  (state: LibraryState): Decision =>
    state.library ? [] : [{ type: 'LibraryCreated', data }]

/** Absent members stay unchanged. */
export interface LibraryChange {
  readonly name?: string
  /** The new list of all root folders. */
  readonly roots?: readonly string[]
  readonly language?: string
  readonly settings?: Partial<LibrarySettings>
}

/** Only differences become events. */
export const changeLibrary =
  (change: LibraryChange) =>
  ({ library }: LibraryState): Decision => {
    if (!library || library.removed) return NO_SUCH_LIBRARY
    const { libraryId, name, roots } = library
    const wanted = change.roots ?? roots
    const removed = roots.filter((path) => !wanted.includes(path))
    const added = wanted.filter((path) => !roots.includes(path))
    return [
      ...(change.name === undefined || change.name === name ? [] : [event('LibraryRenamed', { libraryId, name: change.name })]),
      // First, so that what is known of drives below a folder passes on to new folders below it.
      ...added.map((path) => event('LibraryRootAdded', { libraryId, path })),
      ...removed.map((path) => event('LibraryRootRemoved', { libraryId, path })),
      ...settingsChange(library, change),
    ]
  }

function settingsChange({ libraryId, language, settings }: Library, change: LibraryChange): readonly DomainEvent[] {
  const next = { language: change.language ?? language, settings: { ...settings, ...change.settings } }
  const same = next.language === language && SETTINGS.every((name) => next.settings[name] === settings[name])
  return same ? [] : [event('LibrarySettingsChanged', { libraryId, ...next })]
}

const SETTINGS = ['watchFiles', 'scanIntervalMinutes', 'trickplay', 'publicImages'] as const

const event = <Type extends keyof EventData>(type: Type, data: EventData[Type]) => ({ type, data })

export const removeLibrary = ({ library }: LibraryState): Decision =>
  library && !library.removed ? [{ type: 'LibraryRemoved', data: { libraryId: library.libraryId } }] : NO_SUCH_LIBRARY

/** No event for a library that was not removed. */
export const restoreLibrary = ({ library }: LibraryState): Decision => {
  if (!library) return NO_SUCH_LIBRARY
  return library.removed ? [{ type: 'LibraryRestored', data: { libraryId: library.libraryId } }] : []
}

/** What is wrong with root folders; undefined if nothing. `mediaRoots`: where they may be; empty: anywhere. */
export function rootsFault(paths: readonly string[], mediaRoots: readonly string[]): Refusal | undefined {
  if (paths.length === 0 || paths.length > PATHS_MAX) return refuse('invalid', `A library has 1 to ${PATHS_MAX} folders`, { path: 'paths' })
  return refuseAll(pathFaults(paths, mediaRoots).map(({ index, message }) => ({ path: `paths.${index}`, message })))
}

/** What is wrong with each of the folders, by index. */
export function pathFaults(
  paths: readonly string[],
  mediaRoots: readonly string[],
): readonly { readonly index: number; readonly message: string }[] {
  return paths.flatMap((path, index) => {
    const message = pathFault(path, paths.slice(0, index), mediaRoots)
    return message === undefined ? [] : [{ index, message }]
  })
}

/** What is wrong with a new library's name or root folders; undefined if nothing. */
export const faultOf = (name: string, paths: readonly string[], mediaRoots: readonly string[]): Refusal | undefined =>
  nameFault(name) ?? rootsFault(paths, mediaRoots)

/** Whether it is an absolute path without NUL and `..`. */
export const isFolderPath = (path: string): boolean => path.startsWith('/') && !path.includes('\0') && !path.split('/').includes('..')

function pathFault(path: string, before: readonly string[], mediaRoots: readonly string[]): string | undefined {
  if (!path.startsWith('/')) return 'A folder is given by its absolute path'
  if (path.includes('\0')) return 'A path has no NUL character'
  if (path.split('/').includes('..')) return 'A path has no ".."'
  if (before.some((other) => normalizePath(other) === normalizePath(path))) return 'This folder is named twice'
  if (mediaRoots.length > 0 && !mediaRoots.some((root) => isWithin(path, root))) return 'Libraries may not lie here (MARQUEE_MEDIA_ROOTS)'
  return undefined
}

/** Removes duplicate and trailing slashes and `.` parts. */
export const normalizePath = (path: string) =>
  `/${path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/')}`

/** Whether an absolute path is the folder or below it; a path with `..` is never inside. */
export function isWithin(path: string, folder: string): boolean {
  if (!isFolderPath(path)) return false
  const [inner, outer] = [normalizePath(path), normalizePath(folder)]
  return inner === outer || inner.startsWith(outer === '/' ? '/' : `${outer}/`)
}

/** The innermost of the roots that the path is in. */
export function rootOf(path: string, roots: readonly string[]): string | undefined {
  const around = roots.filter((root) => isWithin(path, root))
  return around.reduce<string | undefined>((inner, root) => (inner !== undefined && inner.length > root.length ? inner : root), undefined)
}

export const rootsAway =
  (roots: readonly UnavailableRoot[]) =>
  ({ library }: LibraryState): Decision => {
    if (!library || sameRoots(library.offline, roots)) return []
    if (roots.length === 0) return [{ type: 'LibraryCameOnline', data: { libraryId: library.libraryId } }]
    return [{ type: 'LibraryWentOffline', data: { libraryId: library.libraryId, roots } }]
  }

/** The same for roots that were just added; it leaves the others as they are. */
export const addedRootsAway =
  (away: readonly UnavailableRoot[]) =>
  (state: LibraryState): Decision => {
    const { offline = [], roots = [] } = state.library ?? {}
    return rootsAway([...offline, ...away.filter(({ path }) => roots.includes(path))])(state)
  }

const sameRoots = (a: readonly UnavailableRoot[], b: readonly UnavailableRoot[]) => JSON.stringify(a) === JSON.stringify(b)

/** A folder with up to this many films may have been emptied on purpose. */
const MASS = 10

/** Records that all files of an available root are missing, if there were many. */
export const noteMassMissing =
  (scanId: ScanId, root: string, files: number) =>
  ({ library }: LibraryState): Decision =>
    library && files > MASS ? [{ type: 'LibraryMassMissing', data: { libraryId: library.libraryId, scanId, root, files } }] : []
