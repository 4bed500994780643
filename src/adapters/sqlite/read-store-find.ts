/**
 * Translates a query into SQL, in one of two ways. The *walk* follows the index that yields the order, examines a bounded number of
 * documents and filters them. If a filter alone matches few documents, these *candidates* are examined instead and sorted. That is bounded
 * too, and finds one film in 100,000 that a paged walk would take long to reach.
 */
import type { CollectionSpec, Filter, KeyQuery, Query, Sort, TallyRange } from '../../ports/read-store.ts'
import { DEFAULT_SCAN, isSparse, seeksNull, servingIndex } from '../shared/query-rules.ts'
import { allOf, condition, fragment, listed, sqlValue, startsWith, type Fragment } from './read-store-filters.ts'
import { readColumns } from './read-store-rows.ts'
import { columnOf, filterIndexOf, indexOf, listTableOf, tableOf, tieOf } from './read-store-schema.ts'

/** A page in two forms. */
export interface Pages {
  /** Rows that `documentOf` reads, with `k` (sort value) at the end. */
  readonly page: Fragment
  /** Rows `id, n, k` of the same documents (read-store-texts.ts). */
  readonly keys: Fragment
}

export interface Walk extends Pages {
  /** Row `id, k` of the last document examined, and of one more if there is one. */
  readonly end: Fragment
}

/**
 * SQLite reads the value of a bare `limit ?` when it plans, and so plans again at every binding, which takes longer than most pages. It
 * does not read computed values.
 */
const LIMIT = 'limit +?'

export function walkOf(spec: CollectionSpec, query: Query): Walk {
  const { limit, scan = DEFAULT_SCAN } = query
  const { rows, condition, end } = stepsOf(spec, { ...query, scan })
  const keys = fittingOf(spec, { rows, condition, limit: limit + 1 })
  return { page: documentsOf(spec, query, keys), keys, end }
}

export interface KeyWalk {
  /** Rows `id, k`. */
  readonly keys: Fragment
  /** As for a walk. */
  readonly end: Fragment
}

/** The same for keys alone. */
export function keyWalkOf(spec: CollectionSpec, query: KeyQuery): KeyWalk {
  const { rows, condition, end } = stepsOf(spec, query)
  const sql = `select w.id, w.k from (${rows.sql}) as w cross join ${tableOf(spec.name)} as s ${byNumber(spec)} on s.n = w.n
    where ${condition.sql}`
  return { keys: fragment(sql, ...rows.values, ...condition.values), end }
}

interface Steps extends Pick<Found, 'rows' | 'condition'>, Pick<Walk, 'end'> {}

function stepsOf(spec: CollectionSpec, query: KeyQuery): Steps {
  const { where = [], sort, scan } = query
  const index = servingIndex(spec, where, sort) ?? []
  const isFixed = ({ field, op }: Filter): boolean => op === 'eq' && index.includes(field) && field !== sort?.field
  const parts = stretchesOf(spec, query, index).map(({ sql, values }) => fragment(`select * from (${sql} ${LIMIT})`, ...values, scan + 1))
  const steps = fragment(parts.map(({ sql }) => sql).join(' union all '), ...parts.flatMap(({ values }) => values))
  return {
    rows: fragment(`${steps.sql} ${LIMIT}`, ...steps.values, scan),
    condition: allOf(where.filter((filter) => !isFixed(filter)).map((filter) => condition(spec.name, filter, 's'))),
    end: fragment(`select id, k from (${steps.sql}) limit 2 offset +?`, ...steps.values, scan - 1),
  }
}

interface Found {
  readonly rows: Fragment
  readonly condition: Fragment
  readonly limit: number
}

/** Those of the rows `n, id, k` that meet the condition on `s`, the slim part of wide documents. */
function fittingOf(spec: CollectionSpec, { rows, condition, limit }: Found): Fragment {
  const sql = `select w.id, w.n, w.k from (${rows.sql}) as w cross join ${tableOf(spec.name)} as s ${byNumber(spec)} on s.n = w.n
    where ${condition.sql} ${LIMIT}`
  return fragment(sql, ...rows.values, ...condition.values, limit)
}

