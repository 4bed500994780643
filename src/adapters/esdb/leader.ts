/**
 * Detects a change of the leading node: the driver looks for the leader only when it connects. Signs are a call without an answer, or a
 * node's report that it no longer leads. Then the driver reconnects, and subscriptions are resumed at the new leader.
 */
import type { EventStoreDBClient } from '@eventstore/db-client'
import type { Clock } from '../../ports/clock.ts'
import { dropConnection } from './reconnecting.ts'

export interface Leader {
  /** A call was sent; call the returned function when it has ended. After a while without an answer the node is checked. */
  awaitAnswer(): () => void
  /** An answer was late. */
  doubt(): void
  /** The node reported another leader: this client goes there by itself. */
  left(named: EventStoreDBClient): void
  /** Aborted when the current node may no longer lead; call again for the next signal. */
  moved(): AbortSignal
}

export interface LeaderOptions {
  readonly clients: readonly EventStoreDBClient[]
  readonly clock: Clock
  readonly closing: AbortSignal
  /** Pings the leader. @throws ServerUnavailable no answer within a second or two */
  readonly probe: () => Promise<void>
}

/** A call without an answer for this long triggers a check of the node. */
const DOUBT_MS = 2_000
/** Longer than any measured election (7.7 s until another node leads). */
const LOOKS = 10
const LOOK_PAUSE_MS = 500
/** Minimum time between two moves: a dozen calls that fail together cause one move. */
const MOVE_EVERY_MS = 1_000

export function createLeader({ clients, clock, closing, probe }: LeaderOptions): Leader {
  let moved = new AbortController()
  let movedMs = -Infinity
  let isLooking = false

  function move(named?: EventStoreDBClient): void {
    if (clock.monotonic() - movedMs < MOVE_EVERY_MS) return
    movedMs = clock.monotonic()
    for (const client of clients) if (client !== named) void dropConnection(client)
    moved.abort(new Error('EventStoreDB does not answer, or another of its nodes leads'))
    moved = new AbortController()
  }

  async function look(): Promise<void> {
    for (let looks = 1; looks <= LOOKS && !closing.aborted; looks++) {
      try {
        return await probe()
      } catch {
        move()
        await clock.sleep(LOOK_PAUSE_MS, closing).catch(() => {})
      }
    }
  }

  function doubt(): void {
    if (isLooking || closing.aborted) return
    isLooking = true
    void look().finally(() => (isLooking = false))
  }

  return {
    awaitAnswer: () => clock.after(DOUBT_MS, doubt),
    doubt,
    left: move,
    moved: () => moved.signal,
  }
}
