/** Finds the files of a library below some of its roots. */
import type { FileStampDocument } from '../../../projections/views/file-stamps.ts'
import type { LibraryId } from '../../vocabulary/id.ts'
import type { ReadModels } from './read-models.ts'

/** Those that are not missing. */
export async function filesBelowRoots(
  { fileStamps }: Pick<ReadModels, 'fileStamps'>,
  libraryId: LibraryId,
  roots: ReadonlySet<string>,
): Promise<readonly FileStampDocument[]> {
  const where = [{ field: 'libraryId', op: 'eq', value: libraryId }] as const
  const files: FileStampDocument[] = []
  for await (const file of fileStamps.walk({ where })) if (roots.has(file.root) && !file.missing) files.push(file)
  return files
}
