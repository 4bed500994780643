/**
 * Stores the spendings of each key as a chain of documents: a change is the insert of the next number. An insert of an id has exactly one
 * winner on every server of the protocol, unlike an update guarded by a revision (FerretDB reads, then writes).
 *
 * A writer may extend a link for `TRUST_MS` after it was known to be the last. A link is removed `KEEP_MS` or more after it got a
 * successor. So a writer that extends a link which is not the last hits a duplicate key, or finds it too old and starts over. The last link
 * is removed long after its window has passed.
 */
import type { Collection } from 'mongodb'
import { createLruCache, type LruCache } from '../../concurrency/lru-cache.ts'
import type { Clock } from '../../ports/clock.ts'
import { ServerUnavailable } from '../../ports/server.ts'
import type { MongoConnection } from './connection.ts'
import { SERVER, isDuplicateKey } from './errors.ts'
import type { CollectionIndexes } from './secrets-indexes.ts'
import { readTimes, writeTimes, type Times } from './sliding-window.ts'

export interface CounterChains {
  /** The server's current state. */
  read(key: string): Promise<Times>
  /** Stores the result of `next`, which may be called again with newer times; undefined: nothing to change. @throws ServerUnavailable */
  change(key: string, windowMs: number, next: (times: Times) => Times | undefined): Promise<void>
}

export interface CounterChainsOptions {
  readonly connection: MongoConnection
  readonly clock: Clock
  /** Waits for one answer of the server, within the time left. @throws ServerUnavailable */
  readonly answered: <T>(work: () => Promise<T>) => Promise<T>
}

/** The last link known to this node. */
interface Known {
  /** 0: there is no link yet. */
  readonly number: number
  readonly times: Times
  /** Monotonic time at which it had no successor that may have been removed since. */
  readonly knownAtMs: number
}

interface LinkDocument {
  readonly _id: string
  readonly spent: string
  /** When it expires: milliseconds since 1970. */
  readonly goneAt: number
}

/** Used for sweeping. */
export const COUNTER_INDEXES: CollectionIndexes = { collection: 'counters', keys: [{ goneAt: 1 }] }
const TRUST_MS = 1_000
const KEEP_MS = 2_000
const IDLE_MS = 600_000
const SWEEP_EVERY_MS = 60_000
/** Each failed attempt is a success of another node. */
const TRIES = 30
/** After so many steps to the next link, jump to the last. */
const STEPS_AT_ONCE = 4
const KNOWN_MAX = 10_000
const DIGITS = 15

interface State extends CounterChainsOptions {
  readonly guarded: <T>(work: () => Promise<T>, withinMs?: number) => Promise<T>
  /** Counting waits for no disk and no second server: a crash of the server may lose the latest counts. */
  readonly links: Collection<LinkDocument>
  readonly knowns: LruCache<Known>
  /** For each key the last link before which links will be removed. */
  readonly pruned: Map<string, number>
  sweptAtMs: number
}

export function createCounterChains(options: CounterChainsOptions): CounterChains {
  const { connection } = options
  const { guarded } = connection
  const state: State = {
    ...options,
    guarded,
    links: connection.db().collection<LinkDocument>('counters', { writeConcern: { w: 1 } }),
    knowns: createLruCache(KNOWN_MAX),
    pruned: new Map(),
    sweptAtMs: Number.NEGATIVE_INFINITY,
  }

  return { read: async (key) => (await read(state, key)).times, change: (key, windowMs, next) => change(state, key, windowMs, next) }
}

async function read({ clock, answered, links }: State, key: string): Promise<Known> {
  const knownAtMs = clock.monotonic()
  const found = await answered(() => links.findOne({ _id: { $gte: idOf(key, 0), $lt: `${encodeURIComponent(key)}$` } }, NEWEST))
  return { number: found ? Number(found._id.slice(-DIGITS)) : 0, times: readTimes(found?.spent ?? ''), knownAtMs }
}

