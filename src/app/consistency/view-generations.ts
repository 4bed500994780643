/**
 * Manages generations of views: a rebuild fills a new collection beside the live one, and swaps them when it has caught up. The live
 * generation's number is stored with the documents: if the read store is deleted, everything is rebuilt from the log anyway.
 *
 * The rest of the code names a view by its first generation (`movies_g4`); the names of later generations derive from it.
 */
import { generationName } from '../../../projections/views/view.ts'
import { createSemaphore } from '../../concurrency/semaphore.ts'
import type { JsonObject } from '../../events/envelope.ts'
import { toPosition } from '../../events/position.ts'
import type { Clock } from '../../ports/clock.ts'
import { NoCollection, type ReadStore } from '../../ports/read-store.ts'

export interface Generations {
  /** The generation that is read. */
  readonly live: number
  /** The generation that is being filled. */
  readonly building: number | null
  /** The previous live generation: kept up to date until every node has noticed the swap. */
  readonly retiring: number | null
}

export interface ViewGenerations {
  /** Generations of a view's version, as last read. */
  of(this: void, collection: string): Generations
  /** Name of the collection to read. */
  liveOf(this: void, collection: string): string
  /** Reads them again if they are old; undefined if there is nothing to wait for. */
  fresh(this: void): Promise<void> | undefined
  load(this: void): Promise<void>
  /**
   * Stores the result of `decide`, with optimistic concurrency among nodes; undefined changes nothing. Returns the generations in force.
   */
  change(this: void, collection: string, decide: (now: Generations) => Generations | undefined): Promise<Generations>
}

/** A node never reads documents by generations older than this. */
export const STALE_MS = 5000
const REFRESH_MS = 1000
const ATTEMPTS = 10

const FIRST: Generations = { live: 0, building: null, retiring: null }
const ROWS = { name: 'generations', fields: {}, indexes: [] }
const ROWS_MAX = 1000

export function createViewGenerations({ store, clock }: { store: ReadStore; clock: Pick<Clock, 'monotonic'> }): ViewGenerations {
  let rows: ReadonlyMap<string, Generations> = new Map()
  let readAtMs = Number.NEGATIVE_INFINITY
  let refreshing: Promise<void> | undefined
  const inTurn = createSemaphore(1)
  const of = (collection: string): Generations => rows.get(collection) ?? FIRST

  async function read(): Promise<void> {
    const startedMs = clock.monotonic()
    try {
      const { documents } = await store.find(ROWS.name, { limit: ROWS_MAX })
      rows = new Map(documents.map(({ id, body }) => [id, generationsIn(body)]))
    } catch (cause) {
      // No view was ever rebuilt.
      if (!(cause instanceof NoCollection)) throw cause
      rows = new Map()
    }
    readAtMs = startedMs
  }

  function refresh(): Promise<void> {
    refreshing ??= inTurn(read).finally(() => (refreshing = undefined))
    return refreshing
  }

  async function attempt(collection: string, decide: (now: Generations) => Generations | undefined): Promise<Generations | undefined> {
    const from = await store.checkpoint(ROWS.name)
    await read()
    const next = decide(of(collection))
    if (!next) return of(collection)
    const to = toPosition(BigInt(from) + 1n)
    const puts = [{ id: collection, at: to, body: { ...next } }]
    if ((await store.commit({ collection: ROWS.name, epoch: 0, from, to, puts, removes: [] })) === 'fenced') return undefined
    rows = new Map([...rows, [collection, next]])
    return next
  }

  return {
    of,
    liveOf: (collection) => generationName(collection, of(collection).live),
    fresh() {
      const ageMs = clock.monotonic() - readAtMs
      if (ageMs < REFRESH_MS) return undefined
      const read = refresh()
      if (ageMs > STALE_MS) return read
      // If it fails, the next call waits for a new read.
      read.catch(() => {})
      return undefined
    },
    load: () => inTurn(read),
    change: (collection, decide) =>
      inTurn(async () => {
        await store.open([ROWS])
        for (let n = 0; n < ATTEMPTS; n++) {
          const stored = await attempt(collection, decide)
          if (stored) return stored
        }
        throw new Error(`The generations of ${collection} were not stored: other nodes change them all the time`)
      }),
  }
}

function generationsIn({ live, building, retiring }: JsonObject): Generations {
  const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null)
  return { live: numberOf(live) ?? 0, building: numberOf(building), retiring: numberOf(retiring) }
}
