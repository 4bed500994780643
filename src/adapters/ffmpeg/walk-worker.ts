/** The thread of a long walk: answers each message with the next batch of folders. */
import { parentPort, workerData } from 'node:worker_threads'
import { walkBatch } from './walk-batch.ts'
import { walkIn, writtenBatch } from './walk-messages.ts'

const walk = walkIn(workerData)

parentPort?.on('message', () => parentPort?.postMessage(writtenBatch(walkBatch(walk), walk), []))
