/**
 * The schema of a collection in SQLite: a table with a column for each declared field, a side table for each list, and the indexes. A new
 * collection has only its documents: the rest is built in one go at the first query or the end of a rebuild.
 */
import type { CollectionSpec, FieldType } from '../../ports/read-store.ts'
import { isSparse } from '../shared/query-rules.ts'
import type { FileKind } from './connection.ts'

/** `$` is not allowed in the name of a collection. */
export const COLLECTIONS = '"$collections"'

/** `MQrs` */
export const READ_STORE: FileKind = {
  applicationId: 0x4d517273,
  version: 6,
  tables: `create table ${COLLECTIONS} (
    name text primary key, spec text not null, checkpoint text not null, epoch integer not null, indexed integer not null) strict;`,
}

export const tableOf = (collection: string): string => `"${collection}"`
export const columnOf = (field: string): string => `f_${field}`
/** Rows of value and document, sorted both ways. */
export const listTableOf = (collection: string, field: string): string => `"${collection}.${field}"`
/** No fields: the ids. */
export const indexOf = (collection: string, fields: readonly string[]): string => `"${collection}:${fields.join(',')}"`

const SIDE_TABLES: ReadonlySet<FieldType | undefined> = new Set(['list', 'tokens', 'tally'])
export const isListType = (type: FieldType | undefined): boolean => SIDE_TABLES.has(type)
export const listFieldsOf = ({ fields }: CollectionSpec): readonly string[] =>
  Object.keys(fields).filter((field) => isListType(fields[field]))

const jsonFieldsOf = ({ fields }: CollectionSpec): readonly string[] => Object.keys(fields).filter((field) => fields[field] === 'json')

/**
 * Index of the filtered values by document, for wide documents, of which few fit into the page cache: a walk then reads only the documents
 * that it returns. Undefined for slim documents.
 */
export const filterIndexOf = (spec: CollectionSpec): string | undefined => (jsonFieldsOf(spec).length > 0 ? `"${spec.name}:n"` : undefined)

const filterFieldsOf = ({ fields }: CollectionSpec): readonly string[] =>
  Object.keys(fields).filter((field) => fields[field] !== 'json' && !isListType(fields[field]))

/** Lists are stored in the table too, as JSON, so that only changed values of a list are written. */
const COLUMN_TYPES: Readonly<Record<FieldType, string>> = {
  text: 'text',
  number: 'real',
  boolean: 'integer',
  list: 'text',
  tokens: 'text',
  tally: 'text',
  json: 'text',
}

/** Statements for a new collection: its documents, and the lookup by id. */
export function creationOf(spec: CollectionSpec): string {
  const { name, fields } = spec
  // Lists and body come last, so that members read alone lie in front of them.
  const inOrder = [...Object.keys(fields).filter((field) => !isListType(fields[field])), ...listFieldsOf(spec)]
  const columns = inOrder.map((field) => `${columnOf(field)} ${COLUMN_TYPES[fields[field] ?? 'text']}, `)
  return [
    `create table ${tableOf(name)} (n integer primary key, id text not null, at text not null, ${columns.join('')}body text not null) strict`,
    `create unique index ${indexOf(name, [])} on ${tableOf(name)} (id)`,
  ].join(';\n')
}

/** The further structures that queries need, built from the existing documents, in build order. */
export function indexingOf(spec: CollectionSpec): readonly string[] {
  const { name, fields, indexes } = spec
  const filterIndex = filterIndexOf(spec)
  return [
    ...indexes.map((index) => indexCreation(spec, index)),
    ...(filterIndex
      ? [`create index ${filterIndex} on ${tableOf(name)} (${['n', 'id', ...filterFieldsOf(spec).map(columnOf)].join(', ')})`]
      : []),
    ...listFieldsOf(spec).flatMap((field) => listCreation(name, field, fields[field])),
  ]
}

function indexCreation(spec: CollectionSpec, fields: readonly string[]): string {
  const columns = fields.map(columnOf).join(', ')
  const part = isSparse(spec, fields) ? ` where ${columnOf(fields[0] ?? '')} is not null` : ''
  return `create index ${indexOf(spec.name, fields)} on ${tableOf(spec.name)} (${columns}, ${tieOf(spec, fields)})${part}`
}

/**
 * What sorts documents with equal values in an index: the id. In a unique field only documents without a value can be equal, so the ids of
 * the others, which would be most of the index, are left out. `prefix`: of the columns' names, such as `t.`.
 */
export function tieOf({ unique = [] }: CollectionSpec, fields: readonly string[], prefix = ''): string {
  const last = fields.at(-1)
  return last !== undefined && unique.includes(last) ? `iif(${prefix}${columnOf(last)} is null, ${prefix}id, null)` : `${prefix}id`
}

/** Words are looked up by prefix within a document, too; whole values are not. */
function listCreation(collection: string, field: string, type: FieldType | undefined): readonly string[] {
  const table = listTableOf(collection, field)
  const values = `from ${tableOf(collection)} as t, json_each(t.${columnOf(field)}) as j`
  if (type === 'tally') {
    return [
      `create table ${table} (value text primary key, count integer not null) strict, without rowid`,
      `insert into ${table} select j.value, count(distinct t.n) ${values} group by 1`,
    ]
  }
  return [
    `create table ${table} (value any not null, n integer not null, primary key (value, n)) strict, without rowid`,
    `insert or ignore into ${table} select j.value, t.n ${values} order by 1, 2`,
    ...(type === 'tokens' ? [`create index ${table.replace(/"$/, ':n"')} on ${table} (n, value)`] : []),
  ]
}

export function removalOf(spec: CollectionSpec): string {
  const tables = [tableOf(spec.name), ...listFieldsOf(spec).map((field) => listTableOf(spec.name, field))]
  return tables.map((table) => `drop table if exists ${table}`).join(';\n')
}
