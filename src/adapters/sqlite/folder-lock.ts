/**
 * FolderLock: one process owns a data folder. The lock is SQLite's own on a file that holds nothing: the kernel releases it when
 * the process ends, however it ends, so there is no stale one to clear away.
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

/** Holds on to the connections: one that nobody refers to would be closed by the garbage collector, and its lock with it. */
const held = new Set<DatabaseSync>()

/** Takes the lock, or gives undefined where another process (or this one) holds it. */
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
