/**
 * Places of event streams: so many a user may have open, over all nodes. Each open stream holds one of the user's leases, so a node
 * that dies frees its places. While the bus is away a node counts by itself; what is open then stays so, and looks for a place later.
 */
import type { UserId } from '../events/id.ts'
import type { Clock } from '../ports/clock.ts'
import type { Lease, Leases, LeaseTtlSeconds } from '../ports/leases.ts'

export interface EventStreamPlaces {
  /** Takes a place of the user's; undefined where all are taken. What it gives must be called once the stream is closed. */
  take(this: void, userId: UserId): Promise<(() => void) | undefined>
}

export interface EventStreamPlacesDependencies {
  readonly leases: Pick<Leases, 'acquire'>
  readonly clock: Clock
  /** Name of this node: it says where this one begins to look, so that two nodes seldom want the same place. */
  readonly node: string
}

/** Of one user (contract, section 9). */
export const STREAMS_A_USER = 10

interface Stream {
  readonly userId: UserId
  /** Undefined while it has no place. */
  held: { readonly place: number; readonly lease: Lease } | undefined
  isClosed: boolean
  stopWaiting: () => void
}

const LEASE_SECONDS: LeaseTtlSeconds = 15
/** From one look for a place to the next, where a stream is open without one. */
const AGAIN_MS = 15_000
/** Nobody waits longer than that for a stream to be counted, and the one answer that is under way by then. */
const PATIENCE_MS = 2_000

export function createEventStreamPlaces({ leases, clock, node }: EventStreamPlacesDependencies): EventStreamPlaces {
  /** Those open on this node. */
  const open = new Map<UserId, Set<Stream>>()
  const first = Buffer.from(node).reduce((sum, byte) => sum + byte, 0) % STREAMS_A_USER

  function freeAsFarAsKnown(userId: UserId): readonly number[] {
    const own = new Set([...(open.get(userId) ?? [])].map(({ held }) => held?.place))
    return Array.from({ length: STREAMS_A_USER }, (_, n) => (first + n) % STREAMS_A_USER).filter((place) => !own.has(place))
  }

  /** False: all are taken. @throws where the leases cannot be asked */
  async function findPlace(stream: Stream): Promise<boolean> {
    const untilMs = clock.monotonic() + PATIENCE_MS
    for (const place of freeAsFarAsKnown(stream.userId)) {
      if (clock.monotonic() > untilMs) throw new Error('Taking a place takes too long')
      const lease = await leases.acquire(`events.${stream.userId}.${place}`, LEASE_SECONDS)
      if (!lease) continue
      hold(stream, place, lease)
      return true
    }
    return false
  }

  function hold(stream: Stream, place: number, lease: Lease): void {
    if (stream.isClosed) return void lease.release()
    stream.held = { place, lease }
    lease.lost.addEventListener('abort', () => lookLater(stream), { once: true })
    if (lease.lost.aborted) lookLater(stream)
  }

  function lookLater(stream: Stream): void {
    stream.held = undefined
    if (!stream.isClosed) stream.stopWaiting = clock.after(AGAIN_MS, () => void look(stream))
  }

  async function look(stream: Stream): Promise<void> {
    const isFound = await findPlace(stream).catch(() => false)
    if (!isFound) lookLater(stream)
  }

  function close(stream: Stream): void {
    if (stream.isClosed) return
    stream.isClosed = true
    stream.stopWaiting()
    const streams = open.get(stream.userId)
    streams?.delete(stream)
    if (streams?.size === 0) open.delete(stream.userId)
    void stream.held?.lease.release()
  }

  return {
    async take(userId) {
      const streams = open.get(userId) ?? new Set()
      if (streams.size >= STREAMS_A_USER) return undefined
      const stream: Stream = { userId, held: undefined, isClosed: false, stopWaiting: () => {} }
      open.set(userId, streams.add(stream))
      try {
        if (!(await findPlace(stream))) {
          close(stream)
          return undefined
        }
      } catch {
        lookLater(stream)
      }
      return () => close(stream)
    },
  }
}
