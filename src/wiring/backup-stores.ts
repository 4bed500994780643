/** Where backups go: a folder, or a file if the name ends with `.marquee`. Encryption is loaded only if a passphrase is used. */
import { readFile, readdir } from 'node:fs/promises'
import { statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { createBackupFile, openBackupFile } from '../adapters/filesystem/backup-file.ts'
import { absent, openBackupFolder } from '../adapters/filesystem/backup-folder.ts'
import type { LastingFile } from '../app/backup/write-backup.ts'
import type { BackupKeys, BackupStore } from '../ports/backup-store.ts'
import { fileErrorCode, fileReason, knownFileReason } from '../vocabulary/file-reason.ts'

const FILE_ENDING = '.marquee'

/** @throws Error a file is where the folder would be, or nothing can be written there */
export async function openForWriting(path: string): Promise<BackupStore> {
  if (!path.endsWith(FILE_ENDING) && statSync(path, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw new Error(`${path} is a file: give a folder, or a name that ends with ${FILE_ENDING} for a backup in one file`)
  }
  try {
    return explained(path, await (path.endsWith(FILE_ENDING) ? createBackupFile(path) : openBackupFolder(path)))
  } catch (cause) {
    throw unwritable(path, cause)
  }
}

/** The same store; what fails while it is written names the place. */
function explained(path: string, store: BackupStore): BackupStore {
  const said = (cause: unknown): never => {
    throw knownFileReason(fileErrorCode(cause)) === undefined ? cause : unwritable(path, cause)
  }
  return { ...store, write: (name, bytes) => store.write(name, bytes).catch(said), close: (complete) => store.close(complete).catch(said) }
}

function unwritable(path: string, cause: unknown): Error {
  const advice = FULL.has(fileErrorCode(cause)) ? 'Make room there, or give another place' : 'Give another place'
  return new Error(`No backup can be written to ${path}: ${fileReason(cause)}. ${advice}`, { cause })
}

const FULL = new Set(['ENOSPC', 'EDQUOT'])

/** Changes nothing there; undefined if there is nothing. @throws Error the file is no backup */
export async function openForReading(path: string): Promise<BackupStore | undefined> {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) return undefined
  return found.isDirectory() ? openBackupFolder(path, { readOnly: true }) : openBackupFile(path)
}

export const backupKeys = async (): Promise<BackupKeys> => (await import('../adapters/age/backup-keys.ts')).ageBackupKeys

/** Whatever lies in the folder, one file after the other. @throws Error the folder is there, but cannot be read */
export async function* filesIn(folder: string): AsyncGenerator<LastingFile> {
  // Only a missing folder is an empty one: a backup without the uploads must not pass for a complete one.
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile()) yield { path: relative(folder, path), read: () => readFile(path).catch(absent) }
  }
}
