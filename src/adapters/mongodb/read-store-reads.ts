/** The basic reads of queries, each bounded in time, and each with an explicit index. */
import type { Document } from 'mongodb'
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { MongoConnection } from './connection.ts'
import type { KnownCollection } from './read-store-collections.ts'
import { liveAnd, oneOf } from './read-store-filters.ts'
import { ID_INDEX, type StoredRecord } from './read-store-schema.ts'

export const MAX_TIME_MS = 10_000

/** A range of an index, walked in its order: matching documents in index order. */
export interface Stretch {
  readonly match: Document
  readonly index: string
  readonly sort?: Readonly<Record<string, 1 | -1>>
  /** All documents have the same sort value, so that they are in the order of their ids. */
  readonly isById?: boolean
  /** It is expected to have very few documents. */
  readonly isNarrow?: boolean
}

/** The part of a range that meets further conditions. */
export const within = ({ match, ...stretch }: Stretch, conditions: readonly Document[]): Stretch => {
  const { $and = [], ...rest } = match
  return { ...stretch, match: { ...rest, $and: [...($and as readonly Document[]), ...conditions] } }
}

export interface StretchRead {
  /** Documents to examine. */
  readonly look: number
  /** Further conditions on these. */
  readonly filters: readonly Document[]
  /** Documents to return. */
  readonly give: number
  readonly skip?: number
  readonly projection?: Document | undefined
}

export function pipelineOf({ match, sort }: Stretch, { look, filters, give, skip, projection }: StretchRead): Document[] {
  return [
    { $match: match },
    ...(sort ? [{ $sort: sort }] : []),
    ...(skip ? [{ $skip: skip }] : []),
    { $limit: filters.length > 0 ? look : Math.min(look, give) },
    ...(filters.length > 0 ? [{ $match: { $and: filters } }, { $limit: give }] : []),
    ...(projection ? [{ $project: projection }] : []),
  ]
}

export async function readStretch({ documents }: KnownCollection, stretch: Stretch, read: StretchRead): Promise<readonly StoredRecord[]> {
  const options = { hint: stretch.index, maxTimeMS: MAX_TIME_MS, batchSize: Math.min(read.look, read.give) + 1 }
  return documents.aggregate<StoredRecord>(pipelineOf(stretch, read), options).toArray()
}

/** Counts no further than `limit`, if there is one. */
export async function countStretch(connection: MongoConnection, known: KnownCollection, { stretch, limit }: BoundedCount): Promise<number> {
  return count(connection, known, { query: stretch.match, hint: stretch.index, ...omitUndefined({ limit }) })
}

export interface BoundedCount {
  readonly stretch: Stretch
  readonly limit?: number
}

/** Without an explicit index the server chooses. */
export async function countMatching(connection: MongoConnection, known: KnownCollection, query: Document): Promise<number> {
  return count(connection, known, { query })
}

/** Uses the count command: the driver's own method counts by an aggregation, which cannot count keys of an index without reading each. */
async function count(connection: MongoConnection, { place }: KnownCollection, more: Document): Promise<number> {
  const { n } = await connection.db().command({ count: place, ...more, maxTimeMS: MAX_TIME_MS }, { readPreference: 'primary' })
  return Number(n)
}

export interface RecordsRead {
  readonly projection?: Document | undefined
}

/** Records with these ids, tombstones included, in no order. */
export async function readRecords({ documents }: KnownCollection, ids: readonly string[], { projection }: RecordsRead = {}) {
  return documents.find({ _id: oneOf(ids) }, { ...byIds(ids), ...omitUndefined({ projection }) }).toArray()
}

/** Live records with these ids that meet the conditions. Without the hint the server would try the indexes of the conditions, too. */
export async function readMatching(
  { documents }: KnownCollection,
  ids: readonly string[],
  { where, projection }: RecordsRead & { readonly where: readonly Document[] },
): Promise<readonly StoredRecord[]> {
  const filter = { _id: oneOf(ids), ...liveAnd(where) }
  return documents.find(filter, { ...byIds(ids), hint: ID_INDEX, ...omitUndefined({ projection }) }).toArray()
}

const byIds = (ids: readonly string[]) => ({ maxTimeMS: MAX_TIME_MS, limit: ids.length, batchSize: ids.length })
