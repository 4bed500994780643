/** Writes the documents of one commit: rows, and the lists that have changed. The caller holds the transaction. */
import type { SQLInputValue } from 'node:sqlite'
import type { CollectionSpec, Commit, FieldType, StoredDocument } from '../../ports/read-store.ts'
import { fieldValue } from '../shared/query-rules.ts'
import { sqlValue } from './read-store-filters.ts'
import { bodyTextOf, columnsOf } from './read-store-rows.ts'
import { columnOf, isListType, listFieldsOf, listTableOf, tableOf } from './read-store-schema.ts'
import type { KeptRow, KeptRows, Value } from './read-store-kept-rows.ts'
import type { Statements } from './statements.ts'

/** Writes into one collection; into one that is not indexed yet, rows alone: indexing fills the list tables later. */
export type DocumentWriter = (commit: Commit, indexed: boolean) => void

/** A collection prepared for writing: its statements are made once, since commits write thousands of documents. */
interface Target {
  readonly spec: CollectionSpec
  readonly statements: Statements
  readonly rows: KeptRows
  readonly fields: readonly (readonly [name: string, type: FieldType])[]
  /** Columns of the table except `n` and `id`; values come in this order. */
  readonly columns: readonly string[]
  readonly lists: readonly ListField[]
  /** Puts a row, whether it exists or not. */
  readonly upsert: string
  /** Adds a row, or does nothing if it exists. */
  readonly insert: string
  readonly select: string
  readonly remove: string
  /** The updates that were made so far, by the places of the columns that they set. */
  readonly updates: Map<string, string>
}

interface ListField {
  readonly table: string
  readonly column: string
  /** Index of its JSON among the values. */
  readonly place: number
  readonly tally: boolean
}

export function createDocumentWriter(statements: Statements, rows: KeptRows, spec: CollectionSpec): DocumentWriter {
  const target = targetOf(statements, rows, spec)
  return ({ puts, removes }, indexed) => {
    for (const { id } of removes) remove(target, id, indexed)
    for (const document of puts) {
      const values = valuesOf(target, document)
      if (indexed) put(target, document.id, values)
      else {
        rows.remove(spec.name, document.id)
        statements.run(target.upsert, [document.id, ...values])
      }
    }
  }
}

function targetOf(statements: Statements, rows: KeptRows, spec: CollectionSpec): Target {
  const fields = Object.entries(spec.fields)
  const columns = columnsOf(spec)
  const lists = listFieldsOf(spec).map((field): ListField => {
    const column = columnOf(field)
    return { table: listTableOf(spec.name, field), column, place: columns.indexOf(column), tally: spec.fields[field] === 'tally' }
  })
  const table = tableOf(spec.name)
  const insert = `insert into ${table} (id, ${columns.join(', ')}) values (?${', ?'.repeat(columns.length)})`
  return {
    spec,
    statements,
    rows,
    fields,
    columns,
    lists,
    upsert: `${insert} on conflict (id) do update set ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}`,
    insert: `${insert} on conflict (id) do nothing`,
    select: `select n, ${columns.join(', ')} from ${table} where id = ?`,
    remove: `delete from ${table} where id = ? returning ${['n', ...lists.map(({ column }) => column)].join(', ')}`,
    updates: new Map(),
  }
}

function remove({ statements, rows, spec, lists, remove }: Target, id: string, indexed: boolean): void {
  rows.remove(spec.name, id)
  const row = statements.get(remove, [id])
  if (!row || !indexed) return
  for (const list of lists) putList(statements, list, { n: row['n'] ?? null, old: row[list.column], now: null })
}

function put(target: Target, id: string, values: readonly Value[]): void {
  const { statements, rows, spec, lists } = target
  const kept = rows.get(spec.name, id) ?? undefined
  const added = kept ? undefined : statements.insert(target.insert, [id, ...values])
  const before = added === undefined ? (kept ?? stored(target, id)) : undefined
  const n = added ?? before?.n ?? null
  if (before) update(target, before, values)
  for (const list of lists) putList(statements, list, { n, old: before?.values[list.place], now: values[list.place] })
  if (n !== null) rows.put(spec.name, id, { n, values })
}

function stored({ statements, select }: Target, id: string): KeptRow | undefined {
  const [row] = statements.rows(select, [id])
  return row && { n: Number(row[0]), values: row.slice(1) as readonly Value[] }
}

/** Sets only changed columns: each column named in an update costs its indexes. */
function update(target: Target, before: KeptRow, values: readonly Value[]): void {
  const { statements, columns, updates } = target
  const places: number[] = []
  for (let place = 0; place < columns.length; place++) if (before.values[place] !== values[place]) places.push(place)
  if (places.length === 0) return
  const key = places.join(' ')
  const sql = updates.get(key) ?? updateOf(target, places)
  updates.set(key, sql)
  statements.run(sql, [...places.map((place) => values[place] ?? null), before.n])
}

const updateOf = ({ spec, columns }: Target, places: readonly number[]): string =>
  `update ${tableOf(spec.name)} set ${places.map((place) => `${columns[place]} = ?`).join(', ')} where n = ?`

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

function valuesOf({ spec, fields }: Target, document: StoredDocument): readonly Value[] {
  const declared = fields.map(([field, type]) => columnValue(spec, document, { field, type }))
  return [document.at, bodyTextOf(spec, document, declared), ...declared]
}

function columnValue(spec: CollectionSpec, document: StoredDocument, { field, type }: { field: string; type: FieldType }): Value {
  if (type === 'json') return jsonOrNull(document.body[field])
  const value = fieldValue(spec, document, field)
  return isListType(type) && value !== null ? JSON.stringify(value) : sqlValue(value)
}

const jsonOrNull = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value))
