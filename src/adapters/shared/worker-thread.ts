/**
 * A worker thread that starts with the first job, does one job at a time, and ends after some idle time. A job that takes too long ends the
 * thread; the next job starts another.
 */
import type { Worker } from 'node:worker_threads'
import { withTimeout } from '../../concurrency/timeout.ts'
import { createSemaphore } from '../../concurrency/semaphore.ts'
import type { Clock } from '../../ports/clock.ts'

export interface WorkerThreadOptions {
  readonly clock: Clock
  readonly start: () => Worker
  /** Longest job. */
  readonly jobMs: number
  /** Error messages for a job that takes longer, for a thread that ended during a job, and for jobs after `close`. */
  readonly messages: { readonly late: string; readonly ended: string; readonly closed: string }
}

export interface WorkerThread<Input, Reply> {
  /** The thread's reply. The caller bounds the queue. @throws TimedOut if the job takes too long; or the error that ended the thread */
  ask(input: Input): Promise<Reply>
  close(): Promise<void>
}

const IDLE_MS = 30_000

export function createWorkerThread<Input, Reply>(options: WorkerThreadOptions): WorkerThread<Input, Reply> {
  const { clock, start, jobMs, messages } = options
  const oneAtATime = createSemaphore(1)
  let worker: Worker | undefined
  let stopIdling = () => {}
  let closed = false

  async function end(): Promise<void> {
    const ended = worker
    worker = undefined
    stopIdling()
    await ended?.terminate()
  }

  async function run(input: Input): Promise<Reply> {
    if (closed) throw new Error(messages.closed)
    stopIdling()
    try {
      worker ??= start()
      const reply = await withTimeout(replyOf<Reply>(worker, input, messages.ended), { clock, ms: jobMs, message: messages.late })
      worker?.unref()
      stopIdling = clock.after(IDLE_MS, () => void end())
      return reply
    } catch (cause) {
      await end()
      throw cause
    }
  }

  return {
    ask: (input) => oneAtATime(() => run(input)),
    async close() {
      closed = true
      await oneAtATime(end)
    },
  }
}

function replyOf<Reply>(worker: Worker, input: unknown, ended: string): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const exited = (): void => reject(new Error(ended))
  const settle = (): void => {
    worker.off('message', resolve).off('error', reject).off('exit', exited)
  }
  worker.ref()
  worker.once('message', resolve).once('error', reject).once('exit', exited)
  worker.postMessage(input, [])
  return promise.finally(settle)
}
