/** Looks for damage in a SQLite file, also in one that a running server has open. */
import { existsSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { connect, connectUntouched, isDamage } from './connection.ts'

/** Names the only database of the connection. */
const PREFIX = /^\*\*\* in database main \*\*\*\s*/

export interface CheckedFile {
  readonly file: string
  /** Whether it has a write-ahead log while a server has it open. */
  readonly hasWal: boolean
}

/** SQLite's words for the first damage; undefined: none was found. Reads the whole file. @throws Error it cannot be opened */
export function damageIn(checked: CheckedFile): string | undefined {
  try {
    const db = open(checked)
    try {
      const found = String(db.prepare('pragma quick_check(1)').get()?.['quick_check'])
      return found === 'ok' ? undefined : found.replace(PREFIX, '')
    } finally {
      db.close()
    }
  } catch (cause) {
    if (isDamage(cause) && cause instanceof Error) return cause.message
    throw cause
  }
}

/**
 * Without SQLite's locks a file that is being written would look damaged. With them SQLite would make a log beside one that nobody has open.
 */
const open = ({ file, hasWal }: CheckedFile): DatabaseSync =>
  hasWal && !existsSync(`${file}-wal`) ? connectUntouched(file) : connect(file, { readOnly: true })
