/** Manages libraries for callers. */
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { LibrarySettings, UnavailableRoot } from '../../events/library-events.ts'
import { parseId, type LibraryId } from '../../vocabulary/id.ts'
import { libraryStream } from '../../events/streams.ts'
import type { LibraryDocument } from '../../../projections/views/libraries.ts'
import {
  addedRootsAway,
  changeLibrary,
  createLibrary,
  DEFAULT_SETTINGS,
  faultOf,
  library,
  normalizePath,
  removeLibrary,
  restoreLibrary,
  rootsFault,
  type LibraryChange,
} from '../../domain/libraries/library.ts'
import { nameFault } from '../../domain/accounts/name-fault.ts'
import { isRefusal, type Refusal } from '../../domain/refusal.ts'
import { sees } from '../../domain/access/visibility.ts'
import type { Ids } from '../../ports/ids.ts'
import type { Media } from '../../ports/media.ts'
import type { Access } from '../access/access.ts'
import type { Caller, RequestOrigin } from '../access/caller.ts'
import { byUser, type Author, type CommandHandler } from '../commands/command-handler.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import type { ReadYourWrites } from '../consistency/read-your-writes.ts'
import { countLibrary } from './library-stats.ts'
import { listFolders, type FolderListing } from './folder-listing.ts'
import { newId } from '../commands/new-id.ts'
import { pageOf, type ListPage, type PageRequest } from '../read-models/page.ts'
import type { ScanControl } from '../scans/scans.ts'
import { NO_SUCH_LIBRARY } from '../../domain/libraries/refusals.ts'

export interface NewLibrary {
  readonly name: string
  readonly paths: readonly string[]
  readonly language?: string
  readonly settings?: Partial<LibrarySettings>
}

/** A library with counts that are computed on request. */
export interface CountedLibrary extends LibraryDocument {
  readonly movieCount: number
  readonly missingCount: number
}

export interface Libraries {
  /** Libraries that the caller may see, sorted by folded name. */
  list(caller: Caller, page: PageRequest): Promise<ListPage<CountedLibrary>>
  get(caller: Caller, id: string): Promise<CountedLibrary | Refusal>
  /** Admins only (checked by the route). Refusals: `invalid` with `path` `paths.<n>` or `name`. Absent settings get the defaults. */
  create(caller: Caller, library: NewLibrary, origin: RequestOrigin): Promise<CountedLibrary | Refusal>
  /** Admins only. Refusals: `not-found`, `invalid` with `path` `paths.<n>` or `name`. */
  change(caller: Caller, id: string, change: LibraryChange, origin: RequestOrigin): Promise<CountedLibrary | Refusal>
  /** Admins only. Hides the library from everybody; files, movies and history stay. */
  remove(caller: Caller, id: string, origin: RequestOrigin): Promise<Refusal | undefined>
  /** Admins only. Restores a removed library with all its content. */
  restore(caller: Caller, id: string, origin: RequestOrigin): Promise<CountedLibrary | Refusal>
  /** Removed libraries, the last removed first. Admins only (checked by the route). */
  removed(): readonly LibraryDocument[]
  /**
   * Folders to choose from, for admins only. Without a path: the folders that libraries must be below, or the top of the file system.
   * Refusals: `invalid` with `path` `path`, `not-found`, `unavailable`.
   */
  folders(path: string | undefined): Promise<FolderListing | Refusal>
  count(library: LibraryDocument): Promise<CountedLibrary>
  /** The same for an operator at the command line, or for a start with `--media`. */
  createBy(author: Author, library: NewLibrary): Promise<LibraryId | Refusal>
}

export interface LibrariesDependencies {
  readonly access: Access
  readonly commandHandler: CommandHandler
  readonly readYourWrites: ReadYourWrites
  readonly ids: Ids
  readonly readModels: Pick<ReadModels, 'movies'>
  readonly media: Pick<Media, 'health' | 'subfolders'>
  /** Ends the running scan of a library (scans.ts). */
  readonly endScan: ScanControl['end']
  /** Where root folders may be; empty: anywhere. */
  readonly mediaRoots: readonly string[]
}

