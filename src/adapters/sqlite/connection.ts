/** Opens connections to SQLite files and interprets SQLite's result codes for the adapters. */
import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

/** How long a statement waits for another process that writes to the same file. */
const BUSY_MS = 5_000

export interface ConnectionOptions {
  readonly readOnly?: boolean
  /** As `journal_mode = wal`, in order, before the first statement. */
  readonly pragmas?: readonly string[]
}

export function connect(file: string | URL, { readOnly = false, pragmas = [] }: ConnectionOptions = {}): DatabaseSync {
  const db = new DatabaseSync(file, { readOnly, timeout: BUSY_MS })
  try {
    for (const pragma of pragmas) db.exec(`pragma ${pragma}`)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/**
 * Opens a file that nothing else writes to, without changing it: no tables and no journal are created. An existing journal is read, too.
 */
export function connectUntouched(file: string): DatabaseSync {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new Error(`There is no file ${file}`)
  const url = pathToFileURL(file)
  const journal = statSync(`${file}-wal`, { throwIfNoEntry: false })
  // SQLite then needs no files of its own beside it, and the file may be on a read-only disk.
  if (!journal?.size) url.searchParams.set('immutable', '1')
  return connect(url, { readOnly: true })
}

/** The purpose of a file: its marks in the file's header, and the tables of a new one. */
export interface FileKind {
  readonly applicationId: number
  readonly version: number
  readonly tables: string
}

/** `older` and `newer`: of this kind, but another version. */
export function kindOf(db: DatabaseSync, kind: FileKind): 'empty' | 'known' | 'older' | 'newer' | 'foreign' {
  const applicationId = pragmaNumber(db, 'application_id')
  if (applicationId === kind.applicationId) {
    const version = versionOf(db)
    if (version === kind.version) return 'known'
    return version > kind.version ? 'newer' : 'older'
  }
  return applicationId === 0 && pragmaNumber(db, 'schema_version') === 0 ? 'empty' : 'foreign'
}

/** Makes the tables of an empty file. @throws Error the file is of another kind or version */
export function claim(db: DatabaseSync, kind: FileKind): void {
  const found = kindOf(db, kind)
  if (found === 'known') return
  if (found === 'newer')
    throw new Error(
      `${db.location()} was written by a newer version of Marquee: its format is ${versionOf(db)}, and this version knows ${kind.version}`,
    )
  if (found !== 'empty') throw new Error(`${db.location()} is not what this program keeps there (${found})`)
  const marks = `pragma application_id = ${kind.applicationId}; pragma user_version = ${kind.version};`
  inTransaction(db, () => db.exec(kind.tables + marks))
}

/** Version of the format of a file of a known kind. */
export const versionOf = (db: DatabaseSync): number => pragmaNumber(db, 'user_version')

const pragmaNumber = (db: DatabaseSync, pragma: string): number => Number(db.prepare(`pragma ${pragma}`).get()?.[pragma])

/** Runs in one transaction: all of it or nothing. */
export function inTransaction<Result>(db: DatabaseSync, run: () => Result): Result {
  db.exec('begin immediate')
  try {
    const result = run()
    db.exec('commit')
    return result
  } catch (error) {
    if (db.isTransaction) db.exec('rollback')
    throw error
  }
}

/** The file is not a database, or is damaged. */
export const isDamage = (error: unknown): boolean => [CORRUPT, NOT_A_DATABASE].includes(resultCode(error) & PRIMARY)

/**
 * The disk accepted the bytes but did not confirm that they are durable: after a crash they may or may not be there. Any other failure of a
 * commit is known to leave nothing.
 */
export const isSyncFailure = (error: unknown): boolean => [IO_FSYNC, IO_DIR_FSYNC].includes(resultCode(error))

/** https://www.sqlite.org/rescode.html; the low byte is the primary code. */
const PRIMARY = 0xff
const CORRUPT = 11
const NOT_A_DATABASE = 26
const IO_FSYNC = 1034
const IO_DIR_FSYNC = 1290

/** The extended code; 0 for errors that are not SQLite's. */
export const resultCode = (error: unknown): number =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : 0
