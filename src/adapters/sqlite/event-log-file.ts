/**
 * The file of the event log: its tables, and how it is opened for writing and for reading. It is the source of truth: a file that is
 * damaged or of a newer version is refused, never replaced.
 */
import type { DatabaseSync } from 'node:sqlite'
import { claim, connect, type FileKind } from './connection.ts'
import { openHead } from './event-log-head.ts'
import type { KnownFile } from './same-files.ts'

/** The rowid is the position. `data` and `metadata` are JSON texts, never changed. */
const TABLES = `
  create table streams (id integer primary key, name text not null unique) strict;
  create table events (
    position integer primary key,
    stream integer not null references streams (id),
    revision integer not null,
    id text not null unique,
    type text not null,
    data text not null,
    metadata text not null,
    unique (stream, revision)
  ) strict;
`
/** `MQel` */
export const KIND: FileKind = { applicationId: 0x4d51656c, version: 1, tables: TABLES }

const PAGE_BYTES = 4_096
/**
 * FULL: an acknowledged commit survives a power cut. The journal takes 4,000 pages before a checkpoint: 16 MiB. A commit makes it, unless a
 * thread does (journal-checkpoints.ts).
 */
const DURABLE = [`page_size = ${PAGE_BYTES}`, 'journal_mode = wal', 'synchronous = full', 'wal_autocheckpoint = 4000']
/** Page cache of each connection, in KiB: that of the writer and that of the reader. */
const CACHE = 'cache_size = -4096'

export interface WriterFile {
  readonly file: string
  /** Beyond this size appends are refused as on a full disk. */
  readonly maxSizeBytes?: number
  /** If any of these files has been replaced, nothing is acknowledged: the log itself, its journal, the files that belong to it. */
  readonly known?: readonly KnownFile[]
}

export function openForWriting({ file, maxSizeBytes }: WriterFile): DatabaseSync {
  const limit = maxSizeBytes === undefined ? [] : [`max_page_count = ${Math.floor(maxSizeBytes / PAGE_BYTES)}`]
  const db = connect(file, { pragmas: [...DURABLE, CACHE, ...limit] })
  try {
    claim(db, KIND)
    openHead(db)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

export function openForReading(file: string): DatabaseSync {
  return connect(file, { readOnly: true, pragmas: [CACHE] })
}
