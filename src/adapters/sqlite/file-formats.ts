/** Versions of the formats of SQLite files, read without changing the files: for a start that must not touch files of a newer version. */
import { existsSync } from 'node:fs'
import { connectUntouched, kindOf, versionOf, type FileKind } from './connection.ts'
import { KIND as EVENT_LOG } from './event-log-file.ts'
import { IDEMPOTENCY_STORE } from './idempotency-store.ts'
import { READ_STORE } from './read-store-schema.ts'
import { VAULT } from './vault.ts'

/** The files of a data folder, by their names in `DataFolder`. */
export const FILE_KINDS = {
  eventLog: EVENT_LOG,
  vault: VAULT,
  readModels: READ_STORE,
  idempotencyStore: IDEMPOTENCY_STORE,
} as const satisfies Readonly<Record<string, FileKind>>

/** The file's version if it is newer than the one that this program knows. A missing or damaged file has none. */
export function newerVersionOf(file: string, kind: FileKind): number | undefined {
  if (!existsSync(file)) return undefined
  try {
    const db = connectUntouched(file)
    try {
      return kindOf(db, kind) === 'newer' ? versionOf(db) : undefined
    } finally {
      db.close()
    }
  } catch {
    // Opening it for writing reports what is wrong with it.
    return undefined
  }
}
