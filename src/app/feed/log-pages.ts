/**
 * Reads pages of the log for clients that were disconnected. One read serves all clients with about the same range. A few run at a time,
 * users take turns, and pages are cached.
 */
import { decodeKnown } from '../../events/codec.ts'
import type { Position } from '../../events/position.ts'
import type { RecordedEvent } from '../../events/recorded.ts'
import { withTimeout } from '../../concurrency/timeout.ts'
import { createFairSemaphore } from '../../concurrency/fair-semaphore.ts'
import { createLruCache } from '../../concurrency/lru-cache.ts'
import { createSingleFlight } from '../../concurrency/single-flight.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventLog } from '../../ports/event-log.ts'

/** All events after a position up to another, as far as this program knows their types. */
export interface LogPage {
  readonly after: Position
  readonly upTo: Position
  readonly events: readonly RecordedEvent[]
}

export interface LogPages {
  /**
   * All events after one position up to another, page by page. `userId`: the user whose turn in the queue this takes.
   * @throws QueueFull if too many wait, Late if the log does not answer, or the signal's reason
   */
  read(range: { readonly after: Position; readonly upTo: Position }, userId: string, signal: AbortSignal): AsyncIterable<LogPage>
}

/** Events in the cache, for all clients. */
const ROOM_EVENTS = 12_000
/** Least weight of a page in the cache: this bounds the number of pages at 240. */
const LEAST_WEIGHT = 50
const QUEUE = { width: 2, widthEach: 1, waitingMax: 64, waitingEach: 16 }
const PATIENCE_MS = 8000
const READ_MS = 8000

export function createLogPages({ clock, log }: { readonly clock: Clock; readonly log: Pick<EventLog, 'follow'> }): LogPages {
  const kept = createLruCache<LogPage>(ROOM_EVENTS)
  const flights = createSingleFlight<LogPage>()
  const semaphore = createFairSemaphore({ ...QUEUE, patience: { clock, ms: PATIENCE_MS } })

  function keptFor(after: Position): LogPage | undefined {
    if (kept.peek(after)) return kept.get(after)
    for (const [key, page] of kept.entries()) if (page.after <= after && after < page.upTo) return kept.get(key)
    return undefined
  }

  async function readPage(after: Position, signal: AbortSignal): Promise<LogPage> {
    const stop = new AbortController()
    try {
      const reading = firstBatch(log, after, AbortSignal.any([signal, stop.signal]))
      const page = await withTimeout(reading, { clock, ms: READ_MS, message: 'The event log does not answer' })
      kept.put(after, page, Math.max(LEAST_WEIGHT, page.events.length))
      return page
    } finally {
      stop.abort()
    }
  }

  /** The page that begins at the position or contains it. */
  async function pageAt(after: Position, userId: string, signal: AbortSignal): Promise<LogPage> {
    const read = (until: AbortSignal) => semaphore(userId, async () => keptFor(after) ?? readPage(after, until), until)
    return keptFor(after) ?? flights.join(after, read, signal)
  }

  return {
    async *read({ after, upTo }, userId, signal) {
      for (let at = after; at < upTo;) {
        signal.throwIfAborted()
        const page = await pageAt(at, userId, signal)
        const until = page.upTo < upTo ? page.upTo : upTo
        const from = at
        yield { after: at, upTo: until, events: page.events.filter(({ position }) => position > from && position <= until) }
        at = until
      }
    },
  }
}

/** @throws the signal's reason if it is aborted first */
async function firstBatch(log: Pick<EventLog, 'follow'>, after: Position, signal: AbortSignal): Promise<LogPage> {
  for await (const batch of log.follow(after, signal)) {
    const last = batch.at(-1)
    if (last) return { after, upTo: last.position, events: batch.map(decodeKnown).filter((event) => event !== undefined) }
  }
  signal.throwIfAborted()
  throw new Error('The event log is closed')
}
