/** Writes the documents of one commit: rows, and lists where they have changed. The caller holds the transaction. */
import type { SQLInputValue } from 'node:sqlite'
import type { CollectionSpec, Commit, StoredDocument } from '../../ports/read-store.ts'
import { fieldValue } from '../query-rules.ts'
import { sqlValue } from './read-store-filters.ts'
import { columnOf, isListType, listFieldsOf, listTableOf, tableOf } from './read-store-schema.ts'
import type { Row, Statements } from './statements.ts'

export function writeDocuments(statements: Statements, spec: CollectionSpec, { puts, removes }: Commit): void {
  for (const { id } of removes) remove(statements, spec, id)
  for (const document of puts) put(statements, spec, document)
}

function remove(statements: Statements, spec: CollectionSpec, id: string): void {
  const row = statements.get(`delete from ${tableOf(spec.name)} where id = ? returning n`, [id])
  if (!row) return
  for (const field of listFieldsOf(spec)) statements.run(`delete from ${listTableOf(spec.name, field)} where n = ?`, [row['n'] ?? null])
}

/** The columns of one document, without `n` and `id`. */
type Columns = Readonly<Record<string, string | number | null>>

function put(statements: Statements, spec: CollectionSpec, document: StoredDocument): void {
  const fields = Object.keys(spec.fields)
  const columns: Columns = {
    at: document.at,
    ...Object.fromEntries(fields.map((field) => [columnOf(field), columnValue(spec, document, field)])),
    body: JSON.stringify(document.body),
  }
  const before = statements.get(
    `select n${fields.map((field) => `, ${columnOf(field)}`).join('')} from ${tableOf(spec.name)} where id = ?`,
    [document.id],
  )
  const n = before ? update(statements, spec, { before, columns }) : insert(statements, spec, { id: document.id, ...columns })
  for (const field of listFieldsOf(spec)) {
    putList(statements, listTableOf(spec.name, field), {
      n,
      old: before?.[columnOf(field)] ?? null,
      list: columns[columnOf(field)] ?? null,
    })
  }
}

function insert(statements: Statements, { name }: CollectionSpec, columns: Columns): SQLInputValue {
  const names = Object.keys(columns)
  const sql = `insert into ${tableOf(name)} (${names.join(', ')}) values (${names.map(() => '?').join(', ')}) returning n`
  return statements.get(sql, Object.values(columns))?.['n'] ?? null
}

/** Sets only what has changed: each column that is named costs its indexes. */
function update(statements: Statements, { name }: CollectionSpec, { before, columns }: { before: Row; columns: Columns }): SQLInputValue {
  const changed = Object.entries(columns).filter(([column, value]) => before[column] !== value)
  const sql = `update ${tableOf(name)} set ${changed.map(([column]) => `${column} = ?`).join(', ')} where n = ?`
  const n = before['n'] ?? null
  statements.run(sql, [...changed.map(([, value]) => value), n])
  return n
}

interface ListPut {
  readonly n: SQLInputValue
  /** JSON of the list before and now. */
  readonly old: SQLInputValue
  readonly list: SQLInputValue
}

function putList(statements: Statements, table: string, { n, old, list }: ListPut): void {
  if (list === old) return
  if (old !== null) statements.run(`delete from ${table} where n = ?`, [n])
  if (list !== null) statements.run(`insert or ignore into ${table} (value, n) select value, ? from json_each(?)`, [n, list])
}

function columnValue(spec: CollectionSpec, document: StoredDocument, field: string): string | number | null {
  const value = fieldValue(spec, document, field)
  return isListType(spec.fields[field]) && value !== null ? JSON.stringify(value) : sqlValue(value)
}
