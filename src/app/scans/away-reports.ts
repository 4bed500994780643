/** Reports to the operator which drives below the folders of libraries are away: once, until they are back. */
import type { LibraryDocument } from '../../../projections/views/libraries.ts'
import type { LibraryId } from '../../vocabulary/id.ts'
import type { Report } from '../../ports/report.ts'

export interface AwayDrive {
  /** Its mount point. */
  readonly path: string
  /** The folder of the library around it. */
  readonly root: string
  /** Known films on it. */
  readonly films: number
}

export interface AwayReports {
  away(library: Pick<LibraryDocument, 'id' | 'name'>, drive: AwayDrive): void
  back(libraryId: LibraryId, path: string): void
}

export function createAwayReports(report: Report): AwayReports {
  const reported = new Set<string>()
  const keyOf = (libraryId: LibraryId, path: string): string => `${libraryId} ${path}`
  return {
    away({ id, name }, { path, root, films }) {
      const key = keyOf(id, path)
      if (reported.has(key)) return
      reported.add(key)
      const known =
        films === 1 ? 'the film that was found there stays as it is' : `the ${films} films that were found there stay as they are`
      const remedy = `If the drive was removed for good, replace ${root} by the other folders in it in the library's settings`
      report(
        new Error(`No drive with its films is mounted at ${path} (library ${name}): ${known}. Mount it and scan again. ${remedy}`),
        'warn',
      )
    },
    back: (libraryId, path) => void reported.delete(keyOf(libraryId, path)),
  }
}
