/**
 * Translates filters of a query into MongoDB conditions. Each is a range or a set of points on an index of its field; none is an unanchored
 * pattern.
 */
import type { Document } from 'mongodb'
import type { Filter } from '../../ports/read-store.ts'
import { afterPrefix } from '../../vocabulary/code-point-order.ts'
import { pathOf } from './read-store-schema.ts'

/** All conditions, on live documents. */
export const liveAnd = (conditions: readonly Document[]): Document =>
  conditions.length > 0 ? { live: true, $and: conditions } : { live: true }

/** A value of another type, null included, is in no range: MongoDB compares within a type. */
export function condition(filter: Filter): Document {
  const path = pathOf(filter.field)
  switch (filter.op) {
    case 'eq':
      return { [path]: filter.value }
    case 'in':
    case 'has':
      return { [path]: { $in: filter.values } }
    case 'prefix':
      return { [path]: startsWith(filter.value) }
    case 'tokens':
      return filter.words.length > 0 ? { $and: filter.words.map((word) => holdsWord(filter.field, word)) } : { [path]: { $ne: null } }
    default:
      return { [path]: { [`$${filter.op}`]: filter.value } }
  }
}

/**
 * A pattern that begins with `^` and plain letters is a range of the index. An explicit range would need `$elemMatch` to apply to one word,
 * which FerretDB turns into two conditions.
 */
export const holdsWord = (field: string, word: string): Document => ({
  [pathOf(field)]: { $regex: `^${word.replaceAll(SPECIAL, String.raw`\$&`)}` },
})

const SPECIAL = /[\\^$.*+?()[\]{}|]/g

/** Texts are compared by their bytes in UTF-8, which is by code points. */
export function startsWith(prefix: string): Document {
  const end = afterPrefix(prefix)
  return end === undefined ? { $gte: prefix } : { $gte: prefix, $lt: end }
}

/** Every server finds a single id without a search. */
export const oneOf = (ids: readonly string[]) => (ids.length === 1 && ids[0] !== undefined ? ids[0] : { $in: [...ids] })
