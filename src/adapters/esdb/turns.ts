/** Turns: so many at once, the others in the order in which they came, and none waits for ever. */
import type { Clock } from '../../ports/clock.ts'

export interface Turns {
  /** Settles with true when it is one's turn, with false when that took too long. */
  take(): Promise<boolean>
  /** To be called once for each turn taken. */
  give(): void
}

export interface TurnsOptions {
  readonly clock: Clock
  readonly atOnce: number
  readonly patienceMs: number
}

export function createTurns({ clock, atOnce, patienceMs }: TurnsOptions): Turns {
  const waiting = new Set<() => void>()
  let free = atOnce

  function queue(): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const settle = (isTurn: boolean): void => {
      waiting.delete(go)
      disarm()
      resolve(isTurn)
    }
    const go = (): void => settle(true)
    const disarm = clock.after(patienceMs, () => settle(false))
    waiting.add(go)
    return promise
  }

  return {
    take() {
      if (free === 0) return queue()
      free -= 1
      return Promise.resolve(true)
    },
    give() {
      const [next] = waiting
      if (next) next()
      else free += 1
    },
  }
}
