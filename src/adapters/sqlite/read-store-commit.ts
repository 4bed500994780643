/** Writes the documents of one commit: rows, and the lists that have changed. The caller holds the transaction. */
import type { SQLInputValue } from 'node:sqlite'
import type { Json } from '../../events/envelope.ts'
import type { CollectionSpec, Commit, FieldType, StoredDocument } from '../../ports/read-store.ts'
import { fieldValue } from '../shared/query-rules.ts'
import { sqlValue } from './read-store-filters.ts'
import { columnOf, isListType, jsonFieldsOf, listFieldsOf, listTableOf, tableOf } from './read-store-schema.ts'
import type { Row, Statements } from './statements.ts'

/** Writes into one collection; into one that is not indexed yet, rows alone: indexing fills the list tables later. */
export type DocumentWriter = (commit: Commit, indexed: boolean) => void

/** A collection prepared for writing: its statements are made once, since commits write thousands of documents. */
interface Target {
  readonly spec: CollectionSpec
  readonly statements: Statements
  readonly fields: readonly (readonly [name: string, type: FieldType])[]
  /** Columns of the table except `n` and `id`; values come in this order. */
  readonly columns: readonly string[]
  readonly lists: readonly ListField[]
  readonly jsonFields: ReadonlySet<string>
  /** Puts a row, whether it exists or not. */
  readonly upsert: string
  readonly insert: string
  readonly select: string
  readonly remove: string
}

interface ListField {
  readonly table: string
  readonly column: string
  /** Index of its JSON among the values. */
  readonly place: number
  readonly tally: boolean
}

export function createDocumentWriter(statements: Statements, spec: CollectionSpec): DocumentWriter {
  const target = targetOf(statements, spec)
  return ({ puts, removes }, indexed) => {
    for (const { id } of removes) remove(target, id, indexed)
    for (const document of puts) {
      const values = valuesOf(target, document)
      if (indexed) put(target, document.id, values)
      else statements.run(target.upsert, [document.id, ...values])
    }
  }
}

function targetOf(statements: Statements, spec: CollectionSpec): Target {
  const fields = Object.entries(spec.fields)
  const columns = ['at', ...fields.map(([field]) => columnOf(field)), 'body']
  const lists = listFieldsOf(spec).map((field): ListField => {
    const column = columnOf(field)
    return { table: listTableOf(spec.name, field), column, place: columns.indexOf(column), tally: spec.fields[field] === 'tally' }
  })
  const table = tableOf(spec.name)
  const insert = `insert into ${table} (id, ${columns.join(', ')}) values (?${', ?'.repeat(columns.length)})`
  return {
    spec,
    statements,
    fields,
    columns,
    lists,
    jsonFields: new Set(jsonFieldsOf(spec)),
    upsert: `${insert} on conflict (id) do update set ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}`,
    insert: `${insert} returning n`,
    select: `select n, ${columns.join(', ')} from ${table} where id = ?`,
    remove: `delete from ${table} where id = ? returning ${['n', ...lists.map(({ column }) => column)].join(', ')}`,
  }
}

function remove({ statements, lists, remove }: Target, id: string, indexed: boolean): void {
  const row = statements.get(remove, [id])
  if (!row || !indexed) return
  for (const list of lists) putList(statements, list, { n: row['n'] ?? null, old: row[list.column], now: null })
}

type Value = string | number | null

function put(target: Target, id: string, values: readonly Value[]): void {
  const { statements, lists } = target
  const before = statements.get(target.select, [id])
  const n = (before ? before['n'] : statements.get(target.insert, [id, ...values])?.['n']) ?? null
  if (before) update(target, before, values)
  for (const list of lists) putList(statements, list, { n, old: before?.[list.column], now: values[list.place] })
}

/** Sets only changed columns: each column named in an update costs its indexes. */
function update({ statements, spec, columns }: Target, before: Row, values: readonly Value[]): void {
  const changed = columns.flatMap((column, place) => (before[column] === values[place] ? [] : [{ column, value: values[place] ?? null }]))
  if (changed.length === 0) return
  const sql = `update ${tableOf(spec.name)} set ${changed.map(({ column }) => `${column} = ?`).join(', ')} where n = ?`
  statements.run(sql, [...changed.map(({ value }) => value), before['n'] ?? null])
}

interface ListPut {
  readonly n: SQLInputValue
  /** JSON of the list before and after. */
  readonly old: SQLInputValue | undefined
  readonly now: SQLInputValue | undefined
}

/** Writes the changed values of a list. */
function putList(statements: Statements, { table, tally }: ListField, { n, old, now }: ListPut): void {
  if (now === old) return
  const [before, after] = [itemsOf(old), itemsOf(now)]
  const gone = JSON.stringify([...before].filter((value) => !after.has(value)))
  const fresh = JSON.stringify([...after].filter((value) => !before.has(value)))
  if (tally) return count(statements, table, { gone, fresh })
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

const itemsOf = (json: SQLInputValue | undefined): ReadonlySet<unknown> =>
  new Set(typeof json === 'string' ? (JSON.parse(json) as readonly unknown[]) : [])

function valuesOf({ spec, fields, jsonFields }: Target, document: StoredDocument): readonly Value[] {
  const values: Value[] = [document.at]
  for (const [field, type] of fields) values.push(columnValue(spec, document, { field, type }))
  values.push(bodyText(document, jsonFields))
  return values
}

function columnValue(spec: CollectionSpec, document: StoredDocument, { field, type }: { field: string; type: FieldType }): Value {
  if (type === 'json') return jsonOrNull(document.body[field])
  const value = fieldValue(spec, document, field)
  return isListType(type) && value !== null ? JSON.stringify(value) : sqlValue(value)
}

const jsonOrNull = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value))

/** Leaves out members that are stored in a column only. */
function bodyText({ body }: StoredDocument, alone: ReadonlySet<string>): string {
  if (alone.size === 0) return JSON.stringify(body)
  // JSON has no undefined members.
  const rest: Record<string, Json | undefined> = { ...body }
  for (const member of alone) rest[member] = undefined
  return JSON.stringify(rest)
}
