/** The worker thread that texts of films are read in. */
import { Worker } from 'node:worker_threads'

/** The largest subtitle takes about 200 MB while it is read. */
const MEMORY = { maxOldGenerationSizeMb: 512 }

/** Without the options of this process: some forbid starting a file. */
export const startTextThread = (): Worker =>
  new Worker(new URL('text-worker.ts', import.meta.url), { execArgv: [], resourceLimits: MEMORY })
