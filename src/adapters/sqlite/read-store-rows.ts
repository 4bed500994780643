/**
 * Converts rows of a collection to documents: whole ones from their columns and the body, or declared members alone. A member that a column
 * holds is not in the body as well.
 */
import type { SQLOutputValue } from 'node:sqlite'
import type { Json, JsonObject } from '../../events/envelope.ts'
import type { Position } from '../../events/position.ts'
import type { CollectionSpec, FieldType, Query, StoredDocument } from '../../ports/read-store.ts'
import { columnOf, isListType } from './read-store-schema.ts'
import type { Values } from './statements.ts'

/** All columns of a collection's table except `n` and `id`, in the order in which they are read and written. */
export const columnsOf = ({ fields }: CollectionSpec): readonly string[] => ['at', 'body', ...Object.keys(fields).map(columnOf)]

/** The columns that `documentOf` reads, in its order. */
export function readColumns(spec: CollectionSpec, only: readonly string[] | undefined, alias: string): string {
  const columns = ['id', ...(only ? ['at', ...only.map(columnOf)] : columnsOf(spec))]
  return columns.map((column) => `${alias}.${column}`).join(', ')
}

export function documentOf(spec: CollectionSpec, row: Values, { only, unparsed }: Members = {}): StoredDocument {
  return { id: String(row[0]), at: String(row[1]) as Position, body: only ? membersOf(spec, row, only, unparsed) : bodyOf(spec, row) }
}

type Members = Pick<Query, 'only' | 'unparsed'>

/** Columns before those of members. */
const HEAD = 2

function bodyOf({ fields }: CollectionSpec, row: Values): JsonObject {
  const body = JSON.parse(String(row[HEAD])) as Record<string, Json>
  let place = HEAD + 1
  for (const field in fields) {
    const value = row[place++] ?? null
    if (value !== null && body[field] === undefined) body[field] = valueOf(fields[field], value)
  }
  return body
}

function membersOf(spec: CollectionSpec, row: Values, only: readonly string[], unparsed: string | undefined): JsonObject {
  const members: Record<string, Json> = {}
  let place = HEAD
  for (const field of only) {
    const value = row[place++] ?? null
    members[field] = field === unparsed && typeof value === 'string' ? value : valueOf(spec.fields[field], value)
  }
  return members
}

function valueOf(type: FieldType | undefined, value: SQLOutputValue): Json {
  if (typeof value === 'string') return type === 'json' || isListType(type) ? (JSON.parse(value) as Json) : value
  if (typeof value !== 'number') return null
  return type === 'boolean' ? value === 1 : value
}

/** `values`: of the declared fields, in their order. Text that UTF-8 cannot represent is in the body, too. */
export function bodyTextOf({ fields }: CollectionSpec, { body }: StoredDocument, values: Values): string {
  // JSON has no undefined members.
  const rest: Record<string, Json | undefined> = { ...body }
  let place = 0
  for (const field in fields) {
    const value = values[place++] ?? null
    if (value !== null && (typeof value !== 'string' || value.isWellFormed())) rest[field] = undefined
  }
  return JSON.stringify(rest)
}
