/**
 * Bounds the system calls that wait for drives. A call cannot be ended: it holds one of the few threads of the process until the drive
 * answers. So one drive has a few places, and all drives together leave some threads to everything else.
 */

export interface Places {
  /**
   * Calls when there is a place, which the call keeps until it settles, whether or not somebody still waits for it. @throws NoAnswer if
   * there is no place in time, too many wait, or the call takes too long
   */
  call<Value>(drive: string, call: () => Promise<Value>): Promise<Value>
  /** For calls that must happen at some time, however late. */
  owe(drive: string, call: () => Promise<unknown>): void
  /** Calls that drives have not answered. Each holds a thread. */
  unanswered(): number
}

export interface PlacesOptions {
  readonly each: number
  /** Of all drives. */
  readonly all: number
  /** Calls of one drive. */
  readonly waitingMost: number
  /** Longest wait for a place. */
  readonly patienceMs: number
  /** Longest wait for the answer to a call. */
  readonly answerMs: number
  /** The part of the clock port used here. */
  readonly after: (ms: number, callback: () => void) => () => void
}

export class NoAnswer extends Error {
  readonly code = 'ETIMEDOUT'
  /** Its name, as places know it. */
  readonly drive: string
  constructor(drive: string) {
    super('The drive does not answer')
    this.name = 'NoAnswer'
    this.drive = drive
  }
}

interface Drive {
  readonly name: string
  taken: number
  /** Oldest first. */
  readonly waiting: Set<() => void>
}

export function createPlaces({ waitingMost, patienceMs, answerMs, after, ...limits }: PlacesOptions): Places {
  const turns = createTurns({ ...limits, after })

  /** The drive's answer, or NoAnswer; the place is given back when the drive answers. */
  function answer<Value>(drive: Drive, call: () => Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      const disarm = after(answerMs, () => reject(new NoAnswer(drive.name)))
      const end = (): void => {
        disarm()
        turns.give(drive)
      }
      call().then(
        (value) => (end(), resolve(value)),
        (cause: unknown) => (end(), reject(cause)),
      )
    })
  }

  return {
    async call(name, call) {
      const drive = turns.driveOf(name)
      if (drive.waiting.size >= waitingMost) throw new NoAnswer(name)
      const turn = turns.take(drive, patienceMs)
      if (turn) await turn
      return answer(drive, call)
    },
    owe(name, call) {
      const drive = turns.driveOf(name)
      void Promise.resolve(turns.take(drive))
        .then(() => answer(drive, call))
        .catch(() => undefined)
    },
    unanswered: () => turns.taken(),
  }
}

interface Turns {
  driveOf(name: string): Drive
  /** Takes a place at once, or settles when one was taken. @throws NoAnswer after the patience */
  take(drive: Drive, patienceMs?: number): Promise<void> | undefined
  give(drive: Drive): void
  /** Places that all drives hold together. */
  taken(): number
}

function createTurns({ each, all, after }: Pick<PlacesOptions, 'each' | 'all' | 'after'>): Turns {
  /** Only those with calls, in the order in which they have their turns. */
  const drives = new Map<string, Drive>()
  let taken = 0

  const isFree = (drive: Drive): boolean => taken < all && drive.taken < each

  function count(drive: Drive, places: 1 | -1): void {
    drive.taken += places
    taken += places
  }

  function forgetIdle({ name, taken, waiting }: Drive): void {
    if (taken === 0 && waiting.size === 0) drives.delete(name)
  }

  function startNext(): void {
    for (const [name, drive] of drives) {
      const [next] = drive.waiting
      if (!next || !isFree(drive)) continue
      // The other drives have their turn before it is this one's again.
      drives.delete(name)
      drives.set(name, drive)
      count(drive, 1)
      next()
      return
    }
  }

  function wait(drive: Drive, patienceMs: number | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const disarm = patienceMs === undefined ? undefined : after(patienceMs, giveUp)
    function start(): void {
      drive.waiting.delete(start)
      disarm?.()
      resolve()
    }
    function giveUp(): void {
      drive.waiting.delete(start)
      forgetIdle(drive)
      reject(new NoAnswer(drive.name))
    }
    drive.waiting.add(start)
    return promise
  }

  return {
    driveOf(name) {
      const drive = drives.get(name) ?? { name, taken: 0, waiting: new Set() }
      drives.set(name, drive)
      return drive
    },
    take(drive, patienceMs) {
      if (!isFree(drive) || drive.waiting.size > 0) return wait(drive, patienceMs)
      count(drive, 1)
      return undefined
    },
    give(drive) {
      count(drive, -1)
      startNext()
      forgetIdle(drive)
    },
    taken: () => taken,
  }
}