export function createLibraries(deps: LibrariesDependencies): Libraries {
  const { access, commandHandler, readYourWrites, mediaRoots } = deps

  return {
    get: (caller, id) => get(deps, caller, id),
    count: (document) => count(deps, document),
    folders: (path) => listFolders(deps, path),
    removed: () => removed(deps),
    createBy: (author, request) => createBy(deps, author, request),
    async list(caller, request) {
      const visible = [...access.libraries.values()].filter(({ id }) => sees(caller, id))
      const page = pageOf(visible, request, ({ nameKey }) => nameKey)
      return { ...page, items: await Promise.all(page.items.map((document) => count(deps, document))) }
    },
    async create(caller, request, origin) {
      const created = await createBy(deps, byUser(caller.userId, 'createLibrary', origin), request)
      return isRefusal(created) ? created : get(deps, caller, created)
    },

    async change(caller, id, { name, roots, ...change }, origin) {
      const known = access.library(caller, id)
      if (!known) return NO_SUCH_LIBRARY
      const fault = (name === undefined ? undefined : nameFault(name)) ?? (roots && rootsFault(roots, mediaRoots))
      if (fault) return fault
      const wanted = {
        ...change,
        ...omitUndefined({ name: name?.trim(), roots: roots?.map(normalizePath) }),
      }
      const author = byUser(caller.userId, 'changeLibrary', origin)
      const result = await commandHandler.execute(targetOf(known.id), changeLibrary(wanted), author)
      if (isRefusal(result)) return result
      const added = result.events.flatMap(({ type, data }) => (type === 'LibraryRootAdded' ? [data.path] : []))
      await readYourWrites.waitFor((added.length > 0 && (await noteHealth(deps, known.id, { added, author }))) || result.position)
      return get(deps, caller, id)
    },
    remove: (caller, id, origin) => remove(deps, caller, id, origin),
    restore: (caller, id, origin) => restore(deps, caller, id, origin),
  }
}

const targetOf = (id: LibraryId) => ({ stream: libraryStream(id), decider: library })

const count = async ({ readModels }: LibrariesDependencies, document: LibraryDocument): Promise<CountedLibrary> => ({
  ...document,
  ...(await countLibrary(readModels, document.id)),
})

async function createBy(
  deps: LibrariesDependencies,
  author: Author,
  { name, paths, language, settings }: NewLibrary,
): Promise<LibraryId | Refusal> {
  const { mediaRoots, ids, commandHandler, readYourWrites } = deps
  const trimmed = name.trim()
  const fault = faultOf(trimmed, paths, mediaRoots)
  if (fault) return fault
  const libraryId = newId('library', ids, author.origin)
  const data = {
    libraryId,
    name: trimmed,
    kind: 'movies',
    language: language ?? 'en',
    roots: paths.map(normalizePath),
    settings: { ...DEFAULT_SETTINGS, ...settings },
  } as const
  const result = await commandHandler.execute(targetOf(libraryId), createLibrary(data), author)
  if (isRefusal(result)) return result
  await readYourWrites.waitFor((await noteHealth(deps, libraryId, { added: data.roots, author })) ?? result.position)
  return libraryId
}

interface AddedRoots {
  readonly added: readonly string[]
  readonly author: Author
}

/** Records right away which added folders are offline, not only at the first scan. */
async function noteHealth({ commandHandler, media }: LibrariesDependencies, id: LibraryId, { added, author }: AddedRoots) {
  const away: UnavailableRoot[] = []
  for (const path of added) {
    const health = await media.health(path)
    if (!health.available) away.push({ path, reason: health.reason })
  }
  const noted = await commandHandler.execute(targetOf(id), addedRootsAway(away), author)
  return isRefusal(noted) ? undefined : noted.position
}

/** More would not be looked through. */
const REMOVED_MAX = 100

const removed = ({ access }: LibrariesDependencies): readonly LibraryDocument[] =>
  [...access.removedLibraries()].sort((a, b) => (b.removedAt ?? '').localeCompare(a.removedAt ?? '')).slice(0, REMOVED_MAX)

async function get(deps: LibrariesDependencies, caller: Caller, id: string): Promise<CountedLibrary | Refusal> {
  const document = deps.access.library(caller, id)
  return document ? count(deps, document) : NO_SUCH_LIBRARY
}

async function remove(deps: LibrariesDependencies, caller: Caller, id: string, origin: RequestOrigin): Promise<Refusal | undefined> {
  const { access, commandHandler, readYourWrites } = deps
  const known = access.library(caller, id)
  if (!known) return NO_SUCH_LIBRARY
  const result = await commandHandler.execute(targetOf(known.id), removeLibrary, byUser(caller.userId, 'removeLibrary', origin))
  if (isRefusal(result)) return result
  // If a crash prevents this, the reactors end the scan (library-reactions.ts). If no scan runs, this does nothing.
  await deps.endScan(known.id, 'library-removed', byUser(caller.userId, 'cancelScan', origin))
  await readYourWrites.waitFor(result.position)
  return undefined
}

async function restore(deps: LibrariesDependencies, caller: Caller, id: string, origin: RequestOrigin): Promise<CountedLibrary | Refusal> {
  const { commandHandler, readYourWrites } = deps
  const libraryId = parseId<'library'>(id)
  if (!libraryId) return NO_SUCH_LIBRARY
  const result = await commandHandler.execute(targetOf(libraryId), restoreLibrary, byUser(caller.userId, 'restoreLibrary', origin))
  if (isRefusal(result)) return result
  await readYourWrites.waitFor(result.position)
  return get(deps, caller, id)
}
