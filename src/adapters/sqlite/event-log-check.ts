/** Thread that looks for faults of the event log's file, on a connection and a snapshot of its own. Answers with a sentence for each. */
import { parentPort, workerData } from 'node:worker_threads'
import { damageText, faultsOf } from './event-log-faults.ts'
import { openForReading } from './event-log-file.ts'

const file = String(workerData)

function check(): readonly string[] {
  try {
    const db = openForReading(file)
    try {
      db.exec('begin')
      return [...faultsOf(db, file)].flat()
    } finally {
      db.close()
    }
  } catch (error) {
    return [damageText(file, error)]
  }
}

parentPort?.postMessage(check(), [])
