/**
 * Idempotency store in MongoDB, for all API nodes. A key is begun by an insert, so by exactly one caller. An interrupted run, or one whose
 * node is lost, is restarted by an update that names the run it found (running-requests.ts). That is exact on MongoDB; a server that reads
 * and then writes, such as FerretDB, may let two callers in, which get the same seed. Everything is on disk before the reply.
 *
 * Documents older than a day, and the oldest beyond `max`, are removed with one in a hundred of the keys begun. A TTL index would use its
 * own clock and is not available on every server.
 */
import type { Collection } from 'mongodb'
import { createLruCache, type LruCache } from '../../concurrency/lru-cache.ts'
import type { Clock } from '../../ports/clock.ts'
import { ServerUnavailable } from '../../ports/server.ts'
import {
  IDEMPOTENCY_LIFE_MS,
  IDEMPOTENCY_KEYS_OF_OWNER_MAX,
  type Begun,
  type KeyedRun,
  type IdempotencyStore,
} from '../../ports/idempotency-store.ts'
import { createSteadyNow } from '../shared/steady-now.ts'
import type { MongoConnection } from './connection.ts'
import { SERVER, isDuplicateKey } from './errors.ts'
import type { CollectionIndexes } from './secrets-indexes.ts'
import { createRunningRequests, type RunningRequests } from './running-requests.ts'

export interface MongoIdempotencyStoreOptions {
  readonly connection: MongoConnection
  readonly clock: Clock
  /** Up to one in a hundred more may exist for a while. */
  readonly max?: number
  readonly maxOfOwner?: number
}

interface OutcomeDocument {
  readonly _id: string
  readonly fingerprint: string
  readonly seed: string
  /** Missing in documents of older versions. */
  readonly owner?: string
  /** Milliseconds since 1970. */
  readonly beganAt: number
  /** 0: not running. */
  readonly runningAt: number
  readonly answer: string | null
}

type Run = Pick<OutcomeDocument, 'seed' | 'runningAt'>

const OUTCOMES_MAX = 10_000
/** Used for tidying; made at the start, since on a large collection that takes longer than a request waits. */
export const IDEMPOTENCY_INDEXES: CollectionIndexes = { collection: 'outcomes', keys: [{ beganAt: 1 }, { owner: 1, beganAt: 1 }] }
/** Each failed attempt found the key changed by another node. */
const TRIES = 5
const DROPPED_AT_ONCE = 1_000
const UNSURE_MAX = 1_000

interface State {
  readonly max: number
  readonly maxOfOwner: number
  readonly steadyNow: () => number
  readonly guarded: <T>(work: () => Promise<T>, withinMs?: number) => Promise<T>
  readonly idempotencyStore: Collection<OutcomeDocument>
  readonly tidyEvery: number
  /** The first pending call of this node for each key. */
  readonly firsts: Map<string, Promise<Begun>>
  /** Runs that this node tried to begin without learning the outcome: nobody is working on those. */
  readonly unsure: LruCache<Run>
  begun: number
  readonly runs: RunningRequests
}

export function createMongoIdempotencyStore(options: MongoIdempotencyStoreOptions): IdempotencyStore {
  const { connection, clock, max = OUTCOMES_MAX, maxOfOwner = IDEMPOTENCY_KEYS_OF_OWNER_MAX } = options
  const steadyNow = createSteadyNow(clock)
  const { guarded } = connection
  const idempotencyStore = connection.db().collection<OutcomeDocument>('outcomes')
  /** Runs that this node tried to begin without learning the outcome: nobody is working on those. */
  const unsure = createLruCache<Run>(UNSURE_MAX)
  const runs = createRunningRequests(clock, async (key, runningAt) => {
    const renewed = Math.max(steadyNow(), runningAt + 1)
    const { matchedCount } = await idempotencyStore.updateOne({ _id: key, runningAt, answer: null }, { $set: { runningAt: renewed } })
    return matchedCount > 0 ? renewed : undefined
  })
  const store: State = {
    max,
    maxOfOwner,
    steadyNow,
    guarded,
    idempotencyStore,
    tidyEvery: Math.max(1, Math.floor(max / 100)),
    firsts: new Map(),
    unsure,
    begun: 0,
    runs,
  }

  return {
    async begin(key, request) {
      const state = await inTurn(store, key, () => guarded(() => begin(store, key, request)))
      if (state.state !== 'begun') return state
      unsure.remove(key)
      // The run has begun, even if making room failed.
      await tidy(store, key, request.owner).catch(() => {})
      return state
    },
    settle: (key, answer) => ended(store, key, () => idempotencyStore.updateOne({ _id: key }, { $set: { answer } })),
    release: (key) => ended(store, key, () => idempotencyStore.updateOne({ _id: key }, { $set: { runningAt: 0 } })),
    forget: (key) => ended(store, key, () => idempotencyStore.deleteOne({ _id: key })),
    // The connection belongs to its creator.
    close: async () => runs.close(),
  }
}

