/** Turns: one piece of work after another. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>

/** @throws Error more than `waitingMax` wait already */
export function createTurns(waitingMax: number): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return (work) => {
    if (waiting >= waitingMax) return Promise.reject(new Error(`${waiting} wait for their turn already`))
    waiting++
    const turn = last.then(work)
    last = turn.catch(() => {}).finally(() => waiting--)
    return turn
  }
}
