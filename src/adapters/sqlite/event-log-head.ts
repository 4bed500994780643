/**
 * Keeps a record of the log's head in the file itself: the last position, and a digest over all events since a start position, updated in
 * the commit that stores them. If events are later truncated, removed, swapped or changed, the digest no longer matches.
 *
 * `digest(n) = SHA-256(digest(n-1) | position | stream | revision | id | metadata)`, hex, joined by line ends; the metadata holds the
 * event's own hash. It begins empty after `since`: in a log without a record, at its current head. If a program unaware of the record has
 * appended events, the record lags behind and starts over.
 */
import { hash } from 'node:crypto'
import type { DatabaseSync, StatementSync } from 'node:sqlite'

const TABLES = `
  create table if not exists log_head (
    one integer primary key check (one = 1), since integer not null, position integer not null, digest text not null) strict;
  create table if not exists log_faults (fault text primary key) strict;
`

export interface HeadedEvent {
  readonly position: number
  readonly stream: string
  readonly revision: number
  readonly id: string
  readonly metadata: string
}

interface Head {
  readonly since: number
  readonly position: number
  readonly digest: string
}

export const digestAfter = (digest: string, { position, stream, revision, id, metadata }: HeadedEvent): string =>
  hash('sha256', [digest, position, stream, revision, id, metadata].join('\n'), 'hex')

/** Makes the record if missing, and permanently stores any mismatch. Runs in its own transaction. */
export function openHead(db: DatabaseSync): void {
  db.exec(`begin immediate; ${TABLES}`)
  try {
    const known = storedHead(db)
    const last = lastPosition(db)
    if (known && known.position > last) keepFault(db, cutText(last, known.position))
    if (known?.position !== last) putHead(db).run(last, last, '')
    db.exec('commit')
  } catch (error) {
    if (db.isTransaction) db.exec('rollback')
    throw error
  }
}

/** Call it in each transaction that appends. */
export function createHeadKeeper(db: DatabaseSync): (appended: readonly HeadedEvent[]) => void {
  const put = putHead(db)
  const read = selectHead(db)
  return (appended) => {
    const first = appended[0]
    if (!first) return
    const before = headOf(read.get())
    const fits = before?.position === first.position - 1
    const digest = appended.reduce(digestAfter, fits ? before.digest : '')
    put.run(fits ? before.since : first.position - 1, appended.at(-1)?.position ?? 0, digest)
  }
}

/** Undefined if no program has kept one yet. */
export const storedHead = (db: DatabaseSync): Head | undefined => (hasRecord(db) ? headOf(selectHead(db).get()) : undefined)

const selectHead = (db: DatabaseSync): StatementSync => db.prepare('select since, position, digest from log_head')

const headOf = (row: Readonly<Record<string, unknown>> | undefined): Head | undefined =>
  row && { since: Number(row['since']), position: Number(row['position']), digest: String(row['digest']) }

/** Faults found at earlier starts. */
export const keptFaults = (db: DatabaseSync): readonly string[] =>
  hasRecord(db)
    ? db
        .prepare('select fault from log_faults limit 100')
        .all()
        .map(({ fault }) => String(fault))
    : []

export const lastPosition = (db: DatabaseSync): number =>
  Number(db.prepare('select max(position) as last from events').get()?.['last'] ?? 0)

export const cutText = (last: number, head: number): string =>
  `The log ends at position ${last}, although it was at ${head}: the last events are gone`

const hasRecord = (db: DatabaseSync): boolean =>
  db.prepare("select count(*) as n from sqlite_schema where name in ('log_head', 'log_faults')").get()?.['n'] === 2

const putHead = (db: DatabaseSync): StatementSync =>
  db.prepare('insert or replace into log_head (one, since, position, digest) values (1, ?, ?, ?)')

const keepFault = (db: DatabaseSync, fault: string): void =>
  void db.prepare('insert or ignore into log_faults (fault) values (?)').run(fault)
