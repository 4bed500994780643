/** Answers queries on one collection. */
import type { SQLOutputValue } from 'node:sqlite'
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type {
  CollectionSpec,
  Key,
  KeyPage,
  KeyQuery,
  Page,
  Query,
  StoredDocument,
  Sum,
  Sums,
  Tallied,
  TallyRange,
} from '../../ports/read-store.ts'
import {
  checkFilters,
  checkIds,
  checkKeyQuery,
  checkMembers,
  checkQuery,
  checkSums,
  checkTally,
  DEFAULT_SCAN,
  servingIndex,
} from '../shared/query-rules.ts'
import { allOf, countCondition, type Fragment } from './read-store-filters.ts'
import {
  candidateKeysOf,
  candidatesOf,
  countOf,
  keyWalkOf,
  sourceAmong,
  sourcesOf,
  talliesOf,
  walkOf,
  type Pages,
} from './read-store-find.ts'
import { documentOf, readColumns } from './read-store-rows.ts'
import { readSums, sumsOf } from './read-store-sums.ts'
import { tableOf } from './read-store-schema.ts'
import { documentsOfKeys, documentsOfTexts, keepTexts, readsKeys, type TextStore } from './read-store-texts.ts'
import { byShape } from './read-store-shapes.ts'
import type { Counts } from './read-store-counts.ts'
import type { Values } from './statements.ts'

export interface Queried extends TextStore {
  /** For each collection the queries for which a walk is better, as found since its last commit. */
  readonly walked: Map<string, Set<string>>
  readonly counts: Counts
}

export function get(
  store: Queried,
  spec: CollectionSpec,
  { id, only }: { readonly id: string; readonly only: readonly string[] | undefined },
): StoredDocument | undefined {
  checkMembers(spec, only)
  if (store.rows.get(spec.name, id) === null && store.rowsHold()) return undefined
  const [row] = store.statements.rows(`select ${readColumns(spec, only, 'c')} from ${tableOf(spec.name)} as c where id = ?`, [id])
  if (row) return documentOf(spec, row, omitUndefined({ only }))
  if (store.rowsHold()) store.rows.put(spec.name, id, null)
  return undefined
}

export function getMany(store: Queried, spec: CollectionSpec, ids: readonly string[]): readonly StoredDocument[] {
  checkIds(ids)
  const { found, others } = keptDocuments(store, spec, ids)
  const [columns, table] = [readColumns(spec, undefined, 'c'), tableOf(spec.name)]
  // Details read one document of their viewer, which needs no table of ids. `in` would sort the ids first.
  const rows =
    others.length > 1
      ? store.statements.rows(`select ${columns} from json_each(?) as j cross join ${table} as c on c.id = j.value`, [
          JSON.stringify(others),
        ])
      : others.flatMap((id) => store.statements.rows(`select ${columns} from ${table} as c where id = ?`, [id]))
  for (const row of rows) found.set(String(row[0]), documentOf(spec, row))
  if (rows.length < others.length && store.rowsHold()) for (const id of others) if (!found.has(id)) store.rows.put(spec.name, id, null)
  return found.size === 0 ? [] : ids.flatMap((id) => found.get(id) ?? [])
}

/** Whether the kept rows hold costs a statement, so it is only looked up if there are any. `others`: ids that are not known here. */
function keptDocuments({ rows, rowsHold }: Queried, spec: CollectionSpec, ids: readonly string[]) {
  const found = new Map<string, StoredDocument>()
  const others: string[] = []
  for (const id of ids) {
    const row = rows.get(spec.name, id)
    if (row) found.set(id, documentOf(spec, [id, ...row.values]))
    else if (row === undefined) others.push(id)
  }
  return others.length === ids.length || rowsHold() ? { found, others } : { found: new Map<string, StoredDocument>(), others: ids }
}

export function count(store: Queried, spec: CollectionSpec, where: Query['where'] = []): number {
  checkFilters(spec, where)
  return store.counts.of(spec.name, allOf(where.map((filter) => countCondition(spec.name, filter, 'c'))))
}

export function tally(
  store: Queried,
  spec: CollectionSpec,
  { field, range }: { readonly field: string; readonly range: TallyRange },
): readonly Tallied[] {
  checkTally(spec, field, range)
  return all(store, talliesOf(spec, field, range)).map(([value, count]) => ({ value: String(value), count: Number(count) }))
}

export function sum(store: Queried, spec: CollectionSpec, sums: Sums): readonly Sum[] {
  checkSums(spec, sums)
  return readSums(spec, sums, all(store, sumsOf(spec, sums)))
}

export function find(store: Queried, spec: CollectionSpec, query: Query): Page {
  checkQuery(spec, query)
  const texts = documentsOfTexts(store, spec, query)
  if (texts) return { documents: texts, next: null }
  const form = readsKeys(store, spec, query) ? 'keys' : 'page'
  const candidates = query.among ? composeAmong(spec, query) : cheapCandidates(store, spec, query)
  if (candidates) return pageOf(store, spec, query, { form, rows: all(store, candidates[form]), stopped: null })
  const walk = composeWalk(spec, query)
  const rows = all(store, walk[form])
  const [last, beyond] = rows.length > query.limit ? [] : all(store, walk.end)
  return pageOf(store, spec, query, { form, rows, stopped: last && beyond ? last : null })
}

