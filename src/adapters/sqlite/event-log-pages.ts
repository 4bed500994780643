/** Reads pages of stored events on the calling thread, bounded in number and in bytes, so that no read blocks it for long. */
import type { DatabaseSync } from 'node:sqlite'
import type { JsonObject, Metadata, StoredEvent } from '../../events/envelope.ts'
import { toPosition, type Position } from '../../events/position.ts'
import { UnreadableEvent } from '../../ports/event-log.ts'
import { isDamage } from './connection.ts'
import type { StoredAppend } from './event-log-appends.ts'
import { createLogRows, inArrays, PAGE, STREAM_PAGE, type LogRows, type Row } from './event-log-rows.ts'
import { createTail, type LogPage } from './event-log-tail.ts'
import { onFile } from './storage-trouble.ts'

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

/** Characters of data and metadata after which a page is closed. */
const PAGE_LENGTH = 4 * 1024 * 1024

/** Events and characters at the end of the log that stay in memory for all followers. */
const TAIL = { page: PAGE, events: 2 * PAGE, length: PAGE_LENGTH }

/** All of them throw StorageTrouble if the file cannot be read. */
export function createEventPages(db: DatabaseSync, file: string): EventPages {
  const ofStream = inArrays(db, STREAM_PAGE)
  const rows = createLogRows(db)
  const head = createHead(db, rows)
  const pageAfter = (after: Position): ReadPage => onFile(file, () => logPage(rows, after))
  const tail = createTail((after) => ({ after, ...pageAfter(after) }), TAIL)
  return {
    ofStream: (stream, from) => onFile(file, () => page(ofStream.iterate(stream, from) as unknown as Iterable<Row>)).events,
    ofLog: tail.after,
    ofFile: (after) => pageAfter(after).events,
    head: () => onFile(file, head),
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
function createHead(db: DatabaseSync, rows: LogRows): () => Position {
  const last = db.prepare('select max(position) as position from events')
  let known = { last: 0, readable: 0 }
  return () => {
    const position = Number(last.get()?.['position'] ?? 0)
    if (position !== known.last) known = { last: position, readable: rows.lastReadable(position) }
    return toPosition(known.readable)
  }
}

interface ReadPage {
  readonly events: readonly StoredEvent[]
  readonly length: number
}

/** @throws UnreadableEvent the first one cannot be read; if a later one cannot, the page ends before it */
function page(rows: Iterable<Row>): ReadPage {
  const events: StoredEvent[] = []
  let length = 0
  try {
    for (const row of rows) {
      const event = eventOf(row)
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

/** The page after a position. Events that cannot be read because of damaged pages of the file are skipped as one unreadable event. */
function logPage(rows: LogRows, after: Position): ReadPage {
  try {
    return page(rows.after(Number(after)))
  } catch (cause) {
    if (!isDamage(cause)) throw cause
    const row = rows.besideDamage(Number(after), cause)
    return page(row ? [row] : [])
  }
}
