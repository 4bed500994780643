/** Converts rows of a collection to documents: whole ones from the body and the separate columns, or declared members alone. */
import type { SQLOutputValue } from 'node:sqlite'
import type { Json, JsonObject } from '../../events/envelope.ts'
import type { Position } from '../../events/position.ts'
import type { CollectionSpec, FieldType, Query, StoredDocument } from '../../ports/read-store.ts'
import { columnOf, isListType, jsonFieldsOf } from './read-store-schema.ts'
import type { Values } from './statements.ts'

/** The columns that `documentOf` reads, in its order. */
export function readColumns(spec: CollectionSpec, only: readonly string[] | undefined, alias: string): string {
  const columns = ['id', 'at', ...(only ?? jsonFieldsOf(spec)).map(columnOf), ...(only ? [] : ['body'])]
  return columns.map((column) => `${alias}.${column}`).join(', ')
}

/** All columns of a collection's table except `n` and `id`, in the order in which they are written. */
export const columnsOf = ({ fields }: CollectionSpec): readonly string[] => ['at', ...Object.keys(fields).map(columnOf), 'body']

/** The document of a row with these columns, and its id. */
export function documentOfColumns(spec: CollectionSpec, id: string, values: Values): StoredDocument {
  const fields = Object.keys(spec.fields)
  const alone = jsonFieldsOf(spec).map((field) => values[1 + fields.indexOf(field)] ?? null)
  return documentOf(spec, [id, values[0] ?? '', ...alone, values.at(-1) ?? null])
}

export function documentOf(spec: CollectionSpec, row: Values, { only, unparsed }: Members = {}): StoredDocument {
  return { id: String(row[0]), at: String(row[1]) as Position, body: only ? membersOf(spec, row, only, unparsed) : bodyOf(spec, row) }
}

type Members = Pick<Query, 'only' | 'unparsed'>

/** Columns before those of members. */
const HEAD = 2

function bodyOf(spec: CollectionSpec, row: Values): JsonObject {
  const alone = jsonFieldsOf(spec)
  const body = JSON.parse(String(row[HEAD + alone.length])) as Record<string, Json>
  for (const [place, field] of alone.entries()) {
    const text = row[HEAD + place]
    if (typeof text === 'string') body[field] = JSON.parse(text) as Json
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

/** Leaves out members that are stored in a column only. */
export function bodyTextOf({ body }: StoredDocument, alone: ReadonlySet<string>): string {
  if (alone.size === 0) return JSON.stringify(body)
  // JSON has no undefined members.
  const rest: Record<string, Json | undefined> = { ...body }
  for (const member of alone) rest[member] = undefined
  return JSON.stringify(rest)
}
