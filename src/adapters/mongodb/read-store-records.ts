/**
 * Converts documents to MongoDB records and back. Members that queries use are stored as they are; all others are one JSON text, which both
 * ends write and read several times faster. JSON also holds members that not every server of the protocol accepts: names with a dot or a
 * dollar, or nested lists.
 */
import type { Document } from 'mongodb'
import type { Json, JsonObject } from '../../events/envelope.ts'
import type { Position } from '../../events/position.ts'
import type { CollectionSpec, Sort, StoredDocument } from '../../ports/read-store.ts'
import { pathOf, type StoredRecord } from './read-store-schema.ts'

/** MongoDB takes 100 levels, of which the record needs some. */
const LEVELS_MAX = 80
const ODD_NAME = /^\$|[.\0]|^__proto__$|^_bsontype$/

export function recordOf({ id, at, body }: StoredDocument, { fields }: Pick<CollectionSpec, 'fields'>): StoredRecord {
  const members = Object.entries(body)
  const rest = members.filter(([name]) => !Object.hasOwn(fields, name))
  const odd = members.filter(([name, value]) => Object.hasOwn(fields, name) && isOdd(value, LEVELS_MAX))
  const plain = members.filter((member) => !rest.includes(member) && !odd.includes(member))
  return { _id: id, _at: at, live: true, body: Object.fromEntries(plain), ...textOf('odd', odd), ...textOf('rest', rest) }
}

const textOf = <Name extends string>(name: Name, members: readonly (readonly [string, Json])[]): { readonly [N in Name]?: string } =>
  members.length > 0 ? ({ [name]: JSON.stringify(Object.fromEntries(members)) } as { readonly [N in Name]: string }) : {}

function isOdd(value: Json | undefined, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  if (isList(value)) return value.some((item) => isList(item) || isOdd(item, levels - 1))
  for (const name of Object.keys(value)) if (ODD_NAME.test(name) || isOdd(value[name], levels - 1)) return true
  return false
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)

/** Found by a late writer in place of a removed document. */
export const tombstoneOf = (id: string, at: Position, goneAt: number): StoredRecord => ({ _id: id, _at: at, live: false, goneAt })

/** The members to read of a record: all of it, or the requested ones and the sort field. */
export function projectionOf(only: readonly string[] | undefined, sort?: Sort): Document | undefined {
  if (!only) return undefined
  const members = sort ? [...only, sort.field] : only
  return { _at: 1, live: 1, odd: 1, ...Object.fromEntries(members.map((member) => [pathOf(member), 1])) }
}

/** Only what an index of the sort field holds: a walk that needs no other members reads no documents. A sort value is never odd. */
export const keyProjectionOf = (sort?: Sort): Document => ({ _id: 1, ...(sort ? { [pathOf(sort.field)]: 1 } : {}) })

export function documentOf(record: StoredRecord, only?: readonly string[]): StoredDocument {
  const body = bodyOf(record)
  return { id: record._id, at: record._at, body: only ? Object.fromEntries(only.map((member) => [member, body[member] ?? null])) : body }
}

const bodyOf = ({ body = {}, odd, rest }: StoredRecord): JsonObject =>
  Object.fromEntries([...Object.entries(body), ...membersOf(odd), ...membersOf(rest)])

const membersOf = (text: string | undefined): readonly (readonly [string, Json])[] =>
  text === undefined ? [] : Object.entries(JSON.parse(text) as JsonObject)
