/**
 * FolderLock: one process owns a data folder. The lock is SQLite's own on an empty file: the kernel releases it when the process ends,
 * however it ends, so there is never a stale lock.
 *
 * Nothing else may open that file in the same process: closing any descriptor of it would drop the lock (POSIX).
 */
import { DatabaseSync } from 'node:sqlite'

export interface FolderLock {
  /** May be called again. */
  release(): void
}

export interface FolderLockOptions {
  /** How long to wait for a process that is just ending. */
  readonly waitMs: number
}

const SQLITE_BUSY = 5

/** Keeps references to the connections: otherwise the garbage collector would close them and drop their locks. */
const held = new Set<DatabaseSync>()

/** Takes the lock; undefined if another process (or this one) holds it. */
export function lockFolder(path: string, { waitMs }: FolderLockOptions): FolderLock | undefined {
  const database = new DatabaseSync(path, { timeout: waitMs })
  try {
    database.exec('begin exclusive')
  } catch (cause) {
    database.close()
    if (isBusy(cause)) return undefined
    throw cause
  }
  held.add(database)
  return { release: () => void (held.delete(database) && database.close()) }
}

const isBusy = (cause: unknown) => cause instanceof Error && 'errcode' in cause && Number(cause.errcode) % 256 === SQLITE_BUSY
