/**
 * Reads rows of the log in the order of their positions, and finds what can still be read beside damaged pages of the file. Damaged bytes
 * may also read as a row at another position: such a row is left out.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { UnreadableEvent } from '../../ports/event-log.ts'
import { toPosition } from '../../events/position.ts'
import { isDamage } from './connection.ts'
import { lastPosition } from './event-log-head.ts'

const COLUMNS = 'e.position, s.name, e.revision, e.id, e.type, e.data, e.metadata'
export type Row = readonly [position: number, stream: string, revision: number, id: string, type: string, data: string, metadata: string]

const LOG_ROWS = `select ${COLUMNS} from events as e cross join streams as s on s.id = e.stream`
/** Most rows of a page. */
export const PAGE = 500
export const STREAM_PAGE = `select ${COLUMNS} from streams as s cross join events as e on e.stream = s.id
  where s.name = ? and e.revision >= ? order by e.revision limit ${PAGE}`
export const LOG_PAGE = `${LOG_ROWS} where e.position > ? order by e.position limit ${PAGE}`
const LAST_READABLE = `select e.position from events as e cross join streams as s on s.id = e.stream
  where e.position <= ? and json_valid(e.data) and json_valid(e.metadata) order by e.position desc limit 1`
const LOG_ROW = `${LOG_ROWS} where e.position = ?`

/** Most positions that one search tries; the next one continues after them. */
const SEARCHED = 1_000

export interface LogRows {
  /** @throws UnreadableEvent or SQLite's error for damage, after the rows before it */
  after(position: number): Iterable<Row>
  /**
   * If damage has stopped `after` before its first row: this row, if it can be read by its position alone. Undefined at the end of the log.
   * @throws UnreadableEvent it cannot be read, nor can those up to the position of the error
   */
  besideDamage(position: number, cause: unknown): Row | undefined
  /** The position of the last event up to this one that can be read; 0: there is none. @throws SQLite's error for more damage */
  lastReadable(position: number): number
}

export function createLogRows(db: DatabaseSync): LogRows {
  const page = inArrays(db, LOG_PAGE)
  const one = inArrays(db, LOG_ROW)
  const readable = db.prepare(LAST_READABLE)

  /** Undefined if there is none, or if it cannot be read. */
  function rowAt(position: number): Row | undefined {
    try {
      return one.get(position) as unknown as Row | undefined
    } catch (cause) {
      if (!isDamage(cause)) throw cause
      return undefined
    }
  }

  /** Rows may be missing, but none is at another one's place or beyond the end. */
  const isDisplaced = (position: number, last: number): boolean =>
    position !== last + 1 && (position <= last || position > lastPosition(db) || rowAt(position - 1) !== undefined)

  return {
    *after(position) {
      let last = position
      let hasDisplaced = false
      for (const row of page.iterate(position) as unknown as Iterable<Row>) {
        const [next] = row
        if (isDisplaced(next, last)) hasDisplaced = true
        else if (hasDisplaced && next > last + 1) throw unreadable(db, last + 1, next - 1, new Error('a row is out of its place'))
        else {
          last = next
          yield row
        }
      }
    },
    besideDamage(position, cause) {
      const first = position + 1
      const end = Math.min(lastPosition(db), position + SEARCHED)
      if (end < first) return undefined
      let next = first
      while (next <= end) {
        const row = rowAt(next)
        if (row && next === first) return row
        if (row) break
        next += 1
      }
      throw unreadable(db, first, next - 1, cause)
    },
    lastReadable(position) {
      for (let end = position; ; end -= 1) {
        try {
          return Number(readable.get(end)?.['position'] ?? 0)
        } catch (cause) {
          if (!isDamage(cause) || end <= position - SEARCHED) throw cause
        }
      }
    },
  }
}

function unreadable(db: DatabaseSync, first: number, last: number, cause: unknown): UnreadableEvent {
  const where = first === last ? `position ${first}` : `positions ${first} to ${last}`
  return new UnreadableEvent({ position: toPosition(last) }, `${db.location()} is damaged at ${where} (${String(cause)})`, { cause })
}

export function inArrays(db: DatabaseSync, sql: string): StatementSync {
  const statement = db.prepare(sql)
  statement.setReturnArrays(true)
  return statement
}
