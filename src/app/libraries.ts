/** Libraries: what callers may ask of them and do to them. */
import type { LibrarySettings } from '../events/catalogue.ts'
import type { LibraryId } from '../events/id.ts'
import { libraryStream } from '../events/streams.ts'
import { collectionOf } from '../../projections/view.ts'
import type { LibraryDocument } from '../../projections/libraries.ts'
import { movies } from '../../projections/movies.ts'
import { createLibrary, DEFAULT_SETTINGS, faultOf, library, normalizePath } from '../domain/library.ts'
import { isRefusal, refuse, type Refusal } from '../domain/refusal.ts'
import { sees } from '../domain/visibility.ts'
import type { Ids } from '../ports/ids.ts'
import type { ReadStore } from '../ports/read-store.ts'
import type { Access } from './access.ts'
import type { Caller, RequestOrigin } from './caller.ts'
import { byUser, type Author, type Commander } from './commander.ts'
import type { Freshness } from './freshness.ts'
import { pageOf, type ListPage, type PageRequest } from './page.ts'

export interface NewLibrary {
  readonly name: string
  readonly paths: readonly string[]
  readonly language?: string
  readonly settings?: Partial<LibrarySettings>
}

/** A library with what is counted when asked. */
export interface CountedLibrary extends LibraryDocument {
  readonly movieCount: number
  readonly missingCount: number
}

export interface Libraries {
  /** Those that the caller sees, by folded name. */
  list(caller: Caller, page: PageRequest): Promise<ListPage<CountedLibrary>>
  get(caller: Caller, id: string): Promise<CountedLibrary | Refusal>
  /** Admins only (checked by the route). Refusals: `invalid` with `path` `paths.<n>` or `name`. Empty settings take the defaults. */
  create(caller: Caller, library: NewLibrary, origin: RequestOrigin): Promise<CountedLibrary | Refusal>
  count(library: LibraryDocument): Promise<CountedLibrary>
  /** The same for an operator at the command line or a start with `--media`. */
  createBy(author: Author, library: NewLibrary): Promise<LibraryId | Refusal>
}

const COLLECTION = collectionOf(movies)
const UNKNOWN = refuse('not-found', 'There is no such library')

export interface LibrariesDependencies {
  readonly access: Access
  readonly commander: Commander
  readonly freshness: Freshness
  readonly ids: Ids
  readonly store: ReadStore
  /** Where root folders may lie; empty: anywhere. */
  readonly mediaRoots: readonly string[]
}

export function createLibraries({ access, commander, freshness, ids, store, mediaRoots }: LibrariesDependencies): Libraries {
  async function count(document: LibraryDocument): Promise<CountedLibrary> {
    const of = (available: boolean) =>
      store.count(COLLECTION, [
        { field: 'libraryId', op: 'eq', value: document.id },
        { field: 'available', op: 'eq', value: available },
      ])
    return { ...document, movieCount: await of(true), missingCount: await of(false) }
  }

  async function createBy(author: Author, { name, paths, language, settings }: NewLibrary): Promise<LibraryId | Refusal> {
    const trimmed = name.trim()
    const fault = faultOf(trimmed, paths, mediaRoots)
    if (fault) return fault
    const libraryId = ids.next<'library'>()
    const data = {
      libraryId,
      name: trimmed,
      kind: 'movies',
      language: language ?? 'en',
      roots: paths.map(normalizePath),
      settings: { ...DEFAULT_SETTINGS, ...settings },
    } as const
    const outcome = await commander.execute({ stream: libraryStream(libraryId), decider: library }, createLibrary(data), author)
    if (isRefusal(outcome)) return outcome
    await freshness.reach(outcome.position)
    return libraryId
  }

  async function get(caller: Caller, id: string): Promise<CountedLibrary | Refusal> {
    const document = access.library(caller, id)
    return document ? count(document) : UNKNOWN
  }

  return {
    get,
    count,
    createBy,
    async list(caller, request) {
      const visible = [...access.libraries.values()].filter(({ id }) => sees(caller, id))
      const page = pageOf(visible, request, ({ nameKey }) => nameKey)
      return { ...page, items: await Promise.all(page.items.map(count)) }
    },
    async create(caller, request, origin) {
      const created = await createBy(byUser(caller.userId, 'createLibrary', origin), request)
      return isRefusal(created) ? created : get(caller, created)
    },
  }
}
