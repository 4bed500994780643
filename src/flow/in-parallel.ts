/** Bounded parallel work. */

/** At most `width` at once, begun in order of the items; the first error ends it, once what had begun has ended. */
export async function inParallel<Item>(items: Iterable<Item>, width: number, work: (item: Item) => Promise<void>): Promise<void> {
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

/** Lets at most `width` pieces of work go on at once; further ones wait, first come, first served. */
export function createSlots(width: number): <Value>(work: () => Promise<Value>) => Promise<Value> {
  const waiting: (() => void)[] = []
  let free = width
  return async (work) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => void waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}

/** One after another in the order in which tickets were taken, whoever is ready first. */
export function createTurns(): () => { readonly wait: Promise<void>; readonly done: () => void } {
  let last = Promise.resolve()
  return () => {
    const wait = last
    const { promise, resolve } = Promise.withResolvers<void>()
    last = promise
    return { wait, done: resolve }
  }
}
