/**
 * Scrypt in a worker thread of its own. Node's asynchronous `scrypt` occupies the four threads that also open and read files, so a
 * burst of sign-ins would stop films. The worker starts with the first derivation and ends when nothing was asked for a while.
 */
import { Worker } from 'node:worker_threads'
import { within } from '../../flow/deadline.ts'
import { createSlots } from '../../flow/in-parallel.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Scrypt, ScryptInput } from '../../ports/scrypt.ts'

export interface ScryptOptions {
  readonly clock: Clock
  readonly startWorker?: () => Worker
}

const IDLE_MS = 30_000
/** Longest derivation: a hundred times what a slow computer needs. */
const DERIVE_MS = 60_000

type Reply = { readonly derived: Uint8Array } | { readonly failure: string }

export function createWorkerScrypt({ clock, startWorker = start }: ScryptOptions): Scrypt {
  const oneAtATime = createSlots(1)
  let worker: Worker | undefined
  let stopIdling = () => {}
  let closed = false

  async function end(): Promise<void> {
    const ended = worker
    worker = undefined
    stopIdling()
    await ended?.terminate()
  }

  async function ask(input: ScryptInput): Promise<Uint8Array> {
    if (closed) throw new Error('Passwords are not hashed any more: the server stops')
    stopIdling()
    worker ??= startWorker()
    const reply = await within(replyOf(worker, input), { clock, ms: DERIVE_MS, message: 'The hashing of a password took too long' })
    if ('failure' in reply) throw new Error(`A password cannot be hashed: ${reply.failure}`)
    return reply.derived
  }

  async function derive(input: ScryptInput): Promise<Uint8Array> {
    try {
      const derived = await ask(input)
      worker?.unref()
      stopIdling = clock.after(IDLE_MS, () => void end())
      return derived
    } catch (cause) {
      await end()
      throw cause
    }
  }

  return {
    derive: (input) => oneAtATime(() => derive(input)),
    async close() {
      closed = true
      await oneAtATime(end)
    },
  }
}

/** Without the options of this process: some forbid starting a file. */
const start = (): Worker => new Worker(new URL('scrypt-worker.ts', import.meta.url), { execArgv: [] })

function replyOf(worker: Worker, input: ScryptInput): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const exited = (): void => reject(new Error('The thread that hashes passwords has ended'))
  const settle = (): void => {
    worker.off('message', resolve).off('error', reject).off('exit', exited)
  }
  worker.ref()
  worker.once('message', resolve).once('error', reject).once('exit', exited)
  worker.postMessage(input, [])
  return promise.finally(settle)
}
