/** Finds the files of a library below some of its roots. None of them are missing. */
import type { FileStampDocument } from '../../../projections/views/file-stamps.ts'
import type { LibraryId } from '../../vocabulary/id.ts'
import { isWithin, rootOf } from '../../domain/libraries/library.ts'
import type { ReadModels } from './read-models.ts'

type Files = Pick<ReadModels, 'fileStamps'>

/** Whether there is a file for which this is the innermost root. */
export async function hasFilesInRoot(
  { fileStamps }: Files,
  { libraryId, root, roots }: { readonly libraryId: LibraryId; readonly root: string; readonly roots: readonly string[] },
): Promise<boolean> {
  for await (const { path, missing } of fileStamps.walk({ where: inLibrary(libraryId) })) {
    if (!missing && rootOf(path, roots) === root) return true
  }
  return false
}

/** Files below the removed roots that none of the others holds. */
export async function filesBelowRemoved(
  { fileStamps }: Files,
  libraryId: LibraryId,
  { removed, roots }: { readonly removed: readonly string[]; readonly roots: readonly string[] },
): Promise<readonly FileStampDocument[]> {
  const files: FileStampDocument[] = []
  const isRemoved = (path: string) => removed.some((root) => isWithin(path, root)) && rootOf(path, roots) === undefined
  for await (const file of fileStamps.walk({ where: inLibrary(libraryId) })) if (!file.missing && isRemoved(file.path)) files.push(file)
  return files
}

const inLibrary = (value: LibraryId) => [{ field: 'libraryId', op: 'eq', value }] as const
