/**
 * Counts the values of tally fields. The number of documents with a value is counted on the documents' own index, so that it is always
 * right, even after an interruption. Only a list of all values ever held is stored: a value is added before a document holds it, and stays.
 */
import type { ClientSession } from 'mongodb'
import { createSemaphore } from '../../concurrency/semaphore.ts'
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { StoredDocument, Tallied, TallyRange } from '../../ports/read-store.ts'
import { fieldValue } from '../shared/query-rules.ts'
import type { MongoConnection } from './connection.ts'
import { DOCUMENT_OPTIONS, type KnownCollection } from './read-store-collections.ts'
import { liveAnd, startsWith } from './read-store-filters.ts'
import { countStretch, MAX_TIME_MS } from './read-store-reads.ts'
import { listIndexNameOf, pathOf, tallyFieldsOf, valuesPlaceOf } from './read-store-schema.ts'
import { insertMissing } from './read-store-writes.ts'

/** Most values of one collection that a process knows to be listed. */
const LISTED_MAX = 50_000
/** Number of values that are counted concurrently. */
const AT_ONCE = 8

/** Values of one field to be listed. */
interface Fresh {
  readonly field: string
  readonly values: readonly string[]
}

/** The documents' values that are not known to be listed. */
export function freshValues(known: KnownCollection, documents: readonly StoredDocument[]): readonly Fresh[] {
  return tallyFieldsOf(known.spec).flatMap((field) => {
    const held = documents.flatMap((document) => valuesOf(known, document, field))
    const values = [...new Set(held)].filter((value) => !known.listed.has(keyOf(field, value)))
    return values.length > 0 ? [{ field, values }] : []
  })
}

/** Makes sure that all values of the documents are listed, without a transaction. */
export async function listValues(connection: MongoConnection, known: KnownCollection, documents: readonly StoredDocument[]): Promise<void> {
  const fresh = freshValues(known, documents)
  for (const { field, values } of fresh)
    await insertMissing(
      valuesIn(connection, known, field),
      values.map((value) => ({ _id: value })),
    )
  rememberListed(known, fresh)
}

/**
 * The same in the transaction that stores the documents: a rollback undoes the listing, too. Inserting an existing value would abort the
 * transaction.
 */
export async function listWithin(
  {
    connection,
    known,
    session,
  }: { readonly connection: MongoConnection; readonly known: KnownCollection; readonly session: ClientSession },
  fresh: readonly Fresh[],
): Promise<void> {
  for (const { field, values } of fresh) {
    const upserts = values.map((value) => ({
      updateOne: { filter: { _id: value }, update: { $setOnInsert: { listed: true as const } }, upsert: true },
    }))
    await valuesIn(connection, known, field).bulkWrite(upserts, { session })
  }
}

/** Call it once they are stored durably. */
export function rememberListed(known: KnownCollection, fresh: readonly Fresh[]): void {
  const count = fresh.reduce((sum, { values }) => sum + values.length, 0)
  if (known.listed.size + count > LISTED_MAX) known.listed.clear()
  for (const { field, values } of fresh) for (const value of values) known.listed.add(keyOf(field, value))
}

const keyOf = (field: string, value: string): string => `${field} ${value}`

function valuesOf({ spec }: KnownCollection, document: StoredDocument, field: string): readonly string[] {
  const value = fieldValue(spec, document, field)
  return Array.isArray(value) ? value.map(String) : []
}

interface ListedValue {
  readonly _id: string
  /** Set on values listed by a transaction. */
  readonly listed?: true
}

const valuesIn = (connection: MongoConnection, { place }: KnownCollection, field: string) =>
  connection.db().collection<ListedValue>(valuesPlaceOf(place, field), DOCUMENT_OPTIONS)

/** Values held by documents, ascending. */
export async function readTallies(
  connection: MongoConnection,
  known: KnownCollection,
  { field, range }: { readonly field: string; readonly range: TallyRange },
): Promise<readonly Tallied[]> {
  const { prefix, limit } = range
  const counting = createSemaphore(AT_ONCE)
  const tallies: Tallied[] = []
  let after = range.after
  while (tallies.length < limit) {
    const missing = limit - tallies.length
    const bounds = { ...startsWith(prefix), ...omitUndefined({ $gt: after }) }
    const options = { sort: { _id: 1 }, limit: missing, batchSize: missing + 1, maxTimeMS: MAX_TIME_MS } as const
    const listed = await valuesIn(connection, known, field).find({ _id: bounds }, options).toArray()
    const counted = await Promise.all(
      listed.map(({ _id }) => counting(async () => ({ value: _id, count: await holdersOf(connection, known, { field, value: _id }) }))),
    )
    tallies.push(...counted.filter(({ count }) => count > 0))
    after = listed.at(-1)?._id
    if (listed.length < missing) break
  }
  return tallies
}

function holdersOf(
  connection: MongoConnection,
  known: KnownCollection,
  { field, value }: { readonly field: string; readonly value: string },
): Promise<number> {
  const stretch = { match: liveAnd([{ [pathOf(field)]: value }]), index: listIndexNameOf(field) }
  return countStretch(connection, known, { stretch })
}
