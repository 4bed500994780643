/**
 * Writes documents on servers without transactions: each write is guarded by the position at which this process has seen the document, so
 * that documents only move forward. A removed document leaves a tombstone, which stops a late writer as a document does.
 *
 * Documents are folds of the log: any process that writes a document at a position writes the same content. So a document that is already
 * further is left unchanged, and one at the same position is written.
 */
import type { AnyBulkWriteOperation, Collection, OptionalUnlessRequiredId } from 'mongodb'
import { MongoBulkWriteError } from 'mongodb'
import type { Position } from '../../events/position.ts'
import type { Commit } from '../../ports/read-store.ts'
import { isDuplicateKey, writeConcernErrorOf } from './errors.ts'
import type { KnownCollection } from './read-store-collections.ts'
import { oneOf } from './read-store-filters.ts'
import { recordOf, tombstoneOf } from './read-store-records.ts'
import type { StoredRecord } from './read-store-schema.ts'

const WRITES_MAX = 500
/** Repeated failures mean that another projector is writing. */
const TRIES_MAX = 5

/** False: another process writes the same documents. */
export async function writeDocuments(known: KnownCollection, { puts, removes, from }: Commit, nowMs: number): Promise<boolean> {
  const all = [...removes.map(({ id, at }) => tombstoneOf(id, at, nowMs)), ...puts.map((document) => recordOf(document, known.spec))]
  const records = [...new Map(all.map((record) => [record._id, record])).values()]
  for (let n = 0; n < records.length; n += WRITES_MAX) {
    if (!(await writeGuarded(known, records.slice(n, n + WRITES_MAX), from))) return false
  }
  return true
}

async function writeGuarded({ documents, seen }: KnownCollection, records: readonly StoredRecord[], from: Position): Promise<boolean> {
  const unseen = records.filter(({ _id }) => seen.get(_id) === undefined)
  let before: Positions = new Map(records.map(({ _id }) => [_id, seen.get(_id) ?? null]))
  if (unseen.length > 0) before = new Map([...before, ...(await positionsOf(documents, unseen))])
  let left = records
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const due = left.filter((record) => !isFurther(before.get(record._id), record, from))
    if (await isWritten(documents, due, before)) {
      for (const { _id, _at } of due) seen.set(_id, _at)
      return true
    }
    before = await positionsOf(documents, due)
    const now = before
    for (const [id, at] of now) seen.set(id, at)
    left = due.filter(({ _id, _at }) => now.get(_id) !== _at)
  }
  return false
}

type Positions = ReadonlyMap<string, Position | null>

/** Tombstones included. */
async function positionsOf(documents: Collection<StoredRecord>, records: readonly StoredRecord[]): Promise<Positions> {
  const ids = records.map(({ _id }) => _id)
  const found = await documents.find({ _id: oneOf(ids) }, { projection: { _at: 1 }, limit: ids.length }).toArray()
  return new Map([...ids.map((id) => [id, null] as const), ...found.map(({ _id, _at }) => [_id, _at] as const)])
}

/** Its position is later than the new one, and it got there since the checkpoint. */
const isFurther = (before: Position | null | undefined, { _at }: StoredRecord, from: Position): boolean =>
  !!before && before > _at && before > from

/** False: at least one was not at the expected position, and was left unchanged. */
async function isWritten(documents: Collection<StoredRecord>, records: readonly StoredRecord[], before: Positions): Promise<boolean> {
  const fresh = records.filter(({ _id }) => !before.get(_id))
  const replacements = records.flatMap((record): AnyBulkWriteOperation<StoredRecord>[] => {
    const at = before.get(record._id)
    return at ? [{ replaceOne: { filter: { _id: record._id, _at: at }, replacement: record } }] : []
  })
  const [inserted, replaced] = await Promise.all([
    fresh.length === 0 || insertMissing(documents, fresh),
    replacements.length === 0 || documents.bulkWrite(replacements, { ordered: false }).then(({ matchedCount }) => matchedCount),
  ])
  return inserted && (replaced === true || replaced === replacements.length)
}

/** False: some already existed, and were left unchanged. */
export async function insertMissing<Stored extends { readonly _id: string }>(
  collection: Collection<Stored>,
  records: readonly OptionalUnlessRequiredId<Stored>[],
): Promise<boolean> {
  try {
    await collection.insertMany(records, { ordered: false })
    return true
  } catch (error) {
    if (isAllDuplicates(error)) return false
    throw error
  }
}

function isAllDuplicates(error: unknown): boolean {
  if (!(error instanceof MongoBulkWriteError)) return isDuplicateKey(error)
  const errors = [error.writeErrors].flat()
  return errors.length > 0 && errors.every(({ code }) => code === error.code) && isDuplicateKey(error) && !writeConcernErrorOf(error)
}
