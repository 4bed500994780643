/**
 * The schema of collections in MongoDB: each is a separate one, whose indexes all begin with `live`, so that tombstones are outside the
 * ranges that queries walk. One index serves both directions of a sort: each more would be written with every document.
 */
import type { Document } from 'mongodb'
import type { Json, JsonObject } from '../../events/envelope.ts'
import type { Position } from '../../events/position.ts'
import type { CollectionSpec, Sort } from '../../ports/read-store.ts'

/** A stored document: a live one has a body, the others are tombstones. */
export interface StoredRecord extends Document {
  readonly _id: string
  readonly _at: Position
  readonly live: boolean
  readonly body?: JsonObject
  /** JSON of members (read-store-records.ts): of those among the spec's fields that not every server accepts, and of all others. */
  readonly odd?: string
  readonly rest?: string
  /** For a tombstone: milliseconds since the Unix epoch. */
  readonly goneAt?: number
}

/** One document for each collection: `_id` is its name. */
export interface CollectionRecord extends Document {
  readonly _id: string
  /** JSON of its spec. */
  readonly spec: string
  /** Name of the MongoDB collection with its documents: a new one whenever it is recreated. */
  readonly place: string
  readonly checkpoint: Position
  readonly epoch: number
}

/** No collection has a name that begins with this. */
export const COLLECTIONS = '_collections'

/** Values of a `tally` field: the `_id` of a document for each value that documents may hold. */
export const valuesPlaceOf = (place: string, field: string): string => `${place}.${field}`

export const tallyFieldsOf = ({ fields }: Pick<CollectionSpec, 'fields'>): readonly string[] =>
  Object.keys(fields).filter((field) => fields[field] === 'tally')

export const pathOf = (field: string): string => `body.${field}`

/** Name of an index; without fields: the order of the ids. */
export const indexNameOf = (fields: readonly string[]): string => (fields.length > 0 ? `${fields.join(' ')} asc` : 'ids')

export const listIndexNameOf = (field: string): string => `${field} values`

/** Made by MongoDB itself. */
export const ID_INDEX = '_id_'

const INDEXES_MAX = 64

export interface IndexDescription {
  readonly name: string
  readonly key: Readonly<Record<string, 1 | -1>>
}

/** @throws TypeError there are more than MongoDB allows */
export function indexesOf({ name, fields, indexes }: CollectionSpec): readonly IndexDescription[] {
  const lists = Object.keys(fields).filter((field) => LISTS.has(fields[field]))
  const described: readonly IndexDescription[] = [
    ...[[], ...indexes].map((fields) => ({ key: keyOf(fields), name: indexNameOf(fields) })),
    ...lists.map((field) => listIndexOf(field)),
  ]
  if (described.length >= INDEXES_MAX) throw new TypeError(`${name}: ${described.length} indexes are too many`)
  return [...new Map(described.map((index) => [index.name, index])).values()]
}

const LISTS: ReadonlySet<string | undefined> = new Set(['list', 'tokens', 'tally'])

const listIndexOf = (field: string): IndexDescription => ({ key: { live: 1, [pathOf(field)]: 1 as const }, name: listIndexNameOf(field) })

const keyOf = (fields: readonly string[]): Readonly<Record<string, 1>> => ({
  live: 1,
  ...Object.fromEntries(fields.map((field) => [pathOf(field), 1 as const])),
  _id: 1,
})

/** The sort value of a document; null if missing. */
export const sortValueOf = ({ body }: StoredRecord, sort: Sort | undefined): Json => (sort && body?.[sort.field]) ?? null
