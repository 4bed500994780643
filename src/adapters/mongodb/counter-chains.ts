/**
 * What was spent of each key, as a chain of documents: a change is the insert of the next number. An insert of an id has exactly
 * one winner on every server of the protocol, which an update guarded by a revision has not (FerretDB reads, then writes).
 *
 * A link is built on for `TRUST_MS` after it was known to be the last, and removed `KEEP_MS` or more after it had a successor:
 * whoever builds on one that is not the last meets its successor, or is late and begins anew. The last link is removed long after
 * its window has passed.
 */
import { createLruCache } from '../../concurrency/lru-cache.ts'
import type { Clock } from '../../ports/clock.ts'
import { ServerUnavailable } from '../../ports/server.ts'
import type { MongoConnection } from './connection.ts'
import { SERVER, isDuplicateKey } from './errors.ts'
import type { CollectionIndexes } from './secrets-indexes.ts'
import { readTimes, writeTimes, type Times } from './sliding-window.ts'

export interface CounterChains {
  /** As the server has it now. */
  read(key: string): Promise<Times>
  /**
   * Makes what `next` makes of the times, which may be asked again with later ones; undefined: nothing is to change.
   * @throws ServerUnavailable
   */
  change(key: string, windowMs: number, next: (times: Times) => Times | undefined): Promise<void>
}

export interface CounterChainsOptions {
  readonly connection: MongoConnection
  readonly clock: Clock
  /** Waits for one answer of the server, as long as there is time. @throws ServerUnavailable */
  readonly answered: <T>(work: () => Promise<T>) => Promise<T>
}

/** A link, as far as this node knows the last. */
interface Known {
  /** 0: there is none yet. */
  readonly number: number
  readonly times: Times
  /** At that time none had a successor that may be removed by now (monotonic). */
  readonly knownAtMs: number
}

interface LinkDocument {
  readonly _id: string
  readonly spent: string
  /** When it means nothing any more: milliseconds since 1970. */
  readonly goneAt: number
}

/** What sweeping asks by. */
export const COUNTER_INDEXES: CollectionIndexes = { collection: 'counters', keys: [{ goneAt: 1 }] }
const TRUST_MS = 1_000
const KEEP_MS = 2_000
const IDLE_MS = 600_000
const SWEEP_EVERY_MS = 60_000
/** Each try that fails is a success of another node. */
const TRIES = 30
/** So many steps to the next link, then one to the last. */
const STEPS_AT_ONCE = 4
const KNOWN_MAX = 10_000
const DIGITS = 15

export function createCounterChains({ connection, clock, answered }: CounterChainsOptions): CounterChains {
  const { guarded } = connection
  // Counting waits for no disk and no second server: a crash of the server may lose the counts of a moment.
  const links = connection.db().collection<LinkDocument>('counters', { writeConcern: { w: 1 } })
  const knowns = createLruCache<Known>(KNOWN_MAX)
  /** The last links of keys with links that will be removed. */
  const pruned = new Map<string, number>()
  let sweptAtMs = Number.NEGATIVE_INFINITY

  async function read(key: string): Promise<Known> {
    const knownAtMs = clock.monotonic()
    const found = await answered(() => links.findOne({ _id: { $gte: idOf(key, 0), $lt: `${encodeURIComponent(key)}$` } }, NEWEST))
    return { number: found ? Number(found._id.slice(-DIGITS)) : 0, times: readTimes(found?.spent ?? ''), knownAtMs }
  }

  /** The one after it, which another node has added since. */
  async function successor(key: string, { number, knownAtMs }: Known): Promise<Known | undefined> {
    const found = await answered(() => links.findOne({ _id: idOf(key, number + 1) }))
    return found ? { number: number + 1, times: readTimes(found.spent), knownAtMs } : undefined
  }

  /** False: there is a link of that number. */
  async function add(key: string, { number, times }: Known, windowMs: number): Promise<boolean> {
    const link = { _id: idOf(key, number), spent: writeTimes(times), goneAt: clock.now() + windowMs + IDLE_MS }
    try {
      await answered(() => links.insertOne(link))
      return true
    } catch (error) {
      if (isDuplicateKey(error)) return false
      throw error
    }
  }

  /** After a while removes those before that one, which have a successor now. */
  function pruneLater(key: string, number: number): void {
    const waits = pruned.has(key)
    pruned.set(key, number)
    if (!waits) armPrune(key, number)
  }

  function armPrune(key: string, number: number): void {
    const armedAtMs = clock.now()
    clock.after(KEEP_MS, () => {
      const last = pruned.get(key) ?? number
      if (last > number) armPrune(key, last)
      else pruned.delete(key)
      // A process that stood still for long may come back to another chain.
      if (clock.now() - armedAtMs > IDLE_MS) return
      guarded(() => links.deleteMany({ _id: { $gte: idOf(key, 0), $lt: idOf(key, number) } })).catch(() => {})
    })
  }

  function sweepSometimes(): void {
    if (clock.monotonic() - sweptAtMs < SWEEP_EVERY_MS) return
    sweptAtMs = clock.monotonic()
    guarded(() => links.deleteMany({ goneAt: { $lte: clock.now() } })).catch(() => {})
  }

  const isTrusted = (known: Known | undefined): known is Known => known !== undefined && clock.monotonic() - known.knownAtMs < TRUST_MS

  /** What is after the base, or undefined: another node was faster, or it took so long that nobody knows. */
  async function extend(key: string, base: Known, to: { readonly times: Times; readonly windowMs: number }): Promise<Known | undefined> {
    const link = { number: base.number + 1, times: to.times, knownAtMs: clock.monotonic() }
    if (!(await add(key, link, to.windowMs)) || !isTrusted(base)) return undefined
    pruneLater(key, link.number)
    sweepSometimes()
    return link
  }

  async function change(key: string, windowMs: number, next: (times: Times) => Times | undefined): Promise<void> {
    const known = knowns.peek(key)
    knowns.remove(key)
    let base = isTrusted(known) ? known : undefined
    for (let tries = 0; tries < TRIES; tries++) {
      const before: Known = base ?? (await read(key))
      const times = next(before.times)
      const added = times && (await extend(key, before, { times, windowMs }))
      if (added) return knowns.put(key, added)
      const nowMs = clock.monotonic()
      const isNear = tries % STEPS_AT_ONCE < STEPS_AT_ONCE - 1 && isTrusted(before)
      base = isNear ? await successor(key, before) : undefined
      // That nothing is to change only the server knows: others may have changed it.
      if (!times && isNear && !base) return knowns.put(key, { ...before, knownAtMs: nowMs })
    }
    throw new ServerUnavailable(SERVER)
  }

  return { read: async (key) => (await read(key)).times, change }
}

const NEWEST = { sort: { _id: -1 } } as const

/** In the order of the numbers for each key; no key is the beginning of another's. */
const idOf = (key: string, number: number): string => `${encodeURIComponent(key)}#${String(number).padStart(DIGITS, '0')}`
