/** Databases of other programs, opened read-only. */
import type { SQLOutputValue } from 'node:sqlite'
import { connect } from './connection.ts'

export type ForeignRow = Readonly<Record<string, SQLOutputValue>>

export interface ForeignDatabase {
  hasTables(...names: readonly string[]): boolean
  rows(sql: string): readonly ForeignRow[]
}

/** @throws Error SQLite cannot read the file */
export function readForeignDatabase<Result>(file: string, read: (database: ForeignDatabase) => Result): Result {
  const db = connect(file, { readOnly: true })
  try {
    const names = db.prepare(`select name from sqlite_schema where type in ('table', 'view')`).all()
    const tables = new Set(names.map(({ name }) => name))
    return read({
      hasTables: (...wanted) => wanted.every((name) => tables.has(name)),
      rows: (sql) => db.prepare(sql).all(),
    })
  } finally {
    db.close()
  }
}
