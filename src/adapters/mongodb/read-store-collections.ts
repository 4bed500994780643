/**
 * Tracks the existing collections and caches each one's spec, and for a short time its checkpoint, so that reads and commits need not query
 * them every time.
 *
 * Whenever a collection is recreated its documents move to another place (a MongoDB collection of another name). So a process that still
 * writes to, or drops, the previous one never touches the new one.
 */
import { ObjectId, type Collection, type Db, type Document, type Filter } from 'mongodb'
import type { Position } from '../../events/position.ts'
import { START } from '../../events/position.ts'
import type { Clock } from '../../ports/clock.ts'
import { NoCollection, type CollectionSpec } from '../../ports/read-store.ts'
import { checkSpec } from '../shared/query-rules.ts'
import type { MongoConnection } from './connection.ts'
import { isDuplicateKey, isThereAlready } from './errors.ts'
import { oneOf } from './read-store-filters.ts'
import { makeIndexes } from './read-store-indexing.ts'
import { createKeptCounts, type KeptCounts } from './read-store-kept.ts'
import { createLastPositions, type LastPositions } from './read-store-last-positions.ts'
import { COLLECTIONS, tallyFieldsOf, valuesPlaceOf, type CollectionRecord, type StoredRecord } from './read-store-schema.ts'

export interface KnownCollection {
  readonly spec: CollectionSpec
  readonly place: string
  readonly documents: Collection<StoredRecord>
  checkpoint: Position
  epoch: number
  /** When checkpoint and epoch were last confirmed. */
  confirmed: Moment
  /** Last known positions of its documents. */
  readonly seen: LastPositions
  /** Its tally values that are known to be listed. */
  readonly listed: Set<string>
  /** Queries for which a walk is better, with the time of that decision. */
  readonly walked: Map<string, number>
  readonly kept: KeptCounts
  /** Whether its indexes exist, or are being made. */
  indexing: IndexingState
  /** When tombstones were last swept; milliseconds of the monotonic clock. */
  sweptAtMs: number
}

type IndexingState = 'unknown' | 'complete' | Promise<void>

interface Moment {
  readonly now: number
  readonly monotonic: number
}

export interface Collections {
  readonly records: Collection<CollectionRecord>
  open(spec: CollectionSpec): Promise<void>
  /** From the cache if at most 10 s old, else current. @throws NoCollection none has that name */
  known(this: void, name: string): Promise<KnownCollection>
  /** The same, with all its indexes. @throws NoCollection none has that name */
  ready(name: string): Promise<KnownCollection>
  /** The same with the checkpoint at this moment. @throws NoCollection none has that name */
  readyNow(name: string): Promise<{ readonly known: KnownCollection; readonly checkpoint: Position }>
  /** The current state. @throws NoCollection none has one of the names */
  current(names: readonly string[]): Promise<readonly KnownCollection[]>
  /** Records the new checkpoint. */
  advanced(known: KnownCollection, checkpoint: Position, epoch: number): void
  /** Makes the missing indexes, if any. */
  index(name: string): Promise<void>
  forget(name: string): void
  names(): Promise<readonly string[]>
  lastEpoch(): Promise<number>
  drop(name: string): Promise<void>
}

/** The checkpoint's confirmation covers documents: it comes after them in the server's journal, or with them in a transaction. */
export const DOCUMENT_OPTIONS = { readPreference: 'primary', writeConcern: { w: 1, journal: false } } as const
const KNOWN_MS = 10_000
const CLAIMS_MAX = 5
const NAMES_MAX = 10_000
/** A place this much older than the current one was left behind by a process that died. */
const LEFT_BEHIND_MS = 600_000

export interface CollectionsOptions {
  readonly connection: MongoConnection
  readonly clock: Clock
}

interface State extends CollectionsOptions {
  readonly known: Map<string, KnownCollection>
  readonly db: Db
  readonly records: Collection<CollectionRecord>
}

export function createCollections(options: CollectionsOptions): Collections {
  const { connection } = options
  const known = new Map<string, KnownCollection>()
  const db = connection.db()
  const records = db.collection<CollectionRecord>(COLLECTIONS, { readPreference: 'primary' })
  const collections: State = { ...options, known, db, records }

  return {
    records,
    open: (spec) => open(collections, spec),
    known: (name) => knownOf(collections, name),
    readyNow: (name) => readyNow(collections, name),
    ready: (name) => ready(collections, name),
    current: (names) => current(collections, names),
    advanced: (collection, checkpoint, epoch) => void Object.assign(collection, { checkpoint, epoch, confirmed: moment(collections) }),
    index: async (name) => complete(collections, await knownOf(collections, name)),
    forget: (name) => void known.delete(name),
    async names() {
      const found = await records.find({ spec: { $exists: true } }, { projection: { _id: 1 }, limit: NAMES_MAX }).toArray()
      return found.map(({ _id }) => _id)
    },
    async lastEpoch() {
      const [last] = await records.find({}, { projection: { epoch: 1 }, sort: { epoch: -1 }, limit: 1 }).toArray()
      return last?.epoch ?? 0
    },
    async drop(name) {
      known.delete(name)
      const found = await records.findOneAndDelete({ _id: name })
      if (found) await dropPlace(collections, found)
    },
  }
}

const moment = ({ clock }: State): Moment => ({ now: clock.now(), monotonic: clock.monotonic() })

/** The monotonic clock does not count the time that a machine sleeps. */
const ageMs = ({ clock }: State, { now, monotonic }: Moment) => Math.max(clock.now() - now, clock.monotonic() - monotonic)

