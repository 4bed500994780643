/** Writes the documents of one commit: rows, and lists where they have changed. The caller holds the transaction. */
import type { SQLInputValue } from 'node:sqlite'
import type { CollectionSpec, Commit, StoredDocument } from '../../ports/read-store.ts'
import { fieldValue } from '../query-rules.ts'
import { sqlValue } from './read-store-filters.ts'
import { columnOf, isListType, jsonFieldsOf, listFieldsOf, listTableOf, tableOf } from './read-store-schema.ts'
import type { Row, Statements } from './statements.ts'

export function writeDocuments(statements: Statements, spec: CollectionSpec, { puts, removes }: Commit): void {
  for (const { id } of removes) remove(statements, spec, id)
  for (const document of puts) put(statements, spec, document)
}

function remove(statements: Statements, spec: CollectionSpec, id: string): void {
  const fields = listFieldsOf(spec)
  const returned = ['n', ...fields.map(columnOf)].join(', ')
  const row = statements.get(`delete from ${tableOf(spec.name)} where id = ? returning ${returned}`, [id])
  if (row) for (const field of fields) putList(statements, spec, { field, n: row['n'] ?? null, old: row[columnOf(field)], list: null })
}

/** The columns of one document, without `n` and `id`. */
type Columns = Readonly<Record<string, string | number | null>>

function put(statements: Statements, spec: CollectionSpec, document: StoredDocument): void {
  const fields = Object.keys(spec.fields)
  const columns: Columns = {
    at: document.at,
    ...Object.fromEntries(fields.map((field) => [columnOf(field), columnValue(spec, document, field)])),
    body: bodyText(spec, document),
  }
  const before = statements.get(
    `select n${fields.map((field) => `, ${columnOf(field)}`).join('')} from ${tableOf(spec.name)} where id = ?`,
    [document.id],
  )
  const n = before ? update(statements, spec, { before, columns }) : insert(statements, spec, { id: document.id, ...columns })
  for (const field of listFieldsOf(spec)) {
    putList(statements, spec, { field, n, old: before?.[columnOf(field)], list: columns[columnOf(field)] })
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
  readonly field: string
  readonly n: SQLInputValue
  /** JSON of the list before and now. */
  readonly old: SQLInputValue | undefined
  readonly list: SQLInputValue | undefined
}

/** Writes what has changed of a list. */
function putList(statements: Statements, spec: CollectionSpec, { field, n, old, list }: ListPut): void {
  if (list === old) return
  const [before, now] = [valuesOf(old), valuesOf(list)]
  const gone = JSON.stringify([...before].filter((value) => !now.has(value)))
  const fresh = JSON.stringify([...now].filter((value) => !before.has(value)))
  const table = listTableOf(spec.name, field)
  if (spec.fields[field] === 'tally') return count(statements, table, { gone, fresh })
  if (gone !== NONE) statements.run(`delete from ${table} where n = ? and value in (select value from json_each(?))`, [n, gone])
  if (fresh !== NONE) statements.run(`insert into ${table} (value, n) select value, ? from json_each(?)`, [n, fresh])
}

function count(statements: Statements, table: string, { gone, fresh }: { readonly gone: string; readonly fresh: string }): void {
  const those = 'value in (select value from json_each(?))'
  if (gone !== NONE) {
    statements.run(`update ${table} set count = count - 1 where ${those}`, [gone])
    statements.run(`delete from ${table} where count = 0 and ${those}`, [gone])
  }
  const more = 'on conflict (value) do update set count = count + 1'
  if (fresh !== NONE) statements.run(`insert into ${table} (value, count) select value, 1 from json_each(?) where true ${more}`, [fresh])
}

const NONE = '[]'

const valuesOf = (json: SQLInputValue | undefined): ReadonlySet<unknown> =>
  new Set(typeof json === 'string' ? (JSON.parse(json) as readonly unknown[]) : [])

function columnValue(spec: CollectionSpec, document: StoredDocument, field: string): string | number | null {
  if (spec.fields[field] === 'json') return jsonOrNull(document.body[field])
  const value = fieldValue(spec, document, field)
  return isListType(spec.fields[field]) && value !== null ? JSON.stringify(value) : sqlValue(value)
}

const jsonOrNull = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value))

function bodyText(spec: CollectionSpec, { body }: StoredDocument): string {
  const alone = jsonFieldsOf(spec)
  if (alone.length === 0) return JSON.stringify(body)
  return JSON.stringify(Object.fromEntries(Object.entries(body).filter(([member]) => !alone.includes(member))))
}