/** The documents `c` of rows with `n` and `k`, in their order. */
function documentsOf(spec: CollectionSpec, { only }: Query, { sql, values }: Fragment): Fragment {
  // The limit of the rows keeps SQLite from filtering on the wide documents themselves after reading them.
  const documents = `select ${readColumns(spec, only, 'c')}, f.k from (${sql}) as f cross join ${tableOf(spec.name)} as c on c.n = f.n`
  return fragment(documents, ...values)
}

/** How to filter documents whose number is known. */
function byNumber(spec: CollectionSpec): string {
  const index = filterIndexOf(spec)
  return index ? `indexed by ${index}` : 'not indexed'
}

/** Consecutive ranges of the index: the rest of the tie, the values after it, and the nulls at the end. */
function stretchesOf(spec: CollectionSpec, query: KeyQuery, index: readonly string[]): readonly Fragment[] {
  const { where = [], sort, after } = query
  const fixed = where.filter(({ field, op }) => op === 'eq' && index.includes(field) && field !== sort?.field)
  const base = allOf(fixed.map((filter) => condition(spec.name, filter, 't')))
  const key = sort ? `t.${columnOf(sort.field)}` : 'null'
  const from = `select t.n, t.id, ${key} as k from ${tableOf(spec.name)} as t indexed by ${indexOf(spec.name, index)}`
  const stretch = (conditions: readonly Fragment[], order: string): Fragment => {
    const { sql, values } = allOf([base, ...conditions])
    return fragment(`${from} where ${sql} order by ${order}`, ...values)
  }
  if (!sort) return [stretch(after ? [fragment('t.id > ?', after.id)] : [], 't.id')]

  const nulls = fragment(`${key} is null`)
  const ofField = where.filter(({ field }) => field === sort.field)
  const onlyNulls = ofField.some((filter) => filter.op === 'eq' && filter.value === null)
  const id = tieOf(spec, index, 't.')
  const laterNulls = after?.value === null ? [fragment(`${id} > ?`, after.id)] : []
  if (onlyNulls || after?.value === null) return [stretch([nulls, ...laterNulls], id)]
  const tie = after && stretch([fragment(`${key} = ? and t.id > ?`, sqlValue(after.value), after.id)], id)
  const ahead = stretch(valuesAhead(spec, query, ofField), `${key} ${sort.direction}, ${id} ${tieDirectionOf(spec, sort)}`)
  return [...(tie ? [tie] : []), ahead, ...(ofField.length === 0 ? [stretch([nulls], id)] : [])]
}

/**
 * Equal values are always in the order of their ids. If an index is read backwards, SQLite sorts those of each value. If no two values are
 * equal, it need not.
 */
const tieDirectionOf = ({ unique = [] }: CollectionSpec, { field, direction }: Sort): Sort['direction'] =>
  unique.includes(field) ? direction : 'asc'

/**
 * Conditions that bound the sort field. After a keyset only the bound on its side is used: SQLite starts a range at one bound only and
 * would walk from the other. The filter itself is checked on each document anyway.
 */
function valuesAhead(spec: CollectionSpec, { sort, after }: KeyQuery, ofField: readonly Filter[]): readonly Fragment[] {
  const rising = sort?.direction !== 'desc'
  const key = `t.${columnOf(sort?.field ?? '')}`
  if (!after) {
    const bounds = ofField.filter(({ op }) => op !== 'in').map((filter) => condition(spec.name, filter, 't'))
    return bounds.length > 0 ? bounds : [fragment(`${key} is not null`)]
  }
  const farOps = rising ? ['lt', 'lte'] : ['gt', 'gte']
  const far = ofField.filter(({ op }) => farOps.includes(op)).map((filter) => condition(spec.name, filter, 't'))
  return [fragment(`${key} ${rising ? '>' : '<'} ?`, sqlValue(after.value)), ...far]
}

/** Rows of `n`: the documents with these ids. */
export const sourceAmong = (spec: CollectionSpec, ids: readonly string[]): Fragment =>
  fragment(`select n from ${tableOf(spec.name)} where id in (select value from json_each(?))`, JSON.stringify(ids))

/** Rows `value, count` of a counted field. */
export function talliesOf(spec: CollectionSpec, field: string, { prefix, after, limit }: TallyRange): Fragment {
  const conditions = allOf([startsWith('value', prefix), ...(after === undefined ? [] : [fragment('value > ?', after)])])
  const sql = `select value, count from ${listTableOf(spec.name, field)} where ${conditions.sql} order by value ${LIMIT}`
  return fragment(sql, ...conditions.values, limit)
}

