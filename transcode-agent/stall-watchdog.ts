/** Watchdog for a program that produces no output for too long. Time in which nobody reads from it does not count. */
import type { Clock } from '../src/ports/clock.ts'

export interface StallWatchdogOptions {
  readonly clock: Clock
  /** For the first piece: it has to open what it works with, and may begin long before what is wanted. */
  readonly firstMs: number
  readonly nextMs: number
  /** Told once, with the limit; has to end the program. */
  readonly stuck: (afterMs: number) => void
}

/** The pieces as they come; ends where they stand still. */
export async function* untilStalled<Piece>(pieces: AsyncIterable<Piece>, options: StallWatchdogOptions): AsyncGenerator<Piece> {
  const { clock, firstMs, nextMs, stuck } = options
  const source = pieces[Symbol.asyncIterator]()
  let isStuck = false
  try {
    for (let limitMs = firstMs; ; limitMs = nextMs) {
      const disarm = clock.after(limitMs, () => {
        isStuck = true
        stuck(limitMs)
      })
      try {
        const next = await source.next()
        if (next.done || isStuck) return
        disarm()
        yield next.value
      } finally {
        disarm()
      }
    }
  } catch (error) {
    // The end of a program that was stuck closes its pipe.
    if (!isStuck) throw error
  } finally {
    await source.return?.()
  }
}
