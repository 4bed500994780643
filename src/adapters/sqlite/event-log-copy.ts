/**
 * Opens a copy of the event log, or the log of a stopped server, read-only and without changing it: no tables and no journal are created.
 * An existing journal is read, too.
 */
import { setImmediate } from 'node:timers/promises'
import type { DatabaseSync } from 'node:sqlite'
import type { StoredEvent } from '../../events/envelope.ts'
import { START, type Position } from '../../events/position.ts'
import { connect, connectUntouched, isDamage, kindOf } from './connection.ts'
import { faultsOf } from './event-log-faults.ts'
import { KIND } from './event-log-file.ts'
import { createEventPages, type EventPages } from './event-log-pages.ts'

export interface EventLogCopy {
  head(): Promise<Position>
  /** Ends with the last event. */
  follow(after: Position, signal: AbortSignal): AsyncIterable<readonly StoredEvent[]>
  /** Faults of the file as a whole, one sentence each. */
  inspect(signal: AbortSignal): Promise<readonly string[]>
  close(): Promise<void>
}

export interface CopyOptions {
  /** Another connection may write to it: the log of a running server. */
  readonly isWritten?: boolean
}

/** @throws Error it cannot be opened, or is not an event log of this version */
export function openSqliteEventLogCopy(file: string, { isWritten = false }: CopyOptions = {}): EventLogCopy {
  const db = open(file, isWritten)
  const pages = createEventPages(db, file)
  return {
    head: async () => pages.head(),
    follow: (after, signal) => follow(pages, after, signal),
    inspect: (signal) => inspect(db, file, signal),
    close: async () => db.close(),
  }
}

/** Makes a new file that holds the log as it is now, also while others write to it. */
export function copySqliteEventLog(file: string, to: string): void {
  const db = open(file, true)
  try {
    db.prepare('vacuum into ?').run(to)
  } finally {
    db.close()
  }
}

function open(file: string, isWritten: boolean): DatabaseSync {
  const db = isWritten ? connect(file, { readOnly: true }) : connectUntouched(file)
  const found = kindIn(db)
  if (found === 'known') return db
  db.close()
  throw new Error(`${file} is no event log that this version of Marquee can read (${found})`)
}

function kindIn(db: DatabaseSync): string {
  try {
    return kindOf(db, KIND)
  } catch (cause) {
    if (isDamage(cause)) return 'damaged, or no database'
    throw cause
  }
}

async function inspect(db: DatabaseSync, file: string, signal: AbortSignal): Promise<readonly string[]> {
  const found: string[] = []
  for (const faults of faultsOf(db, file)) {
    found.push(...faults)
    await setImmediate(undefined, { signal })
  }
  return found
}

async function* follow(pages: EventPages, after: Position, signal: AbortSignal): AsyncGenerator<readonly StoredEvent[]> {
  for (let page = pages.ofFile(after); page.length > 0; page = pages.ofFile(page.at(-1)?.position ?? START)) {
    signal.throwIfAborted()
    yield page
    await setImmediate()
  }
}
