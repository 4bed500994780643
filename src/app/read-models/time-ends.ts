/**
 * Finds the end of a time in the log: the last event that is dated at that time or before. Later events may have earlier times, since the
 * clocks of nodes differ, and a clock may have been wrong for a while. So the search goes from the end of the log back, and leaves out
 * stretches whose events are all dated later (snapshots.ts): it reads the events since the last stretch, and those of one stretch.
 */
import { START, type Position } from '../../events/position.ts'
import type { StoredEvent } from '../../events/envelope.ts'
import { createLruCache } from '../../concurrency/lru-cache.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventLog } from '../../ports/event-log.ts'
import type { End } from './as-of-fold.ts'
import type { Snapshots } from './snapshots.ts'

export interface TimeEnds {
  /** Reads only the events that are new since the end was found; undefined: it must be found first. @throws the signal's reason */
  known(end: End, signal: AbortSignal): Promise<Position | undefined>
  /** START if all events are dated later. @throws the signal's reason when it is aborted */
  find(end: End, signal: AbortSignal): Promise<Position>
}

export interface TimeEndsDependencies {
  readonly clock: Pick<Clock, 'monotonic'>
  readonly log: Pick<EventLog, 'head' | 'follow'>
  readonly snapshots: Pick<Snapshots, 'ends'>
}

const KEPT = 200
const KEPT_MS = 600_000

interface Found {
  readonly last: Position
  /** Position of the last event that was looked at. */
  readonly seen: Position
  readonly untilMs: number
}

export function createTimeEnds({ clock, log, snapshots }: TimeEndsDependencies): TimeEnds {
  const kept = createLruCache<Found>(KEPT)
  const keep = (atMs: number, found: Omit<Found, 'untilMs'>): Position => {
    kept.put(String(atMs), { ...found, untilMs: clock.monotonic() + KEPT_MS })
    return found.last
  }
  return {
    async known(end, signal) {
      if ('position' in end) return end.position
      const found = kept.get(String(end.atMs))
      if (!found || found.untilMs <= clock.monotonic()) return undefined
      const head = await log.head()
      return keep(end.atMs, { last: (await lastIn(log, { after: found.seen, to: head, ...end }, signal)) ?? found.last, seen: head })
    },
    async find(end, signal) {
      if ('position' in end) return end.position
      const head = await log.head()
      return keep(end.atMs, { last: await lastUntil({ log, snapshots }, { atMs: end.atMs, head }, signal), seen: head })
    },
  }
}

interface Until {
  readonly atMs: number
  /** Position of the last event that counts. */
  readonly head: Position
}

async function lastUntil(
  { log, snapshots }: Pick<TimeEndsDependencies, 'log' | 'snapshots'>,
  { atMs, head }: Until,
  signal: AbortSignal,
): Promise<Position> {
  const ends = (await snapshots.ends()).filter(({ position }) => position <= head)
  const endOf = (index: number): Position => ends[index]?.position ?? START
  const since = await lastIn(log, { after: endOf(ends.length - 1), to: head, atMs }, signal)
  if (since) return since
  const index = ends.findLastIndex(({ earliestMs }) => earliestMs <= atMs)
  return (await lastIn(log, { after: endOf(index - 1), to: endOf(index), atMs }, signal)) ?? START
}

interface Span {
  readonly after: Position
  /** Position of an event, or `after`. */
  readonly to: Position
  readonly atMs: number
}

/** The last event of a part of the log that is dated at a time or before. @throws the signal's reason when it is aborted */
async function lastIn(log: Pick<EventLog, 'follow'>, { after, to, atMs }: Span, signal: AbortSignal): Promise<Position | undefined> {
  let last: Position | undefined
  const isWithin = ({ position, metadata }: StoredEvent) => position <= to && Date.parse(metadata.at) <= atMs
  for await (const batch of after < to ? log.follow(after, signal) : []) {
    last = batch.findLast(isWithin)?.position ?? last
    if ((batch.at(-1)?.position ?? START) >= to) break
  }
  signal.throwIfAborted()
  return last
}
