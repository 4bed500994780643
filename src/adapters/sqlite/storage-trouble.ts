/** Maps SQLite's result codes to trouble with the disk and the files: https://www.sqlite.org/rescode.html */
import { basename } from 'node:path'
import { StorageTrouble, type StorageTroubleCode } from '../../ports/server.ts'
import { resultCode } from './connection.ts'

const PRIMARY = 0xff
/** No room for the index of the journal, which SQLite reports as an I/O error. */
const IO_SHM_SIZE = 4874
/** The file was deleted or moved after it was opened. */
const READ_ONLY_MOVED = 1032

/** By primary code: BUSY, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB. */
const TROUBLES: ReadonlyMap<number, StorageTroubleCode> = new Map([
  [5, 'storage-failing'],
  [8, 'read-only'],
  [10, 'storage-failing'],
  [11, 'damaged'],
  [13, 'disk-full'],
  [14, 'storage-failing'],
  [26, 'damaged'],
])

/** Undefined: the error has another cause. */
export function troubleOf(error: unknown): StorageTroubleCode | undefined {
  const code = resultCode(error)
  if (code === IO_SHM_SIZE) return 'disk-full'
  return code === READ_ONLY_MOVED ? 'files-gone' : TROUBLES.get(code & PRIMARY)
}

/** Runs a function and converts failures of the disk or the file. @throws StorageTrouble */
export function onFile<Result>(file: string, run: () => Result): Result {
  try {
    return run()
  } catch (cause) {
    throw asTrouble(file, cause)
  }
}

export function asTrouble(file: string, cause: unknown): unknown {
  const code = troubleOf(cause)
  return code ? new StorageTrouble(code, file, { cause }) : cause
}

export const filesGone = (path: string): StorageTrouble =>
  new StorageTrouble('files-gone', path, { cause: new Error(`${basename(path)} was deleted, moved or replaced`) })
