/** Pages of stored events, read on the calling thread: bounded in number and in bytes, so that no read holds it up for long. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { JsonObject, Metadata, StoredEvent } from '../../events/envelope.ts'
import { toPosition, type Position } from '../../events/position.ts'
import { createTail } from './event-log-tail.ts'

export interface EventPages {
  /** Events of a stream from a revision on (inclusive). */
  ofStream(stream: string, from: number): readonly StoredEvent[]
  /** Events of the log after a position (exclusive). */
  ofLog(after: Position): readonly StoredEvent[]
  head(): Position
}

const PAGE = 500
/** Characters of data and metadata after which a page is closed. */
const PAGE_LENGTH = 4 * 1024 * 1024

/** Events and characters at the end of the log that stay in memory for all who follow it. */
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
  const last = db.prepare('select max(position) as position from events')
  return {
    ofStream: (stream, from) => page(ofStream, stream, from).events,
    ofLog: createTail((after) => ({ after, ...page(ofLog, Number(after)) }), TAIL),
    head: () => toPosition(Number(last.get()?.['position'] ?? 0)),
  }
}

function rows(db: DatabaseSync, sql: string): StatementSync {
  const statement = db.prepare(sql)
  statement.setReturnArrays(true)
  return statement
}

function page(
  statement: StatementSync,
  ...values: readonly (string | number)[]
): { readonly events: StoredEvent[]; readonly length: number } {
  const events: StoredEvent[] = []
  let length = 0
  for (const row of statement.iterate(...values)) {
    const [position, stream, revision, id, type, data, metadata] = row as unknown as Row
    length += data.length + metadata.length
    const texts = { data: JSON.parse(data) as JsonObject, metadata: JSON.parse(metadata) as Metadata }
    events.push({ stream, revision, position: toPosition(position), id, type, ...texts })
    if (length >= PAGE_LENGTH) break
  }
  return { events, length }
}