/** The next link, which another node has added since. */
async function successor({ answered, links }: State, key: string, { number, knownAtMs }: Known): Promise<Known | undefined> {
  const found = await answered(() => links.findOne({ _id: idOf(key, number + 1) }))
  return found ? { number: number + 1, times: readTimes(found.spent), knownAtMs } : undefined
}

/** False: a link of that number exists. */
async function add({ clock, answered, links }: State, key: string, { number, times }: Known, windowMs: number): Promise<boolean> {
  const link = { _id: idOf(key, number), spent: writeTimes(times), goneAt: clock.now() + windowMs + IDLE_MS }
  try {
    await answered(() => links.insertOne(link))
    return true
  } catch (error) {
    if (isDuplicateKey(error)) return false
    throw error
  }
}

/** After a while removes the links before that one, which now have a successor. */
function pruneLater(state: State, key: string, number: number): void {
  const { pruned } = state
  const waits = pruned.has(key)
  pruned.set(key, number)
  if (!waits) armPrune(state, key, number)
}

function armPrune(state: State, key: string, number: number): void {
  const { clock, pruned, guarded, links } = state
  const armedAtMs = clock.now()
  clock.after(KEEP_MS, () => {
    const last = pruned.get(key) ?? number
    if (last > number) armPrune(state, key, last)
    else pruned.delete(key)
    // If this process was suspended for long, the key may have another chain by now.
    if (clock.now() - armedAtMs > IDLE_MS) return
    guarded(() => links.deleteMany({ _id: { $gte: idOf(key, 0), $lt: idOf(key, number) } })).catch(() => {})
  })
}

function sweepSometimes(state: State): void {
  const { clock, guarded, links } = state
  if (clock.monotonic() - state.sweptAtMs < SWEEP_EVERY_MS) return
  state.sweptAtMs = clock.monotonic()
  guarded(() => links.deleteMany({ goneAt: { $lte: clock.now() } })).catch(() => {})
}

const isTrusted = ({ clock }: State, known: Known | undefined): known is Known =>
  known !== undefined && clock.monotonic() - known.knownAtMs < TRUST_MS

/** The new link; undefined: another node was faster, or it took so long that the outcome is uncertain. */
async function extend(
  state: State,
  key: string,
  base: Known,
  to: { readonly times: Times; readonly windowMs: number },
): Promise<Known | undefined> {
  const link = { number: base.number + 1, times: to.times, knownAtMs: state.clock.monotonic() }
  if (!(await add(state, key, link, to.windowMs)) || !isTrusted(state, base)) return undefined
  pruneLater(state, key, link.number)
  sweepSometimes(state)
  return link
}

async function change(state: State, key: string, windowMs: number, next: (times: Times) => Times | undefined): Promise<void> {
  const { knowns, clock } = state
  const known = knowns.peek(key)
  knowns.remove(key)
  let base = isTrusted(state, known) ? known : undefined
  for (let tries = 0; tries < TRIES; tries++) {
    const before: Known = base ?? (await read(state, key))
    const times = next(before.times)
    const added = times && (await extend(state, key, before, { times, windowMs }))
    if (added) return knowns.put(key, added)
    const nowMs = clock.monotonic()
    const isNear = tries % STEPS_AT_ONCE < STEPS_AT_ONCE - 1 && isTrusted(state, before)
    base = isNear ? await successor(state, key, before) : undefined
    // Only the server knows that nothing is to change: others may have changed it.
    if (!times && isNear && !base) return knowns.put(key, { ...before, knownAtMs: nowMs })
  }
  throw new ServerUnavailable(SERVER)
}

const NEWEST = { sort: { _id: -1 } } as const

/** In the order of the numbers for each key; no key is a prefix of another's. */
const idOf = (key: string, number: number): string => `${encodeURIComponent(key)}#${String(number).padStart(DIGITS, '0')}`