async function begin(store: State, key: string, { fingerprint, seed, owner }: KeyedRun): Promise<Begun> {
  const { unsure, steadyNow, idempotencyStore, runs } = store
  const given = unsure.peek(key)
  for (let tries = 0; tries < TRIES; tries++) {
    const now = steadyNow()
    const made = { _id: key, fingerprint, seed, owner, beganAt: now, runningAt: now, answer: null }
    const isNew = await surely(store, key, made, () => inserted(idempotencyStore, made))
    if (isNew) {
      runs.started(key, now)
      return { state: 'begun', seed }
    }
    const found = await idempotencyStore.findOne({ _id: key })
    if (found && found.beganAt + IDEMPOTENCY_LIFE_MS <= now) await idempotencyStore.deleteOne({ _id: key, beganAt: found.beganAt })
    else if (found) {
      if (found.fingerprint !== fingerprint) return { state: 'other' }
      const isIdle = given?.seed === found.seed && given.runningAt === found.runningAt
      const state = await surely(store, key, { seed: found.seed, runningAt: now }, () =>
        again(idempotencyStore, found, { now, isIdle, runs }),
      )
      if (state) return state
    }
  }
  throw new ServerUnavailable(SERVER)
}

/** Remembers the run if the server did not report whether the write that may have begun the key succeeded. */
async function surely<T>({ unsure }: State, key: string, run: Run, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    unsure.put(key, run)
    throw error
  }
}

/** Of several concurrent calls on one node the first one goes first. */
async function inTurn({ firsts }: State, key: string, ask: () => Promise<Begun>): Promise<Begun> {
  const first = firsts.get(key)
  if (first) return first.then(ask, ask)
  const asked = ask().finally(() => firsts.delete(key))
  firsts.set(key, asked)
  return asked
}

/** After one of the keys begun; the key itself stays. */
async function tidy(store: State, key: string, owner: string): Promise<void> {
  const { tidyEvery, idempotencyStore, steadyNow, maxOfOwner, max } = store
  if (store.begun++ % tidyEvery > 0) return
  await idempotencyStore.deleteMany({ beganAt: { $lte: steadyNow() - IDEMPOTENCY_LIFE_MS } })
  await dropOldest(store, { owner }, key, maxOfOwner)
  await dropOldest(store, {}, key, max)
}

async function dropOldest({ idempotencyStore }: State, among: Pick<OutcomeDocument, 'owner'>, key: string, kept: number): Promise<void> {
  const tooMany = (await idempotencyStore.countDocuments(among)) - kept
  if (tooMany <= 0) return
  const others = idempotencyStore.find({ ...among, _id: { $ne: key } }, { projection: { _id: 1 }, sort: { beganAt: 1 } })
  const oldest = await others.limit(Math.min(tooMany, DROPPED_AT_ONCE)).toArray()
  await idempotencyStore.deleteMany({ _id: { $in: oldest.map(({ _id }) => _id) } })
}

/** Keeps renewing until the server has stored the end, so that nobody begins it again meanwhile. */
async function ended({ guarded, runs }: State, key: string, write: () => Promise<unknown>): Promise<void> {
  await guarded(write)
  runs.ended(key)
}

/** False: the id exists. */
async function inserted(idempotencyStore: Collection<OutcomeDocument>, outcome: OutcomeDocument): Promise<boolean> {
  try {
    await idempotencyStore.insertOne(outcome)
    return true
  } catch (error) {
    if (isDuplicateKey(error)) return false
    throw error
  }
}

/** The state of a request that was begun before; undefined: it was changed concurrently. */
async function again(
  idempotencyStore: Collection<OutcomeDocument>,
  found: OutcomeDocument,
  { now, isIdle, runs }: { readonly now: number; readonly isIdle: boolean; readonly runs: RunningRequests },
): Promise<Begun | undefined> {
  const { _id, seed, runningAt, answer } = found
  if (answer !== null) return { state: 'settled', answer }
  if (runningAt > 0 && !isIdle && !runs.isLost(_id, runningAt)) return { state: 'running' }
  const mark = Math.max(now, runningAt + 1)
  const { matchedCount } = await idempotencyStore.updateOne({ _id, runningAt, answer: null }, { $set: { runningAt: mark } })
  if (matchedCount === 0) return undefined
  runs.started(_id, mark)
  return { state: 'begun', seed }
}
