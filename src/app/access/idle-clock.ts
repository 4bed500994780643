/**
 * Idle clock: how long each playback session has been silent. A node counts by its own monotonic clock from when it heard the last
 * heartbeat, so that no clock that is ahead or set forward ends anybody's session. The count stands still while heartbeats cannot be
 * taken, because that is not the players' fault.
 *
 * Heartbeats from before this node had caught up are dated by the times in the log, against the slowest clock among the nodes.
 */
import type { SessionId } from '../../vocabulary/id.ts'
import type { Clock } from '../../ports/clock.ts'

interface Beaten {
  readonly id: SessionId
  /** Time of the last heartbeat, by the clock of the node that took it. */
  readonly beatAt: string
}

export interface IdleClock {
  /** A heartbeat stands in the log. */
  heard(session: Beaten): void
  /** One that could not be stored has come just now. */
  missed(id: SessionId): void
  forget(id: SessionId): void
  /** Milliseconds since the last heartbeat; 0 for a session that this node has not heard of. */
  silentMs(id: SessionId): number
  /** Whether no heartbeat came for so long that the session is over. */
  isIdle(session: { readonly id: SessionId; readonly idleSeconds: number }): boolean
  /** Time of day by the slowest clock among the nodes: what is over by it is over for all. */
  now(): number
  /** From now on what is heard has just happened. */
  caughtUp(): void
  /** Whether heartbeats can be taken at the moment. */
  takes(canTake: boolean): void
}

export interface IdleClockOptions {
  readonly clock: Clock
  /** How far the slowest clock of the other nodes is behind this one's. */
  readonly behindMs: () => number
}

/** News of a heartbeat take so long at most; what looks later is the difference of two clocks that are not compared yet. */
const LATE_MAX_MS = 30_000

interface Heard {
  /** By the monotonic clock, when the heartbeat was taken as far as this node can tell. */
  readonly atMs: number
  /** How long the count had stood still by then, all times together. */
  readonly stoodMs: number
  /** Undefined: it was heard when it happened. */
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
      last.set(id, { atMs: clock.monotonic() - lateMs, stoodMs: stoodMs(), beatAtMs: isCatchingUp ? beatAtMs : undefined })
    },
    missed: (id) => void last.set(id, { atMs: clock.monotonic(), stoodMs: stoodMs(), beatAtMs: undefined }),
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
