/**
 * Pages of the log for clients that were away: read once for all who ask for about the same, a few at a time, users in turn, and kept
 * for the next one.
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

/** What happened after a position, up to another: all of it, as far as this program knows the events' types. */
export interface LogPage {
  readonly after: Position
  readonly upTo: Position
  readonly events: readonly RecordedEvent[]
}

export interface LogPages {
  /**
   * Everything after one position up to another, page by page. `userId`: whose turn it takes.
   * @throws QueueFull when too many wait, Late when the log does not answer, or the signal's reason
   */
  read(range: { readonly after: Position; readonly upTo: Position }, userId: string, signal: AbortSignal): AsyncIterable<LogPage>
}

/** Events kept in memory, for all clients. */
const ROOM_EVENTS = 12_000
/** What a page weighs at least: there are never more than 240. */
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

  /** The page that begins there, or has it in the middle. */
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

/** @throws the signal's reason when it is aborted first */
async function firstBatch(log: Pick<EventLog, 'follow'>, after: Position, signal: AbortSignal): Promise<LogPage> {
  for await (const batch of log.follow(after, signal)) {
    const last = batch.at(-1)
    if (last) return { after, upTo: last.position, events: batch.map(decodeKnown).filter((event) => event !== undefined) }
  }
  signal.throwIfAborted()
  throw new Error('The event log is closed')
}
