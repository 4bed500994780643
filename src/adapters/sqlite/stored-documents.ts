/** Reads the documents of one collection from a file of read models, for a look from outside: the file stays as it is. */
import { connectUntouched, kindOf } from './connection.ts'
import type { CollectionSpec } from '../../ports/read-store.ts'
import { documentOf, readColumns } from './read-store-rows.ts'
import { COLLECTIONS, READ_STORE, tableOf } from './read-store-schema.ts'
import { createStatements } from './statements.ts'

/**
 * Of the collections that hold a view (`libraries_g3`: one for each generation) the one that is furthest. Empty if there is none, or the
 * file is of another version. @throws Error SQLite cannot read the file
 */
export function readStoredDocuments(file: string, view: string): readonly unknown[] {
  const db = connectUntouched(file)
  try {
    if (kindOf(db, READ_STORE) !== 'known') return []
    const statements = createStatements(db)
    const newest = `select spec from ${COLLECTIONS} where name glob ? order by checkpoint desc, name desc limit 1`
    const [[text] = []] = statements.rows(newest, [`${view}_g[0-9]*`])
    if (typeof text !== 'string') return []
    const spec = JSON.parse(text) as CollectionSpec
    const rows = statements.rows(`select ${readColumns(spec, undefined, 'c')} from ${tableOf(spec.name)} as c`, [])
    return rows.map((row) => documentOf(spec, row).body)
  } finally {
    db.close()
  }
}
