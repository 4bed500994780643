/** Compares values like MongoDB: by type first, texts by their bytes, and paths that lead through lists. */
import { Binary, ObjectId, type Document } from 'mongodb'

const TYPES = ['null', 'number', 'string', 'object', 'array', 'binary', 'id', 'boolean', 'date'] as const

export type TypeName = (typeof TYPES)[number]

export function typeOf(value: unknown): TypeName {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'array'
  if (value instanceof Binary) return 'binary'
  if (value instanceof ObjectId) return 'id'
  if (value instanceof Date) return 'date'
  const type = typeof value
  return type === 'number' || type === 'string' || type === 'boolean' ? type : 'object'
}

/** Negative: `a` comes first. */
export function compare(a: unknown, b: unknown): number {
  const [type, other] = [typeOf(a), typeOf(b)]
  if (type !== other) return TYPES.indexOf(type) - TYPES.indexOf(other)
  if (type === 'null') return 0
  if (type === 'string') return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))
  if (type === 'array') return compareLists(a as readonly unknown[], b as readonly unknown[])
  if (type === 'object') return compareLists(Object.entries(a as Document).flat(), Object.entries(b as Document).flat())
  if (type === 'binary') return Buffer.compare((a as Binary).value(), (b as Binary).value())
  if (type === 'id') return Buffer.compare((a as ObjectId).id, (b as ObjectId).id)
  return Number(a) - Number(b)
}

function compareLists(a: readonly unknown[], b: readonly unknown[]): number {
  for (let n = 0; n < Math.min(a.length, b.length); n++) {
    const order = compare(a[n], b[n])
    if (order !== 0) return order
  }
  return a.length - b.length
}

/** Values that a condition on the path is matched against: the value, and the items of a list. Undefined: there is none. */
export function candidatesAt(document: Document, path: string): readonly unknown[] {
  const value = valueAt(document, path)
  return Array.isArray(value) ? [...value, value] : [value]
}

export function valueAt(document: unknown, path: string): unknown {
  let value = document
  for (const name of path.split('.')) {
    if (typeOf(value) !== 'object') return undefined
    value = (value as Document)[name]
  }
  return value
}

/** Sorts documents. */
export function ordered(documents: readonly Document[], sort: Document): readonly Document[] {
  const paths = Object.entries(sort)
  return documents.toSorted((a, b) => {
    for (const [path, direction] of paths) {
      const order = compare(valueAt(a, path), valueAt(b, path))
      if (order !== 0) return order * Number(direction)
    }
    return 0
  })
}

/** The members that a projection includes, or (all zeros) does not exclude. */
export function projected(document: Document, projection: Document): Document {
  const { _id = 1, ...others } = projection
  const names = Object.keys(others)
  const isInclusive = names.some((name) => Boolean(others[name])) || (names.length === 0 && Boolean(_id))
  if (!isInclusive) throw new Error('No projections that leave out')
  const given: Document = _id ? { _id: document['_id'] } : {}
  for (const path of names) copyAt(document, given, path.split('.'))
  return given
}

function copyAt(from: unknown, to: Document, [name = '', ...more]: readonly string[]): void {
  if (typeOf(from) !== 'object' || !Object.hasOwn(from as Document, name)) return
  const value: unknown = (from as Document)[name]
  if (more.length === 0) to[name] = value
  else if (typeOf(value) === 'object') copyAt(value, (to[name] ??= {}) as Document, more)
}
