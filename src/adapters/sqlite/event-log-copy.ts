/**
 * A copy of the event log, opened to be read and left as it is: no tables are made and no journal is kept beside it. A journal that was
 * copied with it is read, too.
 */
import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import type { StoredEvent } from '../../events/envelope.ts'
import { START, type Position } from '../../events/position.ts'
import { connect, kindOf } from './connection.ts'
import { KIND } from './event-log-file.ts'
import { createEventPages, type EventPages } from './event-log-pages.ts'

export interface EventLogCopy {
  head(): Promise<Position>
  /** Ends with the last event. */
  follow(after: Position, signal: AbortSignal): AsyncIterable<readonly StoredEvent[]>
  close(): Promise<void>
}

/** @throws Error it cannot be opened, or is no event log of this version */
export function openSqliteEventLogCopy(file: string): EventLogCopy {
  const db = open(file)
  const pages = createEventPages(db)
  return {
    head: async () => pages.head(),
    follow: (after, signal) => follow(pages, after, signal),
    close: async () => db.close(),
  }
}

function open(file: string): DatabaseSync {
  if (!statSync(file).isFile()) throw new Error(`${file} is no file`)
  const url = pathToFileURL(file)
  const journal = statSync(`${file}-wal`, { throwIfNoEntry: false })
  // Nothing else writes to a copy: so SQLite needs no files of its own beside it, and it may be on a read-only disk.
  if (!journal?.size) url.searchParams.set('immutable', '1')
  const db = connect(url, { readOnly: true })
  const kind = kindOf(db, KIND)
  if (kind === 'known') return db
  db.close()
  throw new Error(`${file} is no event log that this version of Marquee can read (${kind})`)
}

async function* follow(pages: EventPages, after: Position, signal: AbortSignal): AsyncGenerator<readonly StoredEvent[]> {
  for (let page = pages.ofLog(after); page.length > 0; page = pages.ofLog(page.at(-1)?.position ?? START)) {
    signal.throwIfAborted()
    yield page
    await new Promise(setImmediate)
  }
}
