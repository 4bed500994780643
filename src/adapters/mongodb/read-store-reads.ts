/** The basic reads of queries, each bounded in time, and each with an explicit index. */
import type { Document } from 'mongodb'
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { MongoConnection } from './connection.ts'
import type { KnownCollection } from './read-store-collections.ts'
import { oneOf } from './read-store-filters.ts'
import type { StoredRecord } from './read-store-schema.ts'

export const MAX_TIME_MS = 10_000

/** A range of an index, walked in its order: matching documents in index order. */
export interface Stretch {
  readonly match: Document
  readonly index: string
  readonly sort?: Readonly<Record<string, 1 | -1>>
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
  readonly where?: readonly Document[]
  readonly projection?: Document | undefined
}

/** Records with these ids, tombstones included, in no order. */
export async function readRecords({ documents }: KnownCollection, ids: readonly string[], { where = [], projection }: RecordsRead = {}) {
  const filter = { _id: oneOf(ids), ...(where.length > 0 ? { $and: [...where] } : {}) }
  return documents
    .find(filter, { ...omitUndefined({ projection }), maxTimeMS: MAX_TIME_MS, limit: ids.length, batchSize: ids.length })
    .toArray()
}
