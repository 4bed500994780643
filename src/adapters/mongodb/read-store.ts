/**
 * Read store in MongoDB, or another server of its protocol. Any number of processes read; the epoch decides which of them may write.
 * Collections recreated by another process are noticed within 10 s.
 */
import { createSemaphore, type Semaphore } from '../../concurrency/semaphore.ts'
import { createSharedReads, type SharedReads } from '../../concurrency/shared-reads.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Commit, Filter, ReadStore, StoredDocument, Tallied, TallyRange, CollectionSpec } from '../../ports/read-store.ts'
import { checkFilters, checkIds, checkKeyQuery, checkMembers, checkQuery, checkSpec, checkSums, checkTally } from '../shared/query-rules.ts'
import type { MongoConnection } from './connection.ts'
import { createCollections, type KnownCollection, type Collections } from './read-store-collections.ts'
import { commitAll } from './read-store-commit.ts'
import { condition, liveAnd } from './read-store-filters.ts'
import { findKeys, findPage } from './read-store-find.ts'
import { countMatching, readRecords } from './read-store-reads.ts'
import { documentOf, projectionOf } from './read-store-records.ts'
import { indexesOf } from './read-store-schema.ts'
import { readSums } from './read-store-sums.ts'
import { readTallies } from './read-store-tallies.ts'

export interface MongoReadStoreOptions {
  readonly connection: MongoConnection
  readonly clock: Clock
}

/** Each counts up to 8 values at once: together they leave half of the connections to others. */
const TALLIES_AT_ONCE = 2
const TALLIES_WAITING_MAX = 500
const COMMITS_WAITING_MAX = 100
/** Only a projector waits for these. */
const COMMIT_MS = 60_000
const INDEXING_MS = 60 * 60_000
/**
 * A transaction of MongoDB 4.4 that replaces movies takes 12 ms for each of them (25 indexes). An event changes few documents, so this many
 * take about 3 s, and a busy server is still far from the socket's timeout of 15 s.
 */
const EVENTS_PER_COMMIT = 250

interface State extends MongoReadStoreOptions {
  readonly collections: Collections
  readonly counting: Semaphore
  /** Many callers at once need only one connection. */
  readonly checkpoints: SharedReads<Awaited<ReturnType<Collections['readyNow']>>>
  readonly guarded: <T>(work: () => Promise<T>, withinMs?: number) => Promise<T>
}

export function createMongoReadStore(options: MongoReadStoreOptions): ReadStore {
  const { connection, clock } = options
  const collections = createCollections({ connection, clock })
  const inTurn = createSemaphore(1, { waitingMax: COMMITS_WAITING_MAX })
  const { guarded } = connection
  const state: State = {
    ...options,
    collections,
    counting: createSemaphore(TALLIES_AT_ONCE, { waitingMax: TALLIES_WAITING_MAX }),
    checkpoints: createSharedReads(),
    guarded,
  }

  return {
    eventsPerCommit: EVENTS_PER_COMMIT,
    open: (specs) => open(state, specs),
    get: (name, id, only) => guarded(async () => get(await collections.known(name), id, only)),
    getMany: (name, ids) => guarded(async () => getMany(await collections.known(name), ids)),
    find: (name, query) =>
      guarded(async () => {
        const known = await collections.ready(name)
        checkQuery(known.spec, query)
        return findPage({ connection, clock, known }, query)
      }),
    keys: (name, query) =>
      guarded(async () => {
        const known = await collections.ready(name)
        checkKeyQuery(known.spec, query)
        return findKeys({ connection, clock, known }, query)
      }),
    count: (name, where) => count(state, name, where),
    tally: (name, field, range) => tally(state, name, field, range),
    sum: (name, sums) =>
      guarded(async () => {
        const known = await collections.ready(name)
        checkSums(known.spec, sums)
        return readSums(known, sums)
      }),
    commit: (...commits: readonly Commit[]) =>
      inTurn(() => guarded(() => commitAll({ connection, clock, collections }, commits), COMMIT_MS)),
    buildIndexes: (names) =>
      guarded(async () => {
        for (const name of names) await collections.index(name)
      }, INDEXING_MS),
    checkpoint: (name) => guarded(async () => (await collections.current([name]))[0]?.checkpoint as Commit['from']),
    lastEpoch: () => guarded(() => collections.lastEpoch()),
    collections: () => guarded(() => collections.names()),
    drop: (name) => guarded(() => collections.drop(name), INDEXING_MS),
    // The connection belongs to its creator.
    close: async () => {},
  }
}

const readyNow = ({ checkpoints, guarded, collections }: State, name: string) =>
  checkpoints.read(name, () => guarded(() => collections.readyNow(name)))

async function count(state: State, name: string, where: readonly Filter[]): Promise<number> {
  const { guarded, connection } = state
  const { known, checkpoint } = await readyNow(state, name)
  checkFilters(known.spec, where)
  const counted = () => guarded(() => countMatching(connection, known, liveAnd(where.map(condition))))
  return known.kept.of(checkpoint, JSON.stringify(where), counted)
}

async function tally(state: State, name: string, field: string, range: TallyRange): Promise<readonly Tallied[]> {
  const { counting, guarded, connection } = state
  const { known, checkpoint } = await readyNow(state, name)
  checkTally(known.spec, field, range)
  // The engine's timeout starts after the queue: a long queue is not the engine's fault.
  const counted = () => counting(() => guarded(() => readTallies(connection, known, { field, range })))
  return known.kept.of(checkpoint, JSON.stringify([field, range.prefix, range.after, range.limit]), counted)
}

const open = ({ guarded, collections }: State, specs: readonly CollectionSpec[]): Promise<void> =>
  guarded(async () => {
    for (const spec of specs) checkSpec(spec)
    for (const spec of specs) indexesOf(spec)
    // One after another: FerretDB fails if collections are made at the same time.
    for (const spec of specs) await collections.open(spec)
  }, INDEXING_MS)

async function get(known: KnownCollection, id: string, only: readonly string[] | undefined): Promise<StoredDocument | undefined> {
  checkMembers(known.spec, only)
  const [record] = await readRecords(known, [id], { projection: projectionOf(only) })
  return record?.live ? documentOf(record, only) : undefined
}

/** Remembers their positions: a process that reads many by their ids may be about to write them. */
async function getMany(known: KnownCollection, ids: readonly string[]): Promise<readonly StoredDocument[]> {
  checkIds(ids)
  if (ids.length === 0) return []
  const found = new Map((await readRecords(known, ids)).map((record) => [record._id, record]))
  for (const id of ids) known.seen.set(id, found.get(id)?._at ?? null)
  return ids.flatMap((id) => {
    const record = found.get(id)
    return record?.live ? [documentOf(record)] : []
  })
}
