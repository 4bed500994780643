/** Turns: so many tasks at once, the others in the order in which they came. Who waits is bounded by the callers. */
export interface Turns {
  take<Result>(task: () => Promise<Result>): Promise<Result>
}

export function createTurns(atOnce: number): Turns {
  const waiting: (() => void)[] = []
  let free = atOnce
  return {
    async take(task) {
      if (free > 0) free -= 1
      else await new Promise<void>((go) => void waiting.push(go))
      try {
        return await task()
      } finally {
        const next = waiting.shift()
        if (next) next()
        else free += 1
      }
    },
  }
}
