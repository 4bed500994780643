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
import { readFirst, splitAtTie } from './read-store-backward.ts'
import { beforeTie, isBackward, tieOf, upTo, walkOf } from './read-store-walk.ts'

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
  if (read.filters.length > 0) return isBackward(stretch) ? readBackward(deps, stretch, read) : readFiltered(deps, stretch, read)
  const { give, left, projection, query } = read
  const found = await readFirst(deps.known, stretch, query.sort, { give: Math.min(left + 1, give), projection })
  return { records: found.slice(0, left), looked: found.length, edge: found[left - 1] }
}

/** Nearly all documents pass the filters of most lists. */
const AHEAD_FACTOR = 2

async function readFiltered(deps: WalkDependencies, stretch: Stretch, read: PartRead): Promise<Part> {
  const { known } = deps
  const { filters, give, left, projection } = read
  const look = Math.min(left, give * AHEAD_FACTOR)
  // If the first read is probably the only one, the count need not wait for it.
  const [found, counted] = await Promise.all([
    readStretch(known, stretch, { look, filters, give, projection }),
    stretch.isNarrow || look === left ? countUpTo(deps, stretch, left) : undefined,
  ])
  if (found.length >= give) return { records: found, looked: 0 }
  const looked = counted ?? (await countUpTo(deps, stretch, left))
  return readRest(deps, stretch, { ...read, looked, found: looked <= look || look === left ? found : undefined })
}

/** The order within ties is turned around, so that what a read examines is not the beginning of the range. */
async function readBackward(deps: WalkDependencies, stretch: Stretch, read: PartRead): Promise<Part> {
  const { filters, give, left, projection, query } = read
  const look = give * AHEAD_FACTOR
  if (look >= left || !query.sort) return readRest(deps, stretch, { ...read, looked: await countUpTo(deps, stretch, left) })
  const found = await readStretch(deps.known, stretch, { look, filters, give: give + 1, projection })
  const { head, last } = splitAtTie(found, query.sort, give)
  if (head.length >= give) return { records: head, looked: 0 }
  if (last) {
    const tie = await readFiltered(deps, tieOf(stretch, last, query.sort), { ...read, give: give - head.length })
    const records = [...head, ...tie.records]
    if (records.length >= give || tie.looked > left) return { ...tie, records }
  }
  const looked = await countUpTo(deps, stretch, left)
  return readRest(deps, stretch, { ...read, looked, found: !last && looked <= look ? head : undefined })
}

const countUpTo = ({ connection, known }: WalkDependencies, stretch: Stretch, left: number): Promise<number> =>
  countStretch(connection, known, { stretch, limit: left + 1 })

interface RestRead extends PartRead {
  readonly looked: number
  /** What there is, if it was read. */
  readonly found?: readonly StoredRecord[] | undefined
}

async function readRest(deps: WalkDependencies, stretch: Stretch, { looked, found, ...read }: RestRead): Promise<Part> {
  const { left, query } = read
  const edge = looked > left ? await recordAt(deps, query, { stretch, looked: left }) : undefined
  const records = found ?? (await readPassing(deps.known, edge ? upTo(stretch, edge, query.sort) : [stretch], read))
  // Without the edge some documents have gone meanwhile.
  return { records, looked: edge ? looked : Math.min(looked, left), edge }
}

/** Filters while it walks. Only for ranges with few documents: it may examine all of them. */
async function readPassing(
  known: KnownCollection,
  stretches: readonly Stretch[],
  { filters, give, projection, query }: PartRead,
): Promise<readonly StoredRecord[]> {
  const records: StoredRecord[] = []
  for (const stretch of stretches) {
    const missing = give - records.length
    if (missing > 0) records.push(...(await readFirst(known, within(stretch, filters), query.sort, { give: missing, projection })))
  }
  return records
}

interface Place {
  readonly stretch: Stretch
  /** The documents up to it. */
  readonly looked: number
}

/** The key of a document, found among the keys of the index. */
async function recordAt(
  deps: WalkDependencies,
  { sort }: Pick<KeyQuery, 'sort'>,
  { stretch, looked }: Place,
): Promise<StoredRecord | undefined> {
  const read = { look: 1, filters: [], give: 1, skip: looked - 1, projection: keyProjectionOf(sort) }
  const [record] = await readStretch(deps.known, stretch, read)
  if (!record || !sort || !isBackward(stretch)) return record
  const before = await countStretch(deps.connection, deps.known, { stretch: beforeTie(stretch, record, sort) })
  return recordAt(deps, { sort }, { stretch: tieOf(stretch, record, sort), looked: Math.max(1, looked - before) })
}
