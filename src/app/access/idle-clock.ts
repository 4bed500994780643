/**
 * Measures how long each playback session has been silent. A node counts on its own monotonic clock from when it received the last
 * heartbeat, so that a clock that is ahead or set forward ends nobody's session. The count pauses while heartbeats cannot be accepted,
 * because that is not the player's fault.
 *
 * Heartbeats from before this node caught up are dated by the times in the log, compared with the slowest clock among the nodes. One that
 * is dated later than now counts from now: the clock that dated it was ahead, perhaps by days.
 */
import type { SessionId } from '../../vocabulary/id.ts'
import type { Clock } from '../../ports/clock.ts'

interface Beaten {
  readonly id: SessionId
  /** Time of the last heartbeat, by the clock of the node that received it. */
  readonly beatAt: string
}

export interface IdleClock {
  /** The log contains a heartbeat. */
  heard(session: Beaten): void
  /** A heartbeat has just arrived that could not be stored. */
  missed(id: SessionId): void
  forget(id: SessionId): void
  /** Milliseconds since the last heartbeat; 0 for a session that this node has not heard of. */
  silentMs(id: SessionId): number
  /** Whether the session is over because it was silent for too long. */
  isIdle(this: void, session: { readonly id: SessionId; readonly idleSeconds: number }): boolean
  /** Time of day by the slowest clock among the nodes: a deadline that has passed by it has passed for all. */
  now(): number
  /** From now on heartbeats in the log are new ones. */
  caughtUp(): void
  /** Reports whether heartbeats can be accepted at the moment. */
  takes(canTake: boolean): void
}

export interface IdleClockOptions {
  readonly clock: Clock
  /** How far the slowest clock of the other nodes is behind this one's. */
  readonly behindMs: () => number
}

/** Longest delivery time of a heartbeat through the log. A longer delay is taken for a clock difference that is not measured yet. */
const LATE_MAX_MS = 30_000

interface Heard {
  /** When the heartbeat was received, by the monotonic clock, as far as this node knows. */
  readonly atMs: number
  /** Total time for which the count had been paused by then. */
  readonly stoodMs: number
  /** Undefined if this node saw the heartbeat when it happened. */
  readonly beatAtMs: number | undefined
}

export function createIdleClock({ clock, behindMs }: IdleClockOptions): IdleClock {
  const last = new Map<SessionId, Heard>()
  let stoodBeforeMs = 0
  let standsSinceMs: number | undefined
  let isCatchingUp = true

  const stoodMs = () => stoodBeforeMs + (standsSinceMs === undefined ? 0 : clock.monotonic() - standsSinceMs)
  const now = () => clock.now() - behindMs()

  function silentMs(id: SessionId): number {
    const heard = last.get(id)
    if (!heard) return 0
    const { atMs, beatAtMs } = heard
    const sinceMs = beatAtMs === undefined ? clock.monotonic() - atMs : now() - beatAtMs
    return Math.max(0, sinceMs - (stoodMs() - heard.stoodMs))
  }

  return {
    heard({ id, beatAt }) {
      const beatAtMs = Date.parse(beatAt)
      const lateMs = Math.min(Math.max(0, now() - beatAtMs), LATE_MAX_MS)
      last.set(id, { atMs: clock.monotonic() - lateMs, stoodMs: stoodMs(), beatAtMs: isCatchingUp ? Math.min(beatAtMs, now()) : undefined })
    },
    missed(id) {
      // Of a session that has ended meanwhile nothing is kept: nobody would forget it again.
      if (last.has(id)) last.set(id, { atMs: clock.monotonic(), stoodMs: stoodMs(), beatAtMs: undefined })
    },
    forget: (id) => void last.delete(id),
    silentMs,
    isIdle: ({ id, idleSeconds }) => silentMs(id) >= idleSeconds * 1000,
    now,
    caughtUp: () => void (isCatchingUp = false),
    takes(canTake) {
      if (canTake && standsSinceMs !== undefined) {
        stoodBeforeMs = stoodMs()
        standsSinceMs = undefined
      } else if (!canTake) standsSinceMs ??= clock.monotonic()
    },
  }
}
