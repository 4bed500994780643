/** Lists folders for the choice of a library's folders, only where libraries may be. */
import { isFolderPath, isWithin, normalizePath, pathFaults } from '../../domain/libraries/library.ts'
import { refuse, type Refusal } from '../../domain/refusal.ts'
import type { Media } from '../../ports/media.ts'

export interface FolderListing {
  /** Null: the list of the folders that libraries must be below. */
  readonly path: string | null
  /** The folder above, if it may be listed. */
  readonly parent: string | null
  readonly folders: readonly { readonly name: string; readonly path: string }[]
}

export interface FolderListingDependencies {
  readonly media: Pick<Media, 'subfolders'>
  /** Where libraries may be; empty: anywhere. */
  readonly mediaRoots: readonly string[]
}

const NOT_THERE = refuse('not-found', 'There is no such folder')
const UNREADABLE = refuse('unavailable', 'The folder cannot be read now', { retryAfterSeconds: 30 })

export async function listFolders(
  { media, mediaRoots }: FolderListingDependencies,
  asked: string | undefined,
): Promise<FolderListing | Refusal> {
  if (asked === undefined && mediaRoots.length > 0) {
    const folders = mediaRoots.map(normalizePath).map((path) => ({ name: path, path }))
    return { path: null, parent: null, folders }
  }
  const path = normalizePath(asked ?? '/')
  const fault = isFolderPath(asked ?? '/') ? pathFaults([path], mediaRoots)[0]?.message : 'A folder is given by its absolute path'
  if (fault !== undefined) return refuse('invalid', fault, { path: 'path' })
  const found = await media.subfolders(path)
  if (!found.available) return found.reason === 'unreadable' ? UNREADABLE : NOT_THERE
  const above = parentOf(path)
  const parent = above !== null && (mediaRoots.length === 0 || mediaRoots.some((root) => isWithin(above, root))) ? above : null
  return { path, parent, folders: found.names.map((name) => ({ name, path: normalizePath(`${path}/${name}`) })) }
}

const parentOf = (path: string): string | null => (path === '/' ? null : path.slice(0, path.lastIndexOf('/')) || '/')
