/**
 * LIFO queue for work of which only the newest matters: one piece runs at a time, and the newest waiting one goes next. If too many wait,
 * the oldest is rejected.
 */
import { QueueFull } from './semaphore.ts'

/** @throws QueueFull the work was not started: newer work displaced it; the signal's reason, if it is aborted before its turn */
export type LifoQueue = <Value>(work: () => Promise<Value>, signal: AbortSignal) => Promise<Value>

interface Waiting {
  readonly go: () => void
  readonly turnAway: (why: unknown) => void
}

export function createLifoQueue(waitingMax: number): LifoQueue {
  /** The newest last. */
  const waiting = new Set<Waiting>()
  let isFree = true

  async function queue(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const mine: Waiting = { go: resolve, turnAway: reject }
    const leave = (): void => {
      waiting.delete(mine)
      reject(signal.reason)
    }
    signal.addEventListener('abort', leave, { once: true })
    waiting.add(mine)
    const [oldest] = waiting
    if (oldest && waiting.size > waitingMax) {
      waiting.delete(oldest)
      oldest.turnAway(new QueueFull(`${waitingMax} newer ones wait`))
    }
    try {
      await promise
    } finally {
      signal.removeEventListener('abort', leave)
    }
  }

  function pass(): void {
    const next = [...waiting].at(-1)
    if (next) waiting.delete(next)
    isFree = next === undefined
    next?.go()
  }

  return async (work, signal) => {
    signal.throwIfAborted()
    if (isFree) isFree = false
    else await queue(signal)
    try {
      return await work()
    } finally {
      pass()
    }
  }
}
