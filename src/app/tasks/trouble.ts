/**
 * Reports a failure that is tried again: as a warning when it begins or changes, as an error once it has lasted for some minutes, and its
 * end. So one cause has one line, however often it is met, and however many tasks meet it.
 */
import type { Clock } from '../../ports/clock.ts'
import type { Report } from '../../ports/report.ts'

/** Of one task. */
export interface Trouble {
  failed(this: void, cause: unknown): void
  /** It works. */
  passed(this: void): void
}

/** For a further task. Tasks that fail for the same reason share its lines: the end is reported when all of them work. */
export type Troubles = () => Trouble

interface Failure {
  readonly message: string
  readonly sinceMs: number
  readonly isError: boolean
}

/** What lasts longer does not pass by itself. */
const PERSISTS_MS = 5 * 60_000

export const createTrouble = (clock: Pick<Clock, 'monotonic'>, onError: Report): Trouble => createTroubles(clock, onError)()

export function createTroubles(clock: Pick<Clock, 'monotonic'>, onError: Report): Troubles {
  /** The current failure of each task that fails. */
  const current = new Map<symbol, Failure>()
  const known = (message: string): readonly Failure[] => [...current.values()].filter((failure) => failure.message === message)

  function failed(task: symbol, cause: unknown): void {
    const nowMs = clock.monotonic()
    const message = cause instanceof Error ? cause.message : String(cause)
    const others = known(message)
    const before = current.get(task)
    const all = before ? [...others, before] : others
    const sinceMs = Math.min(nowMs, ...all.map((failure) => failure.sinceMs))
    const isError = nowMs - sinceMs >= PERSISTS_MS || all.some((failure) => failure.isError)
    if (!others.some((failure) => failure.isError === isError)) onError(cause, isError ? 'error' : 'warn')
    current.set(task, { message, sinceMs, isError })
  }

  function passed(task: symbol): void {
    const failure = current.get(task)
    current.delete(task)
    if (!failure || known(failure.message).length > 0) return
    const seconds = Math.round((clock.monotonic() - failure.sinceMs) / 1000)
    onError(new Error(`It works again after ${seconds} s: ${failure.message}`), 'info')
  }

  return () => {
    const task = Symbol('task')
    return { failed: (cause) => failed(task, cause), passed: () => passed(task) }
  }
}
