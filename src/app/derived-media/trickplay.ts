/** Serves trickplay to players: of films whose set is on disk, in libraries that offer it. */
import type { TrickplayPlan } from '../../vocabulary/trickplay.ts'
import type { LibraryId } from '../../vocabulary/id.ts'
import type { SheetPlace, TrickplayStore } from '../../ports/trickplay-store.ts'
import type { Access } from '../access/access.ts'

/** A film file, as in the files view. */
export interface OfferedFile {
  readonly fingerprint: string
  readonly libraryId: LibraryId
}

export interface Trickplay {
  /** Undefined if there is no set, or the library does not offer trickplay. */
  plan(file: OfferedFile): Promise<TrickplayPlan | undefined>
  /** A JPEG. */
  sheet(file: OfferedFile, place: SheetPlace): Promise<Uint8Array | undefined>
}

export interface TrickplayDependencies {
  readonly access: Pick<Access, 'libraries'>
  readonly store: Pick<TrickplayStore, 'plan' | 'sheet'>
}

export function createTrickplay({ access, store }: TrickplayDependencies): Trickplay {
  const isOffered = ({ libraryId }: OfferedFile): boolean => access.libraries.get(libraryId)?.settings.trickplay === true
  return {
    plan: async (file) => (isOffered(file) ? store.plan(file.fingerprint) : undefined),
    sheet: async (file, place) => (isOffered(file) ? store.sheet(file.fingerprint, place) : undefined),
  }
}
