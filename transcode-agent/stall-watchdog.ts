/** Watchdog for a program that produces no output for too long. Time in which nobody reads from it does not count. */
import type { Clock } from '../src/ports/clock.ts'

export interface StallWatchdogOptions {
  readonly clock: Clock
  /** For the first piece: the program has to open its input, and may start long before the wanted position. */
  readonly firstMs: number
  readonly nextMs: number
  /** Called once, with the limit that passed; must end the program. */
  readonly stuck: (afterMs: number) => void
}

/** Yields the pieces as they arrive; ends if they stall. */
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
    // A stalled program that is ended closes its pipe.
    if (!isStuck) throw error
  } finally {
    await source.return?.()
  }
}
