/** Finds the folders of all libraries: from the running server, or in the read models if none runs. */
import { existsSync, realpathSync } from 'node:fs'
import { readStoredDocuments } from '../../adapters/sqlite/stored-documents.ts'
import { reachServer } from '../../command-socket/remote-commands.ts'
import { socketPlace } from '../../command-socket/socket-place.ts'
import type { Config } from '../../config/config.ts'
import { dataFolderAt } from '../data-folder.ts'

export interface LibraryFolder {
  /** Name of the library. */
  readonly library: string
  readonly path: string
  /** Whether the server found it missing when it last looked. */
  readonly isAway: boolean
}

/** Of a library's document in the read models. */
interface StoredLibrary {
  readonly name: string
  readonly removedAt: string | null
  readonly roots: readonly { readonly path: string; readonly available: boolean }[]
}

/** Empty if they cannot be found out, which other checks explain. */
export async function libraryFolders({ dataDir, readStore }: Pick<Config, 'dataDir' | 'readStore'>): Promise<readonly LibraryFolder[]> {
  if (!existsSync(dataDir)) return []
  const path = realpathSync(dataDir)
  try {
    const commands = await reachServer(socketPlace(path))
    return foldersOf(await commands.listLibraries())
  } catch {
    const { readModels } = dataFolderAt(path)
    return readStore === 'sqlite:' && existsSync(readModels) ? storedFolders(readModels) : []
  }
}

function storedFolders(file: string): readonly LibraryFolder[] {
  try {
    // The read models of this version: `libraries` writes such documents.
    const stored = readStoredDocuments(file, 'libraries') as readonly StoredLibrary[]
    return foldersOf(stored.filter(({ removedAt }) => removedAt === null))
  } catch {
    return []
  }
}

const foldersOf = (libraries: readonly Pick<StoredLibrary, 'name' | 'roots'>[]): readonly LibraryFolder[] =>
  libraries.flatMap(({ name, roots }) => roots.map(({ path, available }) => ({ library: name, path, isAway: !available })))
