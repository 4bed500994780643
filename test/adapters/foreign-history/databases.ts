/** Creates databases of other programs, with the tables that those programs create. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export const MOVIE = 'MediaBrowser.Controller.Entities.Movies.Movie'

type Value = string | number | null
/** Rows by table. */
export type Rows = Readonly<Record<string, readonly Readonly<Record<string, Value>>[]>>

/** Values of required columns that are irrelevant to a test. */
function requiredIn(db: DatabaseSync, table: string): Readonly<Record<string, Value>> {
  const columns = db.prepare(`select name, type from pragma_table_info(?) where "notnull" = 1 and dflt_value is null and pk = 0`).all(table)
  return Object.fromEntries(columns.map(({ name, type }) => [String(name), /TEXT/i.test(String(type)) ? '' : 0]))
}

/** @returns its path */
export function makeDatabase(folder: string, name: string, tables: string, rows: Rows): string {
  const file = join(folder, name)
  const db = new DatabaseSync(file)
  db.exec(tables)
  for (const [table, lines] of Object.entries(rows)) {
    const given = requiredIn(db, table)
    for (const row of lines) {
      const line = { ...given, ...row }
      const columns = Object.keys(line).map((column) => `"${column}"`)
      db.prepare(`insert into "${table}" (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`).run(...Object.values(line))
    }
  }
  db.close()
  return file
}
