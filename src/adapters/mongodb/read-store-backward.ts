/**
 * Reads a range backward along an index, for descending values. That also turns around the documents of one value, whose order is that of
 * their ids in both directions. Sorting puts those right of which all were read. The last value may go on beyond the read, so its
 * documents are read once more, forward.
 */
import type { Sort } from '../../ports/read-store.ts'
import { byCodePoints } from '../../vocabulary/code-point-order.ts'
import type { KnownCollection } from './read-store-collections.ts'
import { readStretch, type Stretch, type StretchRead } from './read-store-reads.ts'
import { sortValueOf, type StoredRecord } from './read-store-schema.ts'
import { isBackward, tieOf } from './read-store-walk.ts'

type Read = Pick<StretchRead, 'give' | 'projection'>

/** The first documents of a range, in the order of the query. A backward read examines one more, and the last value's again. */
export async function readFirst(
  known: KnownCollection,
  stretch: Stretch,
  sort: Sort | undefined,
  { give, projection }: Read,
): Promise<readonly StoredRecord[]> {
  const forward = (of: Stretch, count: number) => readStretch(known, of, { look: count, filters: [], give: count, projection })
  if (!sort || !isBackward(stretch)) return forward(stretch, give)
  const found = await forward(stretch, give + 1)
  const { head, last } = splitAtTie(found, sort, give)
  return last ? [...head, ...(await forward(tieOf(stretch, last, sort), give - head.length))] : head
}

/** `last`: one of the value that may have more documents than were read, if the page needs them. */
export function splitAtTie(
  found: readonly StoredRecord[],
  sort: Sort,
  give: number,
): { readonly head: readonly StoredRecord[]; readonly last: StoredRecord | undefined } {
  const last = found.length > give ? found.at(-1) : undefined
  const whole = last ? found.filter((record) => sortValueOf(record, sort) !== sortValueOf(last, sort)) : found
  const head = byIdInTies(whole, sort)
  return head.length < give ? { head, last } : { head: head.slice(0, give), last: undefined }
}

/** The order of the values stays; within one they are sorted by id. */
export function byIdInTies(records: readonly StoredRecord[], sort: Sort): readonly StoredRecord[] {
  const ties: StoredRecord[][] = []
  for (const record of records) {
    const tie = ties.at(-1)
    if (tie?.[0] && sortValueOf(tie[0], sort) === sortValueOf(record, sort)) tie.push(record)
    else ties.push([record])
  }
  return ties.flatMap((tie) => tie.toSorted((a, b) => byCodePoints(a._id, b._id)))
}