function cheapCandidates(store: Queried, spec: CollectionSpec, query: Query): Pages | undefined {
  const source = cheapSource(store, spec, query)
  return source && candidatesOf(spec, query, source)
}

const composeWalk = byShape((spec, query) => ({ ...walkOf(spec, query) }))
const composeAmong = byShape((spec, query) => ({ ...candidatesOf(spec, query, among(spec, query, query.among ?? [])) }))

export function keys(store: Queried, spec: CollectionSpec, query: KeyQuery): KeyPage {
  checkKeyQuery(spec, query)
  const keyOf = keyReader(spec, query)
  const source = query.among ? among(spec, query, query.among) : smallSource(store, spec, query)
  if (source) return { keys: all(store, candidateKeysOf(spec, query, source)).map(keyOf), next: null }
  const walk = keyWalkOf(spec, query)
  const [last, beyond] = all(store, walk.end)
  return { keys: all(store, walk.keys).map(keyOf), next: last && beyond ? keyOf(last) : null }
}

function among(spec: CollectionSpec, { where = [], sort }: Pick<Query, 'where' | 'sort'>, ids: readonly string[]): Fragment {
  servingIndex(spec, where, sort)
  return sourceAmong(spec, ids)
}

/** A filter with so few documents that examining all of them is expected to cost less than the walk to a full page. */
function cheapSource(store: Queried, spec: CollectionSpec, query: Query): Fragment | undefined {
  const walked = store.walked.get(spec.name) ?? new Set()
  const key = JSON.stringify([query.where, query.sort?.field, query.limit, query.scan])
  if (walked.has(key)) return undefined
  const source = findCheapSource(store, spec, query)
  if (!source) store.walked.set(spec.name, walked.size < WALKED_MAX ? walked.add(key) : new Set([key]))
  return source
}

const WALKED_MAX = 500

function findCheapSource(store: Queried, spec: CollectionSpec, query: Query): Fragment | undefined {
  const sources = sourcesOf(spec, query)
  if (sources.length === 0) return undefined
  const few = Math.floor(Math.min(query.scan ?? DEFAULT_SCAN, Math.sqrt(documentsIn(store, spec) * query.limit)))
  return sources.find((source) => sizeOf(store, source, few + 1) <= few)
}

/** The filter with the fewest documents, if the whole walk examines more than twice as many, and one part of it as many. */
function smallSource(store: Queried, spec: CollectionSpec, query: KeyQuery): Fragment | undefined {
  const sources = sourcesOf(spec, query)
  if (sources.length === 0) return undefined
  const few = Math.floor(Math.min(query.scan, documentsIn(store, spec) / 2))
  const sized = sources.map((source) => ({ source, size: sizeOf(store, source, few + 1) }))
  const smallest = sized.reduce((a, b) => (b.size < a.size ? b : a))
  return smallest.size <= few ? smallest.source : undefined
}

const documentsIn = ({ statements }: Queried, { name }: CollectionSpec): number =>
  Number(statements.get(`select max(n) as n from ${tableOf(name)}`)?.['n'] ?? 0)

const sizeOf = (store: Queried, source: Fragment, atMost: number): number => Number(all(store, countOf(source, atMost))[0]?.[0])

const all = ({ statements }: Queried, { sql, values }: Fragment): readonly Values[] => statements.rows(sql, values)

interface PageRows {
  readonly form: keyof Pages
  /** One more than the page if there is more. */
  readonly rows: readonly Values[]
  /** Else the walk continues after this one, if it stopped early. */
  readonly stopped: Values | null
}

function pageOf(store: Queried, spec: CollectionSpec, query: Query, { form, rows, stopped }: PageRows): Page {
  const { limit } = query
  const keyOf = keyReader(spec, query)
  const last = rows.length > limit ? rows[limit - 1] : stopped
  const inPage = rows.slice(0, limit)
  const documents =
    form === 'keys' ? documentsOfKeys(store, spec, query, { rows: inPage, keyOf }) : inPage.map((row) => documentOf(spec, row, query))
  if (form === 'page') keepTexts(store, spec, query, documents)
  return { documents, next: last ? keyOf(last) : null }
}

/** Reads rows that begin with the id and end with the sort value. */
function keyReader(spec: CollectionSpec, { sort }: Pick<Query, 'sort'>): (row: Values) => Key {
  const isBoolean = sort !== undefined && spec.fields[sort.field] === 'boolean'
  const value = (k: SQLOutputValue | undefined): string | number | boolean | null =>
    isBoolean && k !== null ? k === 1 : typeof k === 'string' || typeof k === 'number' ? k : null
  return (row) => ({ value: value(row.at(-1)), id: String(row[0]) })
}
