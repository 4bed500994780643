/** Reads the documents of one collection from a file of read models, for a look from outside: the file stays as it is. */
import { connectUntouched, kindOf } from './connection.ts'
import { COLLECTIONS, READ_STORE, tableOf } from './read-store-schema.ts'

/**
 * Of the collections that hold a view (`libraries_g3`: one for each generation) the one that is furthest. Empty if there is none, or the
 * file is of another version. @throws Error SQLite cannot read the file
 */
export function readStoredDocuments(file: string, view: string): readonly unknown[] {
  const db = connectUntouched(file)
  try {
    if (kindOf(db, READ_STORE) !== 'known') return []
    const named = db.prepare(`select name from ${COLLECTIONS} where name glob ? order by checkpoint desc, name desc limit 1`)
    const { name } = named.get(`${view}_g[0-9]*`) ?? {}
    if (typeof name !== 'string') return []
    const rows = db.prepare(`select body from ${tableOf(name)}`).all()
    return rows.map(({ body }): unknown => JSON.parse(String(body)))
  } finally {
    db.close()
  }
}
