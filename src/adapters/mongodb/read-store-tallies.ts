/**
 * Counted values. How many documents hold one is asked of the index on the documents themselves, so that it can never be off,
 * whatever was cut short. All that is kept is a list of the values that documents have ever held: one is in it before a document
 * holds it, and stays.
 */
import type { ClientSession } from 'mongodb'
import type { StoredDocument, Tallied, TallyRange } from '../../ports/read-store.ts'
import { fieldValue } from '../shared/query-rules.ts'
import type { MongoConnection } from './connection.ts'
import { DOCUMENT_OPTIONS, type KnownCollection } from './read-store-collections.ts'
import { liveAnd, startsWith } from './read-store-filters.ts'
import { countStretch, MAX_TIME_MS } from './read-store-reads.ts'
import { listIndexNameOf, pathOf, tallyFieldsOf, valuesPlaceOf } from './read-store-schema.ts'
import { insertMissing } from './read-store-writes.ts'

/** Values that a process knows to be listed, of one collection. */
const LISTED_MAX = 50_000
/** As many values are read together, and their holders counted at the same time. */
const AT_ONCE = 8

/** What is to be listed of one field. */
interface Fresh {
  readonly field: string
  readonly values: readonly string[]
}

/** Of the values that the documents hold those that are not known to be listed. */
export function freshValues(known: KnownCollection, documents: readonly StoredDocument[]): readonly Fresh[] {
  return tallyFieldsOf(known.spec).flatMap((field) => {
    const held = documents.flatMap((document) => valuesOf(known, document, field))
    const values = [...new Set(held)].filter((value) => !known.listed.has(keyOf(field, value)))
    return values.length > 0 ? [{ field, values }] : []
  })
}

/** Sees to it that all values that the documents hold are listed, without a transaction. */
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
 * The same in the transaction that stores the documents: what takes those back takes the list back, too. An insert of what is there
 * would end the transaction.
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

/** To be called when they are there to stay. */
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
  /** Of those that a transaction has listed. */
  readonly listed?: true
}

const valuesIn = (connection: MongoConnection, { place }: KnownCollection, field: string) =>
  connection.db().collection<ListedValue>(valuesPlaceOf(place, field), DOCUMENT_OPTIONS)

/** Values that hold documents, rising. */
export async function readTallies(
  connection: MongoConnection,
  known: KnownCollection,
  { field, range }: { readonly field: string; readonly range: TallyRange },
): Promise<readonly Tallied[]> {
  const { prefix, limit } = range
  const tallies: Tallied[] = []
  let after = range.after
  while (tallies.length < limit) {
    const bounds = { ...startsWith(prefix), ...(after === undefined ? {} : { $gt: after }) }
    const options = { sort: { _id: 1 }, limit: AT_ONCE, maxTimeMS: MAX_TIME_MS } as const
    const listed = await valuesIn(connection, known, field).find({ _id: bounds }, options).toArray()
    const counted = await Promise.all(
      listed.map(async ({ _id }) => ({ value: _id, count: await holdersOf(connection, known, { field, value: _id }) })),
    )
    tallies.push(...counted.filter(({ count }) => count > 0))
    after = listed.at(-1)?._id
    if (listed.length < AT_ONCE) break
  }
  return tallies.slice(0, limit)
}

function holdersOf(
  connection: MongoConnection,
  known: KnownCollection,
  { field, value }: { readonly field: string; readonly value: string },
): Promise<number> {
  const stretch = { match: liveAnd([{ [pathOf(field)]: value }]), index: listIndexNameOf(field) }
  return countStretch(connection, known, { stretch })
}
