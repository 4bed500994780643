/**
 * Follows the log: page by page until the process's shared subscription covers all following events, and from it then. If the subscription
 * is lost, or runs ahead of a slow consumer, pages are read again.
 */
import type { StoredEvent } from '../../events/envelope.ts'
import { START, type Position } from '../../events/position.ts'
import type { Semaphore } from '../../concurrency/semaphore.ts'
import { endOfLog, isInsideRecord, placeAfter } from './resume-point.ts'
import type { Connection } from './connection.ts'
import type { Feed } from './feed.ts'
import { pageFrom } from './reading.ts'
import type { Reports } from './reports.ts'
import { commitOf, isReadable, storedEvents, type Resolved } from './stored-event.ts'

export interface FollowOptions {
  readonly after: Position
  readonly signal: AbortSignal
  readonly feed: Feed
  /** Bounds concurrent page reads. */
  readonly inTurn: Semaphore
  readonly reports: Reports
}

type Came = ReturnType<typeof storedEvents>

interface Follower extends FollowOptions {
  readonly connection: Connection
  readonly ends: AbortSignal
  /** Place up to which the server's log has been read; the next page begins with the event there. Undefined: not started. */
  place: bigint | undefined
  /** The subscription known to be to the log that the place belongs to. */
  checked: number
  /** How often no event was found at the place. */
  misses: number
  failures: number
}

const SHORTEST_MS = 100
const LONGEST_MS = 10_000
/** If no event is found at a place read before, the node may lag, or may have lost leadership just now (for about a second). */
const MISSES_MAX = 3
const MISS_PAUSE_MS = 1_000

export async function* follow(connection: Connection, options: FollowOptions): AsyncGenerator<readonly StoredEvent[]> {
  const { after, signal, feed } = options
  const ends = AbortSignal.any([signal, connection.closing])
  const place = after === START ? undefined : BigInt(after)
  const follower: Follower = { ...options, connection, ends, place, checked: 0, misses: 0, failures: 0 }
  const leave = feed.join()
  let last = after
  try {
    while (!ends.aborted) {
      const came = (await next(follower)).filter((one) => positionOf(one) > last)
      const broken = came.find((one) => !isReadable(one))
      const batch = came.slice(0, broken ? came.indexOf(broken) : came.length).filter(isReadable)
      last = batch.at(-1)?.position ?? last
      if (batch.length > 0 && !ends.aborted) yield batch
      if (broken && !ends.aborted) throw broken
    }
  } finally {
    leave()
  }
  if (!signal.aborted) throw connection.closing.reason
}

const positionOf = (one: Came[number]): Position => (isReadable(one) ? one : one.place).position

/** The next events; empty by the signal, after a failure, and if only the server's own events came. */
async function next(follower: Follower): Promise<Came> {
  const { feed, ends } = follower
  const latest = follower.place !== undefined && follower.checked === feed.number() ? feed.after(follower.place) : undefined
  if (!latest) return page(follower)
  if (latest.upTo === follower.place) await feed.changed(ends)
  follower.place = latest.upTo
  return latest.events
}

async function page(follower: Follower): Promise<Came> {
  const { connection, feed, ends, inTurn, reports } = follower
  const subscription = feed.number()
  try {
    const { items, isLast } = await inTurn(() => pageFrom(connection, follower.place, ends))
    follower.failures = 0
    if (items.length === 0 && follower.place !== undefined) return await missed(follower)
    follower.misses = 0
    follower.checked = subscription
    const before = follower.place
    follower.place = placeOf(items) ?? 0n
    if (isLast && before === follower.place) await feedChanged(follower)
    return storedEvents(items)
  } catch (error) {
    if (ends.aborted) return []
    if (isInsideRecord(error) && follower.place !== undefined) return await insideRecord(follower)
    // If the server is unavailable the subscription fails, too, and reports it.
    if (feed.number() > 0) reports.dropped(error)
    await connection.outage.wait(pauseMs(follower.failures++), ends)
    return []
  }
}

const placeOf = (items: readonly Resolved[]): bigint | undefined => {
  const last = items.at(-1)
  return last && commitOf(last)
}

/** Everything has been read: further events come with the subscription, once there is one. */
async function feedChanged({ feed, place, checked, ends, connection }: Follower): Promise<void> {
  if (feed.number() === 0) return feed.changed(ends)
  if (checked === feed.number() && place !== undefined && feed.after(place)) return
  await connection.outage.wait(SHORTEST_MS, ends)
}

/** The log ends before the place: the node lags, or it is another log. Then events are skipped until it is as long again. */
async function missed(follower: Follower): Promise<Came> {
  const { connection, ends, reports, after } = follower
  follower.misses += 1
  if (follower.misses < MISSES_MAX) {
    connection.leader.doubt()
    await connection.clock.sleep(MISS_PAUSE_MS, ends).catch(() => {})
    return []
  }
  reports.stranger(after)
  follower.place = await endOfLog(connection, ends)
  return []
}

async function insideRecord(follower: Follower): Promise<Came> {
  const { connection, ends, reports, after, place } = follower
  if (place === undefined) return []
  reports.stranger(after)
  follower.place = await placeAfter(connection, place, ends)
  return []
}

/** Exponential backoff, with jitter so that followers do not all retry at once. */
function pauseMs(failures: number): number {
  const longestMs = Math.min(LONGEST_MS, SHORTEST_MS * 2 ** failures)
  return longestMs * (0.5 + Math.random() / 2)
}