function learn(collections: State, record: CollectionRecord): KnownCollection {
  const { known, db, clock } = collections
  const { _id: name, place, checkpoint, epoch } = record
  const before = known.get(name)
  const state = { checkpoint, epoch, confirmed: moment(collections) }
  if (before?.place === place) return Object.assign(before, state)
  const documents = db.collection<StoredRecord>(place, DOCUMENT_OPTIONS)
  const spec = JSON.parse(record.spec) as CollectionSpec
  const memory = {
    seen: createLastPositions(),
    listed: new Set<string>(),
    walked: new Map<string, number>(),
    kept: createKeptCounts(),
    indexing: 'unknown' as const,
  }
  const made = { spec, place, documents, ...state, ...memory, sweptAtMs: clock.monotonic() }
  known.set(name, made)
  return made
}

async function current(collections: State, names: readonly string[]): Promise<readonly KnownCollection[]> {
  const { records, known } = collections
  const found = await records.find({ _id: oneOf(names), spec: { $exists: true } }, { limit: names.length }).toArray()
  return names.map((name) => {
    const record = found.find(({ _id }) => _id === name)
    if (record) return learn(collections, record)
    known.delete(name)
    throw new NoCollection(name)
  })
}

async function knownOf(collections: State, name: string): Promise<KnownCollection> {
  const found = collections.known.get(name)
  return found && ageMs(collections, found.confirmed) < KNOWN_MS ? found : (await now(collections, name)).known
}

async function now(collections: State, name: string): Promise<Awaited<ReturnType<Collections['readyNow']>>> {
  const { records, known } = collections
  const record = await records.findOne({ _id: name, spec: { $exists: true } })
  if (record) return { known: learn(collections, record), checkpoint: record.checkpoint }
  known.delete(name)
  throw new NoCollection(name)
}

/** A collection is filled without indexes: they are made by the first query, or at the end. */
async function ready(collections: State, name: string): Promise<KnownCollection> {
  const known = await knownOf(collections, name)
  if (known.indexing !== 'complete') await complete(collections, known)
  return known
}

async function readyNow(collections: State, name: string): Promise<Awaited<ReturnType<Collections['readyNow']>>> {
  const { known, checkpoint } = await now(collections, name)
  if (known.indexing !== 'complete') await complete(collections, known)
  return { known, checkpoint }
}

async function complete({ connection, db }: State, known: KnownCollection): Promise<void> {
  if (typeof known.indexing === 'object') return known.indexing
  const making = makeIndexes({ connection, documents: db.collection(known.place) }, known.spec)
  known.indexing = making
  try {
    await making
    known.indexing = 'complete'
  } catch (error) {
    known.indexing = 'unknown'
    throw error
  }
}

/** Made here: transactions that made them would conflict. */
async function makePlaces(
  { db }: State,
  { spec, place }: Pick<CollectionRecord, 'place'> & { readonly spec: CollectionSpec },
): Promise<void> {
  for (const name of [place, ...tallyFieldsOf(spec).map((field) => valuesPlaceOf(place, field))]) await makeCollection(db, name)
}

async function open(collections: State, spec: CollectionSpec): Promise<void> {
  const { known, records } = collections
  checkSpec(spec)
  known.delete(spec.name)
  const text = JSON.stringify(spec)
  for (let claim = 0; claim < CLAIMS_MAX; claim++) {
    const found = await records.findOne({ _id: spec.name })
    if (found?.spec === text) return makePlaces(collections, { spec, place: found.place })
    const place = `${spec.name}.${new ObjectId().toHexString()}`
    const record = { _id: spec.name, spec: text, place, checkpoint: START, epoch: 0 }
    if (!(await isClaimed(records, record, found))) continue
    await makePlaces(collections, { spec, place })
    if (found) await dropPlace(collections, found)
    return dropLeftBehind(collections, place)
  }
  throw new Error(`${spec.name} is constantly recreated by other processes`)
}

async function dropPlace({ db }: State, { place, spec }: Document): Promise<void> {
  const { fields } = (spec ? JSON.parse(spec as string) : { fields: {} }) as CollectionSpec
  for (const name of [place as string, ...tallyFieldsOf({ fields }).map((field) => valuesPlaceOf(place, field))])
    await db.dropCollection(name)
}

async function dropLeftBehind({ db }: State, place: string): Promise<void> {
  const [name = '', token = ''] = place.split('.')
  // In code point order a slash follows a dot.
  const places = await db.listCollections({ name: { $gte: `${name}.`, $lt: `${name}/` } }, { nameOnly: true }).toArray()
  for (const other of places)
    if (bornMs(token) - bornMs(other.name.split('.')[1] ?? '') > LEFT_BEHIND_MS) await db.dropCollection(other.name)
}

async function makeCollection(db: Db, name: string): Promise<void> {
  try {
    await db.createCollection(name)
  } catch (error) {
    if (!isThereAlready(error)) throw error
  }
}

/** False: another process was first. */
async function isClaimed(records: Collection<CollectionRecord>, record: CollectionRecord, before: Document | null): Promise<boolean> {
  if (before) {
    const filter: Filter<CollectionRecord> = { _id: record._id, place: before['place'] as string }
    return (await records.replaceOne(filter, record)).matchedCount === 1
  }
  try {
    await records.insertOne(record)
    return true
  } catch (error) {
    if (isDuplicateKey(error)) return false
    throw error
  }
}

const bornMs = (token: string): number => (ObjectId.isValid(token) ? new ObjectId(token).getTimestamp().getTime() : Number.NaN)
