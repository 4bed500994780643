/** Starts the worker thread that parses texts of films. */
import { Worker } from 'node:worker_threads'

/** Parsing the largest subtitle takes about 200 MB. */
const MEMORY = { maxOldGenerationSizeMb: 512 }

/** Without the options of this process: some forbid starting a file. */
export const startTextThread = (): Worker =>
  new Worker(new URL('text-worker.ts', import.meta.url), { execArgv: [], resourceLimits: MEMORY })
