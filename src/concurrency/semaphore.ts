/** Bounded parallel work. */

/** At most `width` at once, started in the order of the items. The first error stops it, once the running items have ended. */
export async function mapConcurrently<Item>(items: Iterable<Item>, width: number, work: (item: Item) => Promise<void>): Promise<void> {
  const queue = items[Symbol.iterator]()
  let failed = false
  async function worker(): Promise<void> {
    for (let next = queue.next(); !next.done && !failed; next = queue.next()) {
      try {
        await work(next.value)
      } catch (cause) {
        failed = true
        throw cause
      }
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: width }, worker))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

export type Semaphore = <Value>(work: () => Promise<Value>) => Promise<Value>

export interface SemaphoreLimits {
  /** Most waiting pieces of work. */
  readonly waitingMax?: number
  /** Longest wait. */
  readonly patience?: Patience
}

interface Patience {
  /** The part of the clock port used here. */
  readonly clock: { after(ms: number, callback: () => void): () => void }
  readonly ms: number
}

/** The work was not started: the queue was full. */
export class QueueFull extends Error {
  readonly code = 'no-slot'
  constructor(message: string) {
    super(message)
    this.name = 'QueueFull'
  }
}

/** Runs at most `width` pieces of work at once; further ones wait, first come, first served. @throws QueueFull */
export function createSemaphore(width: number, { waitingMax = Infinity, patience }: SemaphoreLimits = {}): Semaphore {
  const waiting = new Set<() => void>()
  let free = width

  function queue(): Promise<void> {
    if (waiting.size >= waitingMax) throw new QueueFull(`${waiting.size} wait for their turn already`)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const disarm = patience?.clock.after(patience.ms, () => {
      waiting.delete(go)
      reject(new QueueFull(`No turn within ${patience.ms} ms`))
    })
    const go = (): void => {
      waiting.delete(go)
      disarm?.()
      resolve()
    }
    waiting.add(go)
    return promise
  }

  return async (work) => {
    if (free > 0) free--
    else await queue()
    try {
      return await work()
    } finally {
      const [next] = waiting
      if (next) next()
      else free++
    }
  }
}

/** Runs one after another in the order in which tickets were taken, regardless of who is ready first. */
export function createMutex(): () => { readonly wait: Promise<void>; readonly done: () => void } {
  let last = Promise.resolve()
  return () => {
    const wait = last
    const { promise, resolve } = Promise.withResolvers<void>()
    last = promise
    return { wait, done: resolve }
  }
}
