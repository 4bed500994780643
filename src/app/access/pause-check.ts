/**
 * Detects whether this process was paused a moment ago (suspended, swapped out, starved of CPU). Its knowledge is then as old as the pause,
 * and queued requests come before the news. Other nodes stop waiting for a node after a second and a half. After a pause that comes close
 * to that, this node therefore checks nobody's permissions until its views have reached the head of the log. During an outage of the log nothing
 * changes for anybody; the views then have to reach the furthest position that other nodes have announced since.
 */
import { withTimeout } from '../../concurrency/timeout.ts'
import type { Position } from '../../events/position.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventLog } from '../../ports/event-log.ts'

export interface PauseCheck {
  /** Cheap enough to call for each request. False if there was a pause and the views have not caught up since. */
  isUpToDate(): boolean
  /** Resolves to true as soon as it is; to false after the patience. */
  whenUpToDate(patienceMs: number): Promise<boolean>
  /** The views have reached the position. */
  passed(position: Position): void
  /** Watches until the signal. Before and after that, no pause is detected. */
  run(signal: AbortSignal): Promise<void>
}

const TICK_MS = 100
const PAUSE_MS = 500
const HEAD_MS = 700
/** Other nodes announce their position every second. */
const ANNOUNCED_MS = 1_500
const RETRY_MS = 100

export interface PauseCheckDependencies {
  readonly clock: Clock
  readonly log: Pick<EventLog, 'head'>
  /** The furthest log position that another node has announced. */
  readonly furthest: () => Position
}

export function createPauseCheck({ clock, log, furthest }: PauseCheckDependencies): PauseCheck {
  let tickedAtMs: number | undefined
  let reached: Position | undefined
  /** Set while the views are behind; `end` is the head of the log after the pause, once known. */
  let catchingUp: { end?: Position; readonly done: PromiseWithResolvers<true> } | undefined

  function notice(): void {
    const nowMs = clock.monotonic()
    if (tickedAtMs !== undefined && nowMs - tickedAtMs > PAUSE_MS && reached !== undefined) {
      // A second pause: the head that is being read may be from before it.
      const done = catchingUp?.done ?? Promise.withResolvers<true>()
      catchingUp = { done }
      void askFor(catchingUp)
    }
    if (tickedAtMs !== undefined) tickedAtMs = nowMs
  }

  async function askFor(mine: NonNullable<typeof catchingUp>): Promise<void> {
    const isWanted = () => catchingUp === mine && tickedAtMs !== undefined
    const sinceMs = clock.monotonic()
    while (isWanted()) {
      const known = await withTimeout(log.head(), { clock, ms: HEAD_MS, message: 'late' }).catch(() => undefined)
      const end = known ?? (clock.monotonic() - sinceMs >= ANNOUNCED_MS ? furthest() : undefined)
      if (end !== undefined) {
        mine.end = end
        return settle()
      }
      await clock.sleep(RETRY_MS)
    }
  }

  function settle(): void {
    if (catchingUp?.end === undefined || reached === undefined || reached < catchingUp.end) return
    catchingUp.done.resolve(true)
    catchingUp = undefined
  }

  function isUpToDate(): boolean {
    notice()
    return catchingUp === undefined
  }

  return {
    isUpToDate,
    async whenUpToDate(patienceMs) {
      if (isUpToDate() || !catchingUp) return true
      const late = Promise.withResolvers<false>()
      const disarm = clock.after(patienceMs, () => late.resolve(false))
      return Promise.race([catchingUp.done.promise, late.promise]).finally(disarm)
    },
    passed(position) {
      reached = position
      settle()
    },
    async run(signal) {
      tickedAtMs = clock.monotonic()
      const stop = clock.every(TICK_MS, notice)
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      stop()
      tickedAtMs = undefined
    },
  }
}
