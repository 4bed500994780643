/**
 * Checks the file of the event log as a whole: SQLite's integrity check, and whether all rows are present and in their committed places.
 * Yields sentences, at most a hundred of each kind.
 */
import type { DatabaseSync } from 'node:sqlite'
import { cutText, digestAfter, keptFaults, lastPosition, storedHead, type HeadedEvent } from './event-log-head.ts'

const MAX = 100
/** A check that cannot run counts as a fault itself, and the others continue. `file`: its name in the faults. */
export function* faultsOf(db: DatabaseSync, file: string): Generator<readonly string[]> {
  for (const one of [soundness, keptFaults, missingPositions, missingStreams, emptyStreams, strayEvents, headFaults]) {
    try {
      yield one(db, file)
    } catch (error) {
      yield [damageText(file, error)]
    }
  }
}

export const damageText = (file: string, error: unknown): string =>
  `${file} is damaged: ${error instanceof Error ? error.message : String(error)}`

const soundness = (db: DatabaseSync, file: string): readonly string[] =>
  db
    .prepare(`pragma integrity_check(${MAX})`)
    .all()
    .map((row) => String(row['integrity_check']))
    .filter((text) => text !== 'ok')
    .map((text) => `${file} is damaged: ${text}`)

/** Positions are consecutive, and a failed commit returns its own. */
const missingPositions = (db: DatabaseSync): readonly string[] =>
  gaps(db, 'position', 'events').map(([from, to]) =>
    from === to ? `Position ${from} is missing` : `Positions ${from} to ${to} are missing`,
  )

const missingStreams = (db: DatabaseSync): readonly string[] =>
  gaps(db, 'id', 'streams').map(([from, to]) =>
    from === to ? `Stream number ${from} is missing` : `Streams number ${from} to ${to} are missing`,
  )

function gaps(db: DatabaseSync, column: string, table: string): readonly (readonly [number, number])[] {
  const sql = `select n, before from (select ${column} as n, lag(${column}, 1, 0) over (order by ${column}) as before from ${table})
    where n <> before + 1 limit ${MAX}`
  return db
    .prepare(sql)
    .all()
    .map(({ n, before }) => [Number(before) + 1, Number(n) - 1])
}

const emptyStreams = (db: DatabaseSync): readonly string[] =>
  db
    .prepare(`select name from streams as s where not exists (select 1 from events as e where e.stream = s.id) limit ${MAX}`)
    .all()
    .map(({ name }) => `All events of stream ${String(name)} are missing`)

const strayEvents = (db: DatabaseSync): readonly string[] =>
  db
    .prepare(`select position from events as e where not exists (select 1 from streams as s where s.id = e.stream) limit ${MAX}`)
    .all()
    .map(({ position }) => `The stream of the event at position ${Number(position)} is missing`)

/** The digest is computed from the table alone, without its indexes. */
function headFaults(db: DatabaseSync): readonly string[] {
  const head = storedHead(db)
  if (!head) return []
  const last = lastPosition(db)
  if (last < head.position) return [cutText(last, head.position)]
  const rows = db.prepare(`select e.position, s.name as stream, e.revision, e.id, e.metadata from events as e not indexed
    cross join streams as s on s.id = e.stream where e.position > ? and e.position <= ? order by e.position`)
  let digest = ''
  for (const row of rows.iterate(head.since, head.position)) digest = digestAfter(digest, row as unknown as HeadedEvent)
  if (digest === head.digest) return []
  return [
    `The events from position ${head.since + 1} to ${head.position} are not those that were committed: some were removed, swapped or changed`,
  ]
}
