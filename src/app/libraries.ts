/** Libraries: what callers may ask of them and do to them. */
import type { LibrarySettings } from '../events/catalogue.ts'
import type { LibraryDocument } from '../../projections/libraries.ts'
import type { Refusal } from '../domain/refusal.ts'
import type { Caller, RequestOrigin } from './caller.ts'
import type { ListPage, PageRequest } from './page.ts'

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
}