/** Filters whose documents an index of their own can list: rows of `n`. */
export function sourcesOf(spec: CollectionSpec, { where = [], sort }: Query | KeyQuery): readonly Fragment[] {
  const walked = servingIndex(spec, where, sort) ?? []
  const named = where.flatMap((filter) => {
    const { field, op } = filter
    if (op === 'has' || op === 'tokens') return listed(spec.name, filter)
    const names = op === 'in' || op === 'prefix' || (op === 'eq' && !walked.includes(field))
    return names ? alongIndex(spec, [filter]) : []
  })
  // The bounds of a field are combined; those of the sort field bound the walk itself.
  const bounds = where.filter(({ field, op }) => BOUNDS.has(op) && field !== sort?.field)
  const fields = [...new Set(bounds.map(({ field }) => field))]
  return [
    ...named,
    ...fields.flatMap((field) =>
      alongIndex(
        spec,
        bounds.filter((filter) => filter.field === field),
      ),
    ),
  ]
}

const BOUNDS: ReadonlySet<Filter['op']> = new Set(['gt', 'gte', 'lt', 'lte'])

/** Rows of `n`, if an index begins with the filters' field. */
function alongIndex(spec: CollectionSpec, filters: readonly Filter[]): readonly Fragment[] {
  const index = spec.indexes.find((one) => one[0] === filters[0]?.field && !(isSparse(spec, one) && filters.some(seeksNull)))
  if (!index) return []
  const { sql, values } = allOf(filters.map((filter) => condition(spec.name, filter, 't')))
  return [fragment(`select n from ${tableOf(spec.name)} as t indexed by ${indexOf(spec.name, index)} where ${sql}`, ...values)]
}

/** Row `count`: the number of documents of a source, counted no further than `limit`. */
export const countOf = ({ sql, values }: Fragment, limit: number): Fragment =>
  fragment(`select count(*) as count from (${sql} ${LIMIT})`, ...values, limit)

/** Pages like those of a walk: the documents of a source that meet all filters, sorted. */
export function candidatesOf(spec: CollectionSpec, query: Query, source: Fragment): Pages {
  const { sql, values } = sortedCandidates(spec, query, { source, columns: 't.id, t.n' })
  const keys = fragment(`${sql} ${LIMIT}`, ...values, query.limit + 1)
  return { page: documentsOf(spec, query, keys), keys }
}

/** The keys of all of them: rows `id, k`. */
export const candidateKeysOf = (spec: CollectionSpec, query: Omit<KeyQuery, 'scan'>, source: Fragment): Fragment =>
  sortedCandidates(spec, query, { source, columns: 't.id' })

/** Rows with these columns, and `k`. */
function sortedCandidates(
  spec: CollectionSpec,
  query: Omit<KeyQuery, 'scan'>,
  { source, columns }: { readonly source: Fragment; readonly columns: string },
): Fragment {
  const { where = [], sort } = query
  const key = sort ? `t.${columnOf(sort.field)}` : 'null'
  const order = sort ? `${key} is null, ${key} ${sort.direction}, t.id` : 't.id'
  const conditions = allOf([
    fragment(`t.n in (${source.sql})`, ...source.values),
    ...where.map((filter) => condition(spec.name, filter, 't')),
    ...keyset(query, key),
  ])
  const sql = `select ${columns}, ${key} as k from ${tableOf(spec.name)} as t ${byNumber(spec)} where ${conditions.sql} order by ${order}`
  return fragment(sql, ...conditions.values)
}

function keyset({ sort, after }: Omit<KeyQuery, 'scan'>, key: string): readonly Fragment[] {
  if (!after) return []
  if (!sort) return [fragment('t.id > ?', after.id)]
  if (after.value === null) return [fragment(`${key} is null and t.id > ?`, after.id)]
  const value = sqlValue(after.value)
  const beyond = sort.direction === 'asc' ? '>' : '<'
  return [fragment(`(${key} ${beyond} ? or (${key} = ? and t.id > ?) or ${key} is null)`, value, value, after.id)]
}
