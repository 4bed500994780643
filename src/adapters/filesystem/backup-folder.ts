/**
 * Backup store in a folder. Files are written beside their place, synced and renamed, so that a name never stands for half a file; what a
 * crash leaves is removed by the next backup.
 */
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { BackupStore } from '../../ports/backup-store.ts'
import { makeFolder } from '../shared/make-folder.ts'

const OWNER_ONLY = 0o600
const UNFINISHED = '.unfinished'

/** `readOnly`: the folder is not made, and leftovers stay. */
export async function openBackupFolder(root: string, { readOnly = false } = {}): Promise<BackupStore> {
  if (!readOnly) {
    await makeFolder(root)
    await removeUnfinished(root)
  }
  return {
    keepsEarlier: true,
    read: (name) => readFile(join(root, name)).catch(absent),
    has: async (name) => (await stat(join(root, name)).catch(absent)) !== undefined,
    async list(prefix) {
      const found = await filesBelow(join(root, dirname(`${prefix}x`)))
      const names = found.map((path) => relative(root, path)).filter((name) => name.startsWith(prefix) && !name.endsWith(UNFINISHED))
      return names.toSorted()
    },
    write: (name, bytes) => writeWhole(join(root, name), bytes),
    remove: (name) => rm(join(root, name), { force: true }),
    close: async () => {},
  }
}

async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const folder = dirname(path)
  await makeFolder(folder)
  const file = await open(`${path}${UNFINISHED}`, 'w', OWNER_ONLY)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}${UNFINISHED}`, path)
  await syncFolder(folder)
}

/** The rename itself is to survive a power cut. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  // Some network file systems cannot sync a folder.
  await folder.sync().catch(() => undefined)
  await folder.close()
}

async function removeUnfinished(root: string): Promise<void> {
  for (const path of await filesBelow(root)) if (path.endsWith(UNFINISHED)) await rm(path, { force: true })
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = (await readdir(folder, { recursive: true, withFileTypes: true }).catch(absent)) ?? []
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

/** For a file or folder that may be missing. @throws any other error */
export function absent(cause: unknown): undefined {
  if (cause instanceof Error && 'code' in cause && (cause.code === 'ENOENT' || cause.code === 'ENOTDIR')) return undefined
  throw cause
}
