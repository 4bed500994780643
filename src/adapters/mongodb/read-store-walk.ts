/**
 * Splits a query into ranges of an index. The walk follows the index that yields the order: the rest of a tie, the values after it, and the
 * nulls at the end, which MongoDB would put first in ascending order. Descending values are read backward, which also turns ties around
 * (read-store-backward.ts). Sources are filters whose documents an index of their own can list.
 */
import type { Document } from 'mongodb'
import type { CollectionSpec, FieldType, Filter, KeyQuery, Query, Sort } from '../../ports/read-store.ts'
import { servingIndex } from '../shared/query-rules.ts'
import { condition, holdsWord, liveAnd } from './read-store-filters.ts'
import { within, type Stretch } from './read-store-reads.ts'
import { ID_INDEX, indexNameOf, listIndexNameOf, pathOf, sortValueOf, type StoredRecord } from './read-store-schema.ts'

export interface Walk {
  readonly stretches: readonly Stretch[]
  /** Conditions that the index does not cover. */
  readonly filters: readonly Document[]
}

export function walkOf(spec: CollectionSpec, query: Omit<KeyQuery, 'scan'>): Walk {
  const { where = [], sort } = query
  const index = servingIndex(spec, where, sort) ?? []
  const isFixed = ({ field, op }: Filter): boolean => op === 'eq' && index.includes(field) && field !== sort?.field
  const ofField = where.filter(({ field }) => sort !== undefined && field === sort.field)
  const judged = [...where.filter(isFixed), ...ofField]
  const order = (direction: 1 | -1): Readonly<Record<string, 1 | -1>> =>
    sort ? { [pathOf(sort.field)]: direction, _id: direction } : { _id: direction }
  const stretch = ({ conditions, ...kind }: Bounds): Stretch => ({
    match: liveAnd([...judged.map(condition), ...conditions]),
    sort: order(sort?.direction === 'desc' && !kind.isById ? -1 : 1),
    index: indexNameOf(index),
    ...kind,
  })
  const filters = where.filter((filter) => !judged.includes(filter)).map(condition)
  return { stretches: boundsOf(spec, query, ofField).map(stretch), filters }
}

interface Bounds extends Pick<Stretch, 'isById' | 'isNarrow'> {
  readonly conditions: readonly Document[]
}

/** The bounds of each range. */
function boundsOf({ fields }: CollectionSpec, { sort, after }: Omit<KeyQuery, 'scan'>, ofField: readonly Filter[]): readonly Bounds[] {
  const laterIds = after ? [{ _id: { $gt: after.id } }] : []
  if (!sort) return [{ conditions: laterIds, isById: true }]
  const path = pathOf(sort.field)
  const isNull = { [path]: null }
  if (isOnlyNull(ofField) || after?.value === null) return [{ conditions: [isNull, ...laterIds], isById: true }]
  const nulls = ofField.length === 0 ? [{ conditions: [isNull], isById: true }] : []
  // A filter on the field already bounds it, and excludes nulls.
  if (!after) return [{ conditions: ofField.length > 0 ? [] : [{ [path]: ANY_VALUE[fields[sort.field] ?? 'text'] }] }, ...nulls]
  const beyond = sort.direction === 'desc' ? '$lt' : '$gt'
  return [
    { conditions: [{ [path]: after.value }, ...laterIds], isById: true, isNarrow: true },
    { conditions: [{ [path]: { [beyond]: after.value } }] },
    ...nulls,
  ]
}

/** The part of a range up to a document in it, as ranges of the index. */
export function upTo(stretch: Stretch, last: StoredRecord, sort: Sort | undefined): readonly Stretch[] {
  const earlierIds = [{ _id: { $lte: last._id } }]
  if (!sort || stretch.isById) return [within(stretch, earlierIds)]
  return [beforeTie(stretch, last, sort), within(tieOf(stretch, last, sort), earlierIds)]
}

/** The documents of a range that have other sort values than this one, and come before it. */
export function beforeTie(stretch: Stretch, last: StoredRecord, sort: Sort): Stretch {
  const before = sort.direction === 'desc' ? '$gt' : '$lt'
  return within(stretch, [{ [pathOf(sort.field)]: { [before]: sortValueOf(last, sort) } }])
}

/** The documents of a range that have the same sort value as this one. */
export function tieOf(stretch: Stretch, last: StoredRecord, sort: Sort): Stretch {
  const path = pathOf(sort.field)
  return { ...within(stretch, [{ [path]: sortValueOf(last, sort) }]), sort: { [path]: 1, _id: 1 }, isById: true }
}

export const isBackward = ({ sort = {} }: Stretch): boolean => sort['_id'] === -1

const isOnlyNull = (ofField: readonly Filter[]): boolean => ofField.some((filter) => filter.op === 'eq' && filter.value === null)

/** All values of a type, which is one interval of an index. */
const ANY_VALUE: Readonly<Partial<Record<FieldType, Document>>> = {
  text: { $gte: '' },
  number: { $gte: -Number.MAX_VALUE },
  boolean: { $gte: false },
}

/** Looking up documents for each of very many words costs more than it saves. */
const SOURCES_MAX = 10

export function sourcesOf(spec: CollectionSpec, { where = [], sort }: Query): readonly Stretch[] {
  const walked = servingIndex(spec, where, sort) ?? []
  const named = where.flatMap((filter): readonly Stretch[] => {
    const { field, op } = filter
    // It bounds the walk itself.
    if (field === sort?.field) return []
    if (op === 'has') return [{ match: liveAnd([condition(filter)]), index: listIndexNameOf(field) }]
    if (op === 'tokens') return filter.words.map((word) => ({ match: liveAnd([holdsWord(field, word)]), index: listIndexNameOf(field) }))
    const names = op === 'in' || op === 'prefix' || (op === 'eq' && !walked.includes(field))
    return names ? alongIndex(spec, [filter]) : []
  })
  // The bounds of a field are combined.
  const bounds = where.filter(({ field, op }) => BOUNDS.has(op) && field !== sort?.field)
  const fields = [...new Set(bounds.map(({ field }) => field))]
  const ranges = fields.flatMap((field) =>
    alongIndex(
      spec,
      bounds.filter((filter) => filter.field === field),
    ),
  )
  return [...named, ...ranges].slice(0, SOURCES_MAX)
}

const BOUNDS: ReadonlySet<Filter['op']> = new Set(['gt', 'gte', 'lt', 'lte'])

/** If an index begins with the filters' field. */
function alongIndex(spec: CollectionSpec, filters: readonly Filter[]): readonly Stretch[] {
  const index = spec.indexes.find(([first]) => first === filters[0]?.field)
  return index ? [{ match: liveAnd(filters.map(condition)), index: indexNameOf(index) }] : []
}

/** The documents with these ids. */
export const among = (ids: readonly string[]): Stretch => ({ match: { _id: { $in: [...new Set(ids)] }, live: true }, index: ID_INDEX })
