/**
 * Groups, counts and adds up documents. The program does it, reading only the required members: nearly every document has its own bucket
 * value, so groups made by the server would be about as many as the documents. Also, not every server of the protocol can add up nested
 * members.
 */
import type { Sum, Sums } from '../../ports/read-store.ts'
import { createGroupSums } from '../shared/group-sums.ts'
import type { KnownCollection } from './read-store-collections.ts'
import { condition, liveAnd } from './read-store-filters.ts'
import { MAX_TIME_MS } from './read-store-reads.ts'
import { documentOf, projectionOf } from './read-store-records.ts'

const BATCH = 5_000

export async function readSums({ documents, spec }: KnownCollection, sums: Sums): Promise<readonly Sum[]> {
  const { where = [], by = [], bucket, of } = sums
  const members = [...new Set([...by, ...(bucket ? [bucket.field] : []), of])]
  const query = liveAnd(where.map(condition))
  const records = documents.find(query, { projection: projectionOf(members) ?? {}, maxTimeMS: MAX_TIME_MS, batchSize: BATCH })
  const groups = createGroupSums(spec.name, sums)
  for await (const record of records) {
    const { body } = documentOf(record, members)
    const keys = by.map((field) => body[field] ?? null) as Sum['keys']
    groups.add({ value: bucket && body[bucket.field], keys, amount: Number(body[of] ?? 0) })
  }
  return groups.list()
}
