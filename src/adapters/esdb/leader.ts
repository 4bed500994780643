/**
 * Leader: the driver looks for the leading node only when it connects. Here is noticed that another node may lead by now: a call
 * without an answer, or the word of a node that leads no more. Then the driver connects anew, and subscriptions are taken up there.
 */
import type { EventStoreDBClient } from '@eventstore/db-client'
import type { Clock } from '../../ports/clock.ts'
import { dropConnection } from './reconnecting.ts'

export interface Leader {
  /** A call was sent; the returned function is to be called when it has ended. After a while without an answer the node is doubted. */
  awaitAnswer(): () => void
  /** An answer was late. */
  doubt(): void
  /** The node said that another one leads: to this client, which goes there by itself. */
  left(told: EventStoreDBClient): void
  /** Aborted when the node that answers now may no longer lead; another signal from then on. */
  moved(): AbortSignal
}

export interface LeaderOptions {
  readonly clients: readonly EventStoreDBClient[]
  readonly clock: Clock
  readonly closing: AbortSignal
  /** Asks the leader for an answer. @throws ServerUnavailable it gives none within a second or two */
  readonly probe: () => Promise<void>
}

/** A call without an answer for so long is reason to ask whether anybody answers. */
const DOUBT_MS = 2_000
/** Longer than any election that was measured (7.7 s until another node leads). */
const LOOKS = 10
const LOOK_PAUSE_MS = 500
/** Between two moves: what a dozen calls are told at once is told once. */
const MOVE_EVERY_MS = 1_000

export function createLeader({ clients, clock, closing, probe }: LeaderOptions): Leader {
  let moved = new AbortController()
  let movedMs = -Infinity
  let isLooking = false

  function move(told?: EventStoreDBClient): void {
    if (clock.monotonic() - movedMs < MOVE_EVERY_MS) return
    movedMs = clock.monotonic()
    for (const client of clients) if (client !== told) void dropConnection(client)
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
