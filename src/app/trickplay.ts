/** Trickplay as players see it: of films whose set is on disk, in libraries that offer it. */
import type { TrickplayPlan } from '../events/trickplay.ts'
import type { LibraryId } from '../events/id.ts'
import type { TrickplayStore } from '../ports/trickplay-store.ts'
import type { Access } from './access.ts'

/** A film file, as the files view has it. */
export interface OfferedFile {
  readonly fingerprint: string
  readonly libraryId: LibraryId
}

export interface Trickplay {
  /** Undefined where there is none, or the library offers none. */
  plan(file: OfferedFile): Promise<TrickplayPlan | undefined>
  /** A JPEG; `width` as the plan has it. */
  sheet(file: OfferedFile, place: { readonly width: number; readonly sheet: number }): Promise<Uint8Array | undefined>
}

export interface TrickplayDependencies {
  readonly access: Pick<Access, 'libraries'>
  readonly store: Pick<TrickplayStore, 'plan' | 'sheet'>
}

export function createTrickplay({ access, store }: TrickplayDependencies): Trickplay {
  const isOffered = ({ libraryId }: OfferedFile): boolean => access.libraries.get(libraryId)?.settings.trickplay === true
  const plan = async (file: OfferedFile) => (isOffered(file) ? store.plan(file.fingerprint) : undefined)
  return {
    plan,
    async sheet(file, { width, sheet }) {
      return (await plan(file))?.width === width ? store.sheet(file.fingerprint, sheet) : undefined
    },
  }
}
