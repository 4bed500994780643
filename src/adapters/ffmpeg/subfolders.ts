/** Lists the folders within a folder, for choosing one. */
import type { Dirent } from 'node:fs'
import { listMedia, statMedia } from '../../drives/media-files.ts'
import { join } from 'node:path'
import type { Subfolders } from '../../ports/media.ts'
import { byCodePoints } from '../../vocabulary/code-point-order.ts'
import { isWanted } from './ignored-files.ts'

/** More than a person looks through; also a limit for the `stat` calls of links. */
const MOST = 5_000

const REASONS: Readonly<Record<string, 'missing' | 'not-a-folder'>> = { ENOENT: 'missing', ENOTDIR: 'not-a-folder' }

export async function subfoldersOf(path: string): Promise<Subfolders> {
  try {
    const entries = (await listMedia(path)).slice(0, MOST)
    const names: string[] = []
    for (const entry of entries) if (isWanted(entry) && (await isFolder(path, entry))) names.push(entry.name)
    return { available: true, names: names.sort(byCodePoints) }
  } catch (cause) {
    const { code = '' } = Object(cause) as { readonly code?: string }
    return { available: false, reason: REASONS[code] ?? 'unreadable' }
  }
}

async function isFolder(path: string, entry: Dirent): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isDirectory()
  const target = await statMedia(join(path, entry.name)).catch(() => undefined)
  return target?.isDirectory() === true
}
