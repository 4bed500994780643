/**
 * Answers a query in one of two ways. The walk follows the index that yields the order, examines a bounded number of documents and filters
 * them. If a filter alone matches few documents, these candidates are examined instead, and sorted here.
 */
import type { Document } from 'mongodb'
import type { Clock } from '../../ports/clock.ts'
import type { Key, KeyPage, KeyQuery, Page, Query, Sort } from '../../ports/read-store.ts'
import { byCodePoints } from '../../vocabulary/code-point-order.ts'
import { DEFAULT_SCAN, servingIndex } from '../shared/query-rules.ts'
import type { KnownCollection } from './read-store-collections.ts'
import { condition } from './read-store-filters.ts'
import { countStretch, MAX_TIME_MS, readMatching, readStretch, type Stretch } from './read-store-reads.ts'
import { documentOf, keyProjectionOf, projectionOf } from './read-store-records.ts'
import { sortValueOf, type StoredRecord } from './read-store-schema.ts'
import { among, sourcesOf } from './read-store-walk.ts'
import { walkRecords, type WalkDependencies } from './read-store-steps.ts'

export interface FindDependencies extends WalkDependencies {
  readonly clock: Clock
}

export async function findPage(deps: FindDependencies, query: Query): Promise<Page> {
  const { known } = deps
  if (query.among) {
    servingIndex(known.spec, query.where ?? [], query.sort)
    return query.among.length > 0
      ? candidates(known, query, { stretch: among(query.among), count: query.among.length, look: query.among.length })
      : NOTHING
  }
  const source = await cheapSource(deps, query)
  return source ? candidates(known, query, source) : walk(deps, query)
}

const NOTHING: Page = { documents: [], next: null }

/** Does not look for a cheap source: a caller that reads keys goes through the whole list, part after part. */
export async function findKeys(deps: FindDependencies, query: KeyQuery): Promise<KeyPage> {
  const { known } = deps
  const { where = [], sort, among: ids, scan } = query
  const projection = keyProjectionOf(sort)
  if (!ids) {
    const { records, last } = await walkRecords(deps, query, { limit: scan, projection })
    return { keys: records.map((record) => placeOf(record, sort)), next: last ? placeOf(last, sort) : null }
  }
  servingIndex(known.spec, where, sort)
  const source = { stretch: among(ids), look: ids.length }
  return {
    keys: ids.length > 0 ? (await sortedCandidates(known, query, { ...source, projection })).map(({ place }) => place) : [],
    next: null,
  }
}

const placeOf = (record: StoredRecord, sort: Sort | undefined): Key => ({ value: sortValueOf(record, sort), id: record._id })

interface Source {
  readonly stretch: Stretch
  /** Number of its documents, and how many to examine: some may have been added meanwhile. */
  readonly count: number
  readonly look: number
}

/** The documents of a source that meet all filters, sorted. If they exceed a page, only the keys are read first. */
async function candidates(known: KnownCollection, query: Query, { stretch, count, look }: Source): Promise<Page> {
  const { sort, limit, only } = query
  const isWhole = count <= limit
  const projection = isWhole ? projectionOf(only, sort) : keyProjectionOf(sort)
  const ahead = await sortedCandidates(known, query, { stretch, look, projection })
  const page = ahead.slice(0, limit)
  const records = page.map(({ record }) => record)
  const given = isWhole ? records : await inFull(known, query, records)
  return {
    documents: given.map((record) => documentOf(record, only)),
    next: (ahead.length > limit ? page.at(-1)?.place : undefined) ?? null,
  }
}

interface CandidateRead extends Pick<Source, 'stretch' | 'look'> {
  readonly projection: Document | undefined
}

/** All that meet the filters and come after the cursor. */
async function sortedCandidates(
  known: KnownCollection,
  { where = [], sort, after }: Pick<Query, 'where' | 'sort' | 'after'>,
  { stretch, look, projection }: CandidateRead,
): Promise<readonly { readonly record: StoredRecord; readonly place: Key }[]> {
  const found = await readStretch(known, stretch, { look, filters: where.map(condition), give: look, projection })
  const order = orderOf(sort)
  return found
    .map((record) => ({ record, place: placeOf(record, sort) }))
    .toSorted((a, b) => order(a.place, b.place))
    .filter(({ place }) => !after || order(place, after) > 0)
}

/** Documents that no longer meet the filters are left out. */
async function inFull(known: KnownCollection, query: Query, keys: readonly StoredRecord[]): Promise<readonly StoredRecord[]> {
  const ids = keys.map(({ _id }) => _id)
  const where = (query.where ?? []).map(condition)
  const found = await readMatching(known, ids, { where, projection: projectionOf(query.only) })
  const byId = new Map(found.map((record) => [record._id, record]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Nulls last in both directions, ties by id. */
function orderOf(sort: Sort | undefined): (a: Key, b: Key) => number {
  const sign = sort?.direction === 'desc' ? -1 : 1
  return (a, b) => {
    if ((a.value === null) !== (b.value === null)) return a.value === null ? 1 : -1
    return sign * compare(a.value, b.value) || byCodePoints(a.id, b.id)
  }
}

const compare = (a: unknown, b: unknown): number =>
  typeof a === 'string' && typeof b === 'string' ? byCodePoints(a, b) : Number(a) - Number(b)

/** How long the decision to walk a query holds. */
const WALKED_MS = 30_000
const WALKED_MAX = 500

/** A filter with so few documents that examining all of them is expected to cost less than the walk to a full page. */
async function cheapSource(deps: FindDependencies, query: Query): Promise<Source | undefined> {
  const { connection, clock, known } = deps
  const { where, sort, limit, scan = DEFAULT_SCAN } = query
  const key = JSON.stringify([where, sort?.field, limit, scan])
  if (clock.monotonic() - (known.walked.get(key) ?? -Infinity) < WALKED_MS) return undefined
  const stretches = sourcesOf(known.spec, query)
  if (stretches.length === 0) return undefined
  const look = Math.min(scan, DEFAULT_SCAN) + 1
  const [documents, counted] = await Promise.all([
    known.documents.estimatedDocumentCount({ maxTimeMS: MAX_TIME_MS }),
    Promise.all(
      stretches.map(async (stretch) => ({ stretch, look, count: await countStretch(connection, known, { stretch, limit: look }) })),
    ),
  ])
  const [fewest] = counted.toSorted((a, b) => a.count - b.count)
  if (fewest && fewest.count < look && fewest.count <= Math.sqrt(documents * limit)) return fewest
  if (known.walked.size >= WALKED_MAX) known.walked.clear()
  known.walked.set(key, clock.monotonic())
  return undefined
}

async function walk(deps: FindDependencies, query: Query): Promise<Page> {
  const { sort, limit, only, scan = DEFAULT_SCAN } = query
  const { records, last } = await walkRecords(deps, { ...query, scan }, { limit, projection: projectionOf(only, sort) })
  return { documents: records.map((record) => documentOf(record, only)), next: last ? placeOf(last, sort) : null }
}
