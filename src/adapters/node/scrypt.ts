/**
 * Runs scrypt in a separate worker thread. Node's asynchronous `scrypt` occupies the four threads that also open and read files, so a burst
 * of sign-ins would stall films. The worker starts with the first derivation and ends after some idle time.
 */
import { Worker } from 'node:worker_threads'
import type { Clock } from '../../ports/clock.ts'
import type { Scrypt, ScryptInput } from '../../ports/scrypt.ts'
import { createWorkerThread } from '../shared/worker-thread.ts'

export interface ScryptOptions {
  readonly clock: Clock
  readonly startWorker?: () => Worker
}

/** Longest derivation: a hundred times what a slow computer needs. */
const DERIVE_MS = 60_000
const MESSAGES = {
  late: 'The hashing of a password took too long',
  ended: 'The thread that hashes passwords has ended',
  closed: 'The server is stopping: no more passwords are hashed',
}

type Reply = { readonly derived: Uint8Array } | { readonly failure: string }

export function createWorkerScrypt({ clock, startWorker = start }: ScryptOptions): Scrypt {
  const thread = createWorkerThread<ScryptInput, Reply>({ clock, start: startWorker, jobMs: DERIVE_MS, messages: MESSAGES })
  return {
    async derive(input) {
      const reply = await thread.ask(input)
      if ('failure' in reply) throw new Error(`A password cannot be hashed: ${reply.failure}`)
      return reply.derived
    },
    close: () => thread.close(),
  }
}

/** Without the options of this process: some forbid starting a file. */
const start = (): Worker => new Worker(new URL('scrypt-worker.ts', import.meta.url), { execArgv: [] })
