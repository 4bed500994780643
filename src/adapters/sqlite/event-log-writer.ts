/**
 * The only thread that writes events. Appends that arrive during a commit form the next batch, so that one fsync serves all of them, and a
 * slow disk blocks no event loop. Another thread copies the journal into the file (journal-checkpoints.ts).
 */
import type { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { createBatchWriter } from './event-log-batch.ts'
import { openForWriting, type WriterFile } from './event-log-file.ts'
import type { AppendOrder, FromWriter, ToWriter } from './event-log-messages.ts'
import { createJournalCheckpoints, type JournalCheckpoints } from './journal-checkpoints.ts'
import { missedFile } from './same-files.ts'
import { troubleOf } from './storage-trouble.ts'

const BATCH = 500
/** Characters of data and metadata after which a batch is closed: bounds the transaction. */
const BATCH_LENGTH = 8 * 1024 * 1024

if (!parentPort) throw new Error('The writer of the event log runs as a worker thread')
const port = parentPort
const writerFile = workerData as WriterFile
const missed = () => missedFile(writerFile.known ?? [])
let db: DatabaseSync | undefined
let writeBatch: ReturnType<typeof createBatchWriter> | undefined
let journal: JournalCheckpoints | undefined
const waiting: AppendOrder[] = []
let scheduled = false
let closing = false

port.on('message', (message: ToWriter) => {
  if (message === 'close') closing = true
  else for (const append of message) waiting.push(append)
  schedule()
})

function schedule(): void {
  if (scheduled) return
  scheduled = true
  setImmediate(work)
}

function work(): void {
  scheduled = false
  if (waiting.length > 0) {
    const answers: FromWriter = write(waiting.splice(0, batchSize()))
    port.postMessage(answers, [])
    journal?.committed()
  }
  if (waiting.length > 0) schedule()
  else if (closing) void end()
}

/** The first batch opens the file: if it is gone, no new one may be created in its place. */
function write(batch: readonly AppendOrder[]): FromWriter {
  const gone = writeBatch ? undefined : missed()
  if (gone !== undefined) return batch.map(({ order }) => ({ order, outcome: 'trouble', trouble: 'files-gone', message: gone }))
  try {
    db ??= openForWriting(writerFile)
    writeBatch ??= createBatchWriter(db, missed)
    journal ??= createJournalCheckpoints({ db, file: writerFile.file, after })
  } catch (error) {
    const trouble = troubleOf(error) ?? 'storage-failing'
    return batch.map(({ order }) => ({ order, outcome: 'trouble', trouble, message: String(error) }))
  }
  return writeBatch(batch)
}

/** Number of appends in the next batch, at least one. */
function batchSize(): number {
  let length = 0
  for (let size = 0; size < Math.min(BATCH, waiting.length); size++) {
    if (length >= BATCH_LENGTH) return size
    for (const { data, metadata } of waiting[size]?.events ?? []) length += data.length + metadata.length
  }
  return BATCH
}

function after(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, ms).unref()
  return () => clearTimeout(timer)
}

async function end(): Promise<void> {
  await journal?.close()
  try {
    // While the reader is open, closing would leave all of the journal beside the file.
    db?.exec('pragma wal_checkpoint(truncate)')
  } catch {
    // Nothing is lost: the journal is read at the next start.
  }
  db?.close()
  port.close()
}
