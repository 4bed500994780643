/** Reads pages of stored events on the calling thread, bounded in number and in bytes, so that no read blocks it for long. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { JsonObject, Metadata, StoredEvent } from '../../events/envelope.ts'
import { toPosition, type Position } from '../../events/position.ts'
import { UnreadableEvent } from '../../ports/event-log.ts'
import { isDamage } from './connection.ts'
import type { StoredAppend } from './event-log-appends.ts'
import { createTail, type LogPage } from './event-log-tail.ts'

export interface EventPages {
  /** Events of a stream from a revision on (inclusive). */
  ofStream(stream: string, from: number): readonly StoredEvent[]
  /** Events of the log after a position (exclusive). */
  ofLog(this: void, after: Position): readonly StoredEvent[]
  /** The same, but read from the file itself and never from memory. */
  ofFile(this: void, after: Position): readonly StoredEvent[]
  head(): Position
  /** Receives each append of this process (event-log-appends.ts), so that its events need not be read. */
  stored(this: void, append: StoredAppend | undefined): void
}

const PAGE = 500
/** Characters of data and metadata after which a page is closed. */
const PAGE_LENGTH = 4 * 1024 * 1024

/** Events and characters at the end of the log that stay in memory for all followers. */
const TAIL = { page: PAGE, events: 2 * PAGE, length: PAGE_LENGTH }

const COLUMNS = 'e.position, s.name, e.revision, e.id, e.type, e.data, e.metadata'
type Row = readonly [position: number, stream: string, revision: number, id: string, type: string, data: string, metadata: string]

export const STREAM_PAGE = `select ${COLUMNS} from streams as s cross join events as e on e.stream = s.id
  where s.name = ? and e.revision >= ? order by e.revision limit ${PAGE}`
export const LOG_PAGE = `select ${COLUMNS} from events as e cross join streams as s on s.id = e.stream
  where e.position > ? order by e.position limit ${PAGE}`

export function createEventPages(db: DatabaseSync): EventPages {
  const ofStream = rows(db, STREAM_PAGE)
  const ofLog = rows(db, LOG_PAGE)
  const tail = createTail((after) => ({ after, ...logPage(db, ofLog, after) }), TAIL)
  return {
    ofStream: (stream, from) => page(ofStream, stream, from).events,
    ofLog: tail.after,
    ofFile: (after) => logPage(db, ofLog, after).events,
    head: createHead(db),
    stored: (append) => (append ? tail.stored(pageOf(append)) : tail.unsure()),
  }
}

/** The events as a read would return them. */
function pageOf({ stream, events, revision, position }: StoredAppend): LogPage {
  const before = events.length - 1
  const read = events.map(({ id, type, data, metadata }, n) =>
    eventOf([position - before + n, stream, revision - before + n, id, type, data, metadata]),
  )
  return {
    after: toPosition(position - events.length),
    events: read.map(({ event }) => event),
    length: read.reduce((sum, { length }) => sum + length, 0),
  }
}

/** The last readable event: no follower could ever get as far as one after it. */
function createHead(db: DatabaseSync): () => Position {
  const last = db.prepare('select max(position) as position from events')
  const lastReadable = db.prepare(
    'select position from events where json_valid(data) and json_valid(metadata) order by position desc limit 1',
  )
  let known = { last: 0, readable: 0 }
  return () => {
    const position = Number(last.get()?.['position'] ?? 0)
    if (position !== known.last) known = { last: position, readable: Number(lastReadable.get()?.['position'] ?? 0) }
    return toPosition(known.readable)
  }
}

function rows(db: DatabaseSync, sql: string): StatementSync {
  const statement = db.prepare(sql)
  statement.setReturnArrays(true)
  return statement
}

interface ReadPage {
  readonly events: readonly StoredEvent[]
  readonly length: number
}

/** @throws UnreadableEvent the first one cannot be read; if a later one cannot, the page ends before it */
function page(statement: StatementSync, ...values: readonly (string | number)[]): ReadPage {
  const events: StoredEvent[] = []
  let length = 0
  try {
    for (const row of statement.iterate(...values)) {
      const event = eventOf(row as unknown as Row)
      length += event.length
      events.push(event.event)
      if (length >= PAGE_LENGTH) break
    }
  } catch (error) {
    if (events.length === 0) throw error
  }
  return { events, length }
}

function eventOf([position, stream, revision, id, type, data, metadata]: Row): { readonly event: StoredEvent; readonly length: number } {
  const at = toPosition(position)
  try {
    const texts = { data: JSON.parse(data) as JsonObject, metadata: JSON.parse(metadata) as Metadata }
    return { event: { stream, revision, position: at, id, type, ...texts }, length: data.length + metadata.length }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new UnreadableEvent({ position: at, stream, revision, type }, reason, { cause })
  }
}

/** The first event after a position that lies on a readable page of the file; undefined: none does. */
function nextReadable(db: DatabaseSync, after: number): number | undefined {
  const next = db.prepare('select position from events where position >= ? order by position limit 1')
  for (let step = 1; step <= Number.MAX_SAFE_INTEGER - after; step *= 2) {
    try {
      return Number(next.get(after + step)?.['position'] ?? 0) || undefined
    } catch {
      // Still on the damaged page.
    }
  }
  return undefined
}

/** The page after a position; the contents of a damaged page of the file are skipped as one unreadable event. */
function logPage(db: DatabaseSync, statement: StatementSync, after: Position): ReadPage {
  try {
    return page(statement, Number(after))
  } catch (cause) {
    if (!isDamage(cause)) throw cause
    const next = nextReadable(db, Number(after) + 1)
    const last = next === undefined ? lastKnown(db, after) : next - 1
    throw new UnreadableEvent({ position: toPosition(last) }, `${db.location()} is damaged (${String(cause)})`, { cause })
  }
}

function lastKnown(db: DatabaseSync, after: Position): number {
  try {
    return Math.max(Number(db.prepare('select max(position) as last from events').get()?.['last'] ?? 0), Number(after))
  } catch {
    return Number(after)
  }
}
