/**
 * Event log in a SQLite file. One thread writes (event-log-writer.ts); reads happen here, on a separate connection, a page at a time. Only
 * one process at a time may follow: followers are woken by the commits of this process, not by polling.
 */
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { StoredEvent } from '../../events/envelope.ts'
import type { Position } from '../../events/position.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventLog } from '../../ports/event-log.ts'
import { textsWithinLimits } from '../shared/append-limits.ts'
import { createAppendNotifier, type AppendNotifier } from '../shared/append-notifier.ts'
import { createAppends } from './event-log-appends.ts'
import { openForReading, openForWriting, type WriterFile } from './event-log-file.ts'
import { createEventPages, type EventPages } from './event-log-pages.ts'
import { knownFiles } from './same-files.ts'
import { onFile } from './storage-trouble.ts'

export interface SqliteEventLogOptions extends Omit<WriterFile, 'known'> {
  readonly clock: Clock
  /** Paths that belong to the log, such as the lock of its folder: if one of them holds another file, nothing is acknowledged. */
  readonly beside?: readonly string[]
  /** Time after which the outcome of an append counts as unknown. */
  readonly timeoutMs?: number
  readonly startWriter?: (file: WriterFile) => Worker
}

interface Reader {
  readonly pages: EventPages
  readonly appended: AppendNotifier
  closed: boolean
}

const TIMEOUT_MS = 10_000

export interface SqliteEventLog extends EventLog {
  /** `follow` for verification: reads only from the file and never from memory, so that manipulation of the file is detected. */
  readonly followFile: EventLog['follow']
}

export function createSqliteEventLog(options: SqliteEventLogOptions): SqliteEventLog {
  const { clock, timeoutMs = TIMEOUT_MS, startWriter = start, beside = [], ...given } = options
  // Makes the tables, and fails immediately if the file cannot be used.
  const db = onFile(given.file, () => {
    openForWriting(given).close()
    return openForReading(given.file)
  })
  const file: WriterFile = { ...given, known: knownFiles([given.file, `${given.file}-wal`, ...beside]) }
  const reader: Reader = { pages: createEventPages(db, given.file), appended: createAppendNotifier(), closed: false }
  const appends = createAppends({
    clock,
    file: file.file,
    timeoutMs,
    startWriter: () => startWriter(file),
    stored: reader.pages.stored,
    committed: () => reader.appended.notify(),
  })
  return {
    append: async (stream, expected, events) => appends.append(stream, expected, textsWithinLimits(stream, expected, events)),
    read: (stream, from) => read(reader, stream, from ?? 0),
    head: async () => reader.pages.head(),
    follow: (after, signal) => follow(reader, reader.pages.ofLog, { after, signal }),
    followFile: (after, signal) => follow(reader, reader.pages.ofFile, { after, signal }),
    inspect: (signal) => inspect(file.file, signal),
    async close() {
      if (reader.closed) return
      reader.closed = true
      reader.appended.notify()
      // Closed first, so that the writer is the last connection and moves the journal into the file.
      db.close()
      await appends.close()
    },
  }
}

/** Without the options of this process: some, such as `--input-type`, forbid starting a file. */
const start = (file: WriterFile): Worker => new Worker(new URL('event-log-writer.ts', import.meta.url), { workerData: file, execArgv: [] })

/** In a separate thread: it reads the whole file. */
function inspect(file: string, signal: AbortSignal): Promise<readonly string[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>()
  const worker = new Worker(new URL('event-log-check.ts', import.meta.url), { workerData: file, execArgv: [] })
  const stop = (): void => void worker.terminate()
  signal.addEventListener('abort', stop, { once: true })
  worker.once('message', resolve).once('error', reject)
  worker.once('exit', () => {
    signal.removeEventListener('abort', stop)
    reject(signal.aborted ? signal.reason : new Error('The check of the event log has ended early'))
  })
  return promise
}

async function* read({ pages }: Reader, stream: string, from: number): AsyncGenerator<StoredEvent> {
  for (let page = pages.ofStream(stream, from), next = from; page.length > 0; page = pages.ofStream(stream, next)) {
    yield* page
    next += page.length
    await setImmediate()
  }
}

interface Following {
  readonly after: Position
  readonly signal: AbortSignal
}

async function* follow(
  reader: Reader,
  pageAfter: EventPages['ofLog'],
  { after, signal }: Following,
): AsyncGenerator<readonly StoredEvent[]> {
  let last = after
  while (!signal.aborted) {
    if (reader.closed) throw new Error('The event log is closed')
    const page = pageAfter(last)
    last = page.at(-1)?.position ?? last
    if (page.length === 0) await reader.appended.next(signal)
    else {
      yield page
      await setImmediate()
    }
  }
}
