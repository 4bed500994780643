/** Tracks whether the server has answered lately. The first call that succeeds wakes everything that waits for its return. */
import type { Clock } from '../../ports/clock.ts'
import { createAppendNotifier } from '../shared/append-notifier.ts'

export interface Outage {
  /** A call was not answered. */
  began(): void
  /** A call was answered. */
  ended(): void
  /** Settles after so many milliseconds, at the end of the outage, or by the signal. */
  wait(ms: number, signal: AbortSignal): Promise<void>
}

/** Shortest wait, even if other calls succeed meanwhile: if only one kind of call fails, it is not retried in a tight loop. */
const SHORTEST_MS = 100

export function createOutage(clock: Clock): Outage {
  const notifier = createAppendNotifier()
  let away = false
  return {
    began() {
      away = true
    },
    ended() {
      if (!away) return
      away = false
      notifier.notify()
    },
    async wait(ms, signal) {
      const sinceMs = clock.monotonic()
      await sleep(clock, SHORTEST_MS, signal)
      const leftMs = ms - (clock.monotonic() - sinceMs)
      if (!away || leftMs <= 0 || signal.aborted) return
      const woken = new AbortController()
      await Promise.race([
        sleep(clock, leftMs, AbortSignal.any([signal, woken.signal])),
        notifier.next(AbortSignal.any([signal, woken.signal])),
      ])
      woken.abort()
    },
  }
}

/** Ends early, and quietly, by the signal. */
function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return clock.sleep(ms, signal).catch(() => {})
}
