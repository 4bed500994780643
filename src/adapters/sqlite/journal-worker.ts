/** The thread that copies a journal into its file (journal-checkpoints.ts): it answers when that is done, and ends when it is told to. */
import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { connect } from './connection.ts'
import type { FromJournalWorker, ToJournalWorker } from './journal-checkpoints.ts'

if (!parentPort) throw new Error('Journals are copied in a worker thread')
const port = parentPort
/** In KiB: it reads no pages itself. */
const CACHE = 'cache_size = -64'
const url = pathToFileURL(String(workerData))
// If the file is gone, no new one may be created in its place.
url.searchParams.set('mode', 'rw')
const db = connect(url, { pragmas: ['synchronous = normal', CACHE] })

port.on('message', (message: ToJournalWorker) => {
  if (message === 'end') {
    db.close()
    port.close()
    return
  }
  // What is written meanwhile is copied the next time.
  db.exec('pragma wal_checkpoint(passive)')
  const answer: FromJournalWorker = 'copied'
  port.postMessage(answer)
})
