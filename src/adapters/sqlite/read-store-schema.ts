/**
 * How a collection lies in SQLite: a table with a column for each declared field, a side table for each list, and each index
 * twice, since only an index with its last field in falling order gives falling values with rising ids among equals.
 */
import type { CollectionSpec, FieldType } from '../../ports/read-store.ts'
import type { FileKind } from './connection.ts'

/** `$` cannot stand in the name of a collection. */
export const COLLECTIONS = '"$collections"'

/** `MQrs` */
export const READ_STORE: FileKind = {
  applicationId: 0x4d517273,
  version: 1,
  tables: `create table ${COLLECTIONS} (
    name text primary key, spec text not null, checkpoint text not null, epoch integer not null) strict;`,
}

export type Direction = 'asc' | 'desc'

export const tableOf = (collection: string): string => `"${collection}"`
export const columnOf = (field: string): string => `f_${field}`
/** Rows of value and document, sorted both ways round. */
export const listTableOf = (collection: string, field: string): string => `"${collection}.${field}"`
/** No fields: the ids. */
export const indexOf = (collection: string, fields: readonly string[], direction: Direction): string =>
  `"${collection}:${fields.join(',')}${direction === 'desc' ? ' desc' : ''}"`

const SIDE_TABLES: ReadonlySet<FieldType | undefined> = new Set(['list', 'tokens', 'tally'])
export const isListType = (type: FieldType | undefined): boolean => SIDE_TABLES.has(type)
export const listFieldsOf = ({ fields }: CollectionSpec): readonly string[] =>
  Object.keys(fields).filter((field) => isListType(fields[field]))

/** Members that stand in a column only, and not in the body. */
export const jsonFieldsOf = ({ fields }: CollectionSpec): readonly string[] =>
  Object.keys(fields).filter((field) => fields[field] === 'json')

/** Lists stand in the table too, as JSON: so that only what has changed of a list is written. */
const COLUMN_TYPES: Readonly<Record<FieldType, string>> = {
  text: 'text',
  number: 'real',
  boolean: 'integer',
  list: 'text',
  tokens: 'text',
  tally: 'text',
  json: 'text',
}

export function creationOf(spec: CollectionSpec): string {
  const { name, fields, indexes } = spec
  // The body comes last, so that a filter reads nothing of it.
  const columns = Object.entries(fields).map(([field, type]) => `${columnOf(field)} ${COLUMN_TYPES[type]}, `)
  return [
    `create table ${tableOf(name)} (n integer primary key, id text not null, at text not null, ${columns.join('')}body text not null) strict`,
    `create unique index ${indexOf(name, [], 'asc')} on ${tableOf(name)} (id)`,
    ...indexes.flatMap((index) => [indexCreation(name, index, 'asc'), indexCreation(name, index, 'desc')]),
    ...listFieldsOf(spec).flatMap((field) => listCreation(listTableOf(name, field), fields[field])),
  ].join(';\n')
}

function indexCreation(collection: string, fields: readonly string[], direction: Direction): string {
  const columns = fields.map(columnOf).join(', ')
  return `create index ${indexOf(collection, fields, direction)} on ${tableOf(collection)} (${columns} ${direction}, id)`
}

/** Words are sought by prefix in one document too, whole values by themselves. */
function listCreation(table: string, type: FieldType | undefined): readonly string[] {
  if (type === 'tally') return [`create table ${table} (value text primary key, count integer not null) strict, without rowid`]
  const rows = `create table ${table} (value any not null, n integer not null, primary key (value, n)) strict, without rowid`
  return type === 'tokens' ? [rows, `create index ${table.replace(/"$/, ':n"')} on ${table} (n, value)`] : [rows]
}

export function removalOf(spec: CollectionSpec): string {
  const tables = [tableOf(spec.name), ...listFieldsOf(spec).map((field) => listTableOf(spec.name, field))]
  return tables.map((table) => `drop table if exists ${table}`).join(';\n')
}
