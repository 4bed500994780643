/** Thread that checks the event log's file for faults, on its own connection and snapshot. Answers with one sentence for each fault. */
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
