/**
 * Walks along an index up to a full page, or up to a number of documents examined. A first read examines a few documents for each one that
 * is asked for: the server examines all of them before it filters. If too few pass the filters, the end of the walk is looked up among the
 * keys of the index, and a second read filters while it walks: it examines no document after the one that fills the page.
 */
import type { Document } from 'mongodb'
import type { KeyQuery } from '../../ports/read-store.ts'
import type { MongoConnection } from './connection.ts'
import type { KnownCollection } from './read-store-collections.ts'
import { countStretch, readStretch, within, type Stretch } from './read-store-reads.ts'
import { keyProjectionOf } from './read-store-records.ts'
import type { StoredRecord } from './read-store-schema.ts'
import { upTo, walkOf } from './read-store-walk.ts'

export interface WalkDependencies {
  readonly connection: MongoConnection
  readonly known: KnownCollection
}

export interface Walked {
  readonly records: readonly StoredRecord[]
  /** The walk continues after it. */
  readonly last: StoredRecord | undefined
}

export interface WalkRead {
  readonly limit: number
  readonly projection: Document | undefined
}

export async function walkRecords(deps: WalkDependencies, query: KeyQuery, { limit, projection }: WalkRead): Promise<Walked> {
  const { stretches, filters } = walkOf(deps.known.spec, query)
  const records: StoredRecord[] = []
  const walkedTo = (last: StoredRecord | undefined): Walked => ({ records: records.slice(0, limit), last })
  /** The last documents examined. */
  let end: { readonly stretch: Stretch; readonly looked: number } | undefined
  let left = query.scan
  for (const stretch of stretches) {
    // One more than the limit shows whether there is more.
    const read = { query, filters, projection, give: limit + 1 - records.length, left }
    const part = left === 0 ? await seeWhetherMore(deps, stretch) : await readPart(deps, stretch, read)
    records.push(...part.records)
    if (records.length > limit) return walkedTo(records[limit - 1])
    if (part.looked > left) return walkedTo(part.edge ?? (end && (await recordAt(deps, query, end))))
    if (part.looked > 0) end = { stretch, looked: part.looked }
    left -= part.looked
  }
  return walkedTo(undefined)
}

interface Part {
  /** Of the documents that may be examined. */
  readonly records: readonly StoredRecord[]
  /** Number of the stretch's documents, counted to one more than may be examined. */
  readonly looked: number
  /** If there are more: the last that may be examined. */
  readonly edge?: StoredRecord | undefined
}

interface PartRead {
  readonly query: KeyQuery
  readonly filters: readonly Document[]
  readonly projection: Document | undefined
  /** Documents to return. */
  readonly give: number
  /** Documents that may be examined, at least 1. */
  readonly left: number
}

const seeWhetherMore = async ({ connection, known }: WalkDependencies, stretch: Stretch): Promise<Part> => ({
  records: [],
  looked: await countStretch(connection, known, { stretch, limit: 1 }),
})

async function readPart(deps: WalkDependencies, stretch: Stretch, read: PartRead): Promise<Part> {
  if (read.filters.length > 0) return readFiltered(deps, stretch, read)
  const { give, left, projection } = read
  const found = await readStretch(deps.known, stretch, { look: left + 1, filters: [], give, projection })
  return { records: found.slice(0, left), looked: found.length, edge: found[left - 1] }
}

/** Nearly all documents pass the filters of most lists. */
const AHEAD_FACTOR = 2

async function readFiltered(deps: WalkDependencies, stretch: Stretch, read: PartRead): Promise<Part> {
  const { known, connection } = deps
  const { filters, give, left, projection, query } = read
  const look = Math.min(left, give * AHEAD_FACTOR)
  const count = () => countStretch(connection, known, { stretch, limit: left + 1 })
  // If the first read is probably the only one, the count need not wait for it.
  const [found, counted] = await Promise.all([
    readStretch(known, stretch, { look, filters, give, projection }),
    stretch.isNarrow || look === left ? count() : undefined,
  ])
  if (found.length >= give) return { records: found, looked: 0 }
  const looked = counted ?? (await count())
  if (looked <= look) return { records: found, looked }
  const edge = looked > left ? await recordAt(deps, query, { stretch, looked: left }) : undefined
  const records = look === left ? found : await readPassing(known, edge ? upTo(stretch, edge, query.sort) : [stretch], read)
  // Without the edge some documents have gone meanwhile.
  return { records, looked: edge ? looked : Math.min(looked, left), edge }
}

/** Filters while it walks. Only for ranges with few documents: it may examine all of them. */
async function readPassing(
  known: KnownCollection,
  stretches: readonly Stretch[],
  { filters, give, projection }: PartRead,
): Promise<readonly StoredRecord[]> {
  const records: StoredRecord[] = []
  for (const stretch of stretches) {
    const missing = give - records.length
    if (missing > 0)
      records.push(...(await readStretch(known, within(stretch, filters), { look: missing, filters: [], give: missing, projection })))
  }
  return records
}

/** The key of a document, found among the keys of the index. */
async function recordAt(
  { known }: WalkDependencies,
  { sort }: Pick<KeyQuery, 'sort'>,
  { stretch, looked }: { readonly stretch: Stretch; readonly looked: number },
): Promise<StoredRecord | undefined> {
  const read = { look: 1, filters: [], give: 1, skip: looked - 1, projection: keyProjectionOf(sort) }
  const [record] = await readStretch(known, stretch, read)
  return record
}
