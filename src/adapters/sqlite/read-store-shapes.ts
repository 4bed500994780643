/**
 * Keeps the SQL of queries by their shape. Queries of one shape differ only in values: composing the text again takes longer than running
 * it. The text is composed once, for a query with a mark in place of each value, and the marks show where the values belong.
 */
import type { SQLInputValue } from 'node:sqlite'
import { createLruCache, type LruCache } from '../../concurrency/lru-cache.ts'
import type { CollectionSpec, Filter, Query } from '../../ports/read-store.ts'
import { NAMED_MAX, type Fragment } from './read-store-filters.ts'

type Compose<Name extends string> = (spec: CollectionSpec, query: Query) => Readonly<Record<Name, Fragment>>

/** Where the values of a fragment come from: the place of a value in the query, or a value that is part of the shape. */
interface Template {
  readonly sql: string
  readonly places: readonly { readonly place: number; readonly fixed: SQLInputValue }[]
}

/** Kept shapes of each collection. */
const SHAPES_MAX = 200

/** Composes the same as `compose`. Queries whose values decide about the text are composed each time. */
export function byShape<Name extends string>(compose: Compose<Name>): Compose<Name> {
  // A collection that is made anew has another spec.
  const kept = new WeakMap<CollectionSpec, LruCache<Readonly<Record<Name, Template>>>>()
  return (spec, query) => {
    const read = readShape(query)
    if (!read) return compose(spec, query)
    const shapes = kept.get(spec) ?? createLruCache(SHAPES_MAX)
    kept.set(spec, shapes)
    const templates = shapes.get(read.shape) ?? templatesOf(compose(spec, markedQuery(query)))
    shapes.put(read.shape, templates)
    return mapped(templates, ({ sql, places }) => ({ sql, values: places.map(({ place, fixed }) => read.values[place] ?? fixed) }))
  }
}

function mapped<Name extends string, From, To>(record: Readonly<Record<Name, From>>, to: (from: From) => To): Readonly<Record<Name, To>> {
  const made: Partial<Record<Name, To>> = {}
  for (const name in record) made[name] = to(record[name])
  return made as Readonly<Record<Name, To>>
}

interface ReadShape {
  readonly shape: string
  /** Values of the query in order; each is marked in `markedQuery`. */
  readonly values: readonly (string | number)[]
}

function readShape({ where = [], sort, after, among, only, limit, scan }: Query): ReadShape | undefined {
  const values: (string | number)[] = []
  let shape = `${limit} ${scan ?? ''} ${sort ? `${sort.field} ${sort.direction}` : ''} ${only ? only.join(',') : '*'}`
  for (const filter of where) {
    const read = readFilter(filter, values)
    if (read === undefined) return undefined
    shape += ` ${filter.field} ${read}`
  }
  if (after) {
    if (typeof after.value === 'object' && after.value !== null) return undefined
    shape += ` after ${kindOf(after.value)}`
    if (isValue(after.value)) values.push(after.value)
    values.push(after.id)
  }
  if (among) {
    shape += ' among'
    values.push(JSON.stringify(among))
  }
  return { shape, values }
}

/** Undefined: its values decide about the text. */
function readFilter(filter: Filter, values: (string | number)[]): string | undefined {
  const { op } = filter
  if (op === 'prefix' || op === 'tokens') return undefined
  const given = 'values' in filter ? filter.values : isValue(filter.value) ? [filter.value] : []
  if ('values' in filter && (given.length === 0 || given.length > NAMED_MAX)) return undefined
  values.push(...given)
  return `${op} ${('values' in filter ? given : [filter.value]).map(kindOf).join()}`
}

const isValue = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number'
/** Booleans and null are part of the shape. */
const kindOf = (value: unknown): string => (isValue(value) ? typeof value : String(value))

const TEXT_MARK = '\0value '
/** Below all numbers that are part of a shape, such as limits. */
const NUMBER_MARK = Number.MIN_SAFE_INTEGER

/** The query with marks, numbered as `readShape` numbers the values. */
function markedQuery(query: Query): Query {
  let place = 0
  const mark = <Value>(value: Value): Value =>
    (typeof value === 'string' ? TEXT_MARK + place++ : typeof value === 'number' ? NUMBER_MARK + place++ : value) as Value
  const where = (query.where ?? []).map(
    (filter) =>
      ('values' in filter
        ? { ...filter, values: filter.values.map(mark) }
        : 'value' in filter
          ? { ...filter, value: mark(filter.value) }
          : filter) as Filter,
  )
  const after = query.after && { value: mark(query.after.value), id: mark(query.after.id) }
  const among = query.among && [TEXT_MARK + place]
  return { ...query, where, ...(after ? { after } : {}), ...(among ? { among } : {}) }
}

const templatesOf = <Name extends string>(fragments: Readonly<Record<Name, Fragment>>): Readonly<Record<Name, Template>> =>
  mapped(fragments, ({ sql, values }) => ({ sql, places: values.map((value) => ({ place: placeOf(value), fixed: value })) }))

/** -1: it is no mark. */
function placeOf(value: SQLInputValue): number {
  if (typeof value === 'number') return value < NUMBER_MARK + MARKS_MAX ? value - NUMBER_MARK : -1
  if (typeof value !== 'string') return -1
  // Ids are one value: a list in JSON.
  const text = value.startsWith('[') ? String(JSON.parse(value)) : value
  return text.startsWith(TEXT_MARK) ? Number(text.slice(TEXT_MARK.length)) : -1
}

const MARKS_MAX = 10_000
