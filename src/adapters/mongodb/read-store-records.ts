/**
 * Documents as MongoDB stores them, and back. A body is stored as it is, but for members that not every server of the protocol
 * takes: those that hold names with a dot or a dollar, or lists in lists. They stand in a JSON text beside it.
 */
import type { Document } from 'mongodb'
import type { Json, JsonObject } from '../../events/envelope.ts'
import type { Position } from '../../events/position.ts'
import type { Sort, StoredDocument } from '../../ports/read-store.ts'
import { pathOf, type StoredRecord } from './read-store-schema.ts'

/** MongoDB takes 100 levels, of which the record needs some. */
const LEVELS_MAX = 80
const ODD_NAME = /^\$|[.\0]|^__proto__$|^_bsontype$/

export function recordOf({ id, at, body }: StoredDocument): StoredRecord {
  const members = Object.entries(body)
  const odd = members.filter(([name, value]) => ODD_NAME.test(name) || isOdd(value, LEVELS_MAX))
  if (odd.length === 0) return { _id: id, _at: at, live: true, body }
  const plain = members.filter((member) => !odd.includes(member))
  return { _id: id, _at: at, live: true, body: Object.fromEntries(plain), odd: JSON.stringify(Object.fromEntries(odd)) }
}

function isOdd(value: Json | undefined, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  if (isList(value)) return value.some((item) => isList(item) || isOdd(item, levels - 1))
  for (const name of Object.keys(value)) if (ODD_NAME.test(name) || isOdd(value[name], levels - 1)) return true
  return false
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)

/** What a late writer finds where a document was removed. */
export const tombstoneOf = (id: string, at: Position, goneAt: number): StoredRecord => ({ _id: id, _at: at, live: false, goneAt })

/** What is read of a record: all of it, or the members named and the one it is sorted by. */
export function projectionOf(only: readonly string[] | undefined, sort?: Sort): Document | undefined {
  if (!only) return undefined
  const members = sort ? [...only, sort.field] : only
  return { _at: 1, live: 1, odd: 1, ...Object.fromEntries(members.map((member) => [pathOf(member), 1])) }
}

export function documentOf(record: StoredRecord, only?: readonly string[]): StoredDocument {
  const body = bodyOf(record)
  return { id: record._id, at: record._at, body: only ? Object.fromEntries(only.map((member) => [member, body[member] ?? null])) : body }
}

const bodyOf = ({ body = {}, odd }: StoredRecord): JsonObject =>
  odd === undefined ? body : Object.fromEntries([...Object.entries(body), ...Object.entries(JSON.parse(odd) as JsonObject)])
