/**
 * Pause check: whether this process stood still a moment ago (suspended, swapped out, starved of its processor). What it knows is then
 * as old as the pause, and the requests that queued up meanwhile come before the news. Others stop waiting for a node after a second
 * and a half, so from a pause that comes near to that it judges nobody's rights until its views are as far as the log. While the log is
 * away, nothing changes for anybody: then they have to be as far as what the other nodes have announced since.
 */
import { withTimeout } from '../../concurrency/timeout.ts'
import type { Position } from '../../events/position.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventLog } from '../../ports/event-log.ts'

export interface PauseCheck {
  /** Cheap enough for each request. False: there was a pause, and the views have not caught up since. */
  isUpToDate(): boolean
  /** True as soon as it is; false after so long. */
  whenUpToDate(patienceMs: number): Promise<boolean>
  /** The views have come so far. */
  passed(position: Position): void
  /** Watches until the signal; before and after, nothing is found out. */
  run(signal: AbortSignal): Promise<void>
}

const TICK_MS = 100
const PAUSE_MS = 500
const HEAD_MS = 700
/** Other nodes announce how far they are every second. */
const ANNOUNCED_MS = 1_500
const RETRY_MS = 100

export interface PauseCheckDependencies {
  readonly clock: Clock
  readonly log: Pick<EventLog, 'head'>
  /** The furthest that anybody else was heard to be in the log. */
  readonly furthest: () => Position
}

export function createPauseCheck({ clock, log, furthest }: PauseCheckDependencies): PauseCheck {
  let tickedAtMs: number | undefined
  let reached: Position | undefined
  /** While the views are behind; with the log's end after the pause, once it is known. */
  let catchingUp: { end?: Position; readonly done: PromiseWithResolvers<true> } | undefined

  function notice(): void {
    const nowMs = clock.monotonic()
    if (tickedAtMs !== undefined && nowMs - tickedAtMs > PAUSE_MS && reached !== undefined) {
      // A pause in a pause: the end that is being asked for may be from before.
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
