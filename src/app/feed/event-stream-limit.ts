/**
 * Limits the event streams that a user may have open on all nodes. Each open stream holds one of the user's leases, so a node that dies
 * frees its own. While the bus is unavailable each node counts by itself; streams opened then stay open and acquire a lease later.
 */
import type { UserId } from '../../vocabulary/id.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Lease, Leases, LeaseTtlSeconds } from '../../ports/leases.ts'

export interface EventStreamLimit {
  /** Takes one of the user's places; undefined if all are taken. Call the returned function once the stream is closed. */
  take(this: void, userId: UserId): Promise<(() => void) | undefined>
}

export interface EventStreamLimitDependencies {
  readonly leases: Pick<Leases, 'acquire'>
  readonly clock: Clock
  /** Name of this node. It determines where the search starts, so that two nodes rarely try the same place. */
  readonly node: string
}

/** Streams per user. */
export const STREAMS_A_USER = 10

/** This node's knowledge of a user's streams. */
interface Known {
  readonly streams: Set<Stream>
  /** Places held by other nodes: the step of the last refusal. */
  readonly refusedAt: Map<number, number>
}

interface Stream {
  readonly userId: UserId
  readonly known: Known
  /** The place that it holds or is trying to get: the user's other streams on this node skip it. */
  place: number | undefined
  lease: Lease | undefined
  isClosed: boolean
  stopWaiting: () => void
}

const LEASE_SECONDS: LeaseTtlSeconds = 15
/** Interval between attempts of an open stream without a place. */
const AGAIN_MS = 15_000
/** Longest wait for a place, apart from the one reply that is pending by then. */
const PATIENCE_MS = 2_000

export function createEventStreamLimit({ leases, clock, node }: EventStreamLimitDependencies): EventStreamLimit {
  /** Streams open on this node. */
  const open = new Map<UserId, Known>()
  /** Orders searches and refusals, which may happen within the same millisecond. */
  let step = 0
  const first = Buffer.from(node).reduce((sum, byte) => sum + byte, 0) % STREAMS_A_USER

  /** The next place that none of the user's streams on this node holds or tries, and that was not refused since then. */
  function nextFree({ streams, refusedAt }: Known, since: number): number | undefined {
    const own = new Set([...streams].map(({ place }) => place))
    const places = Array.from({ length: STREAMS_A_USER }, (_, n) => (first + n) % STREAMS_A_USER)
    return places.find((place) => !own.has(place) && (refusedAt.get(place) ?? -Infinity) < since)
  }

  /** False if all are taken. @throws if the lease server is unavailable */
  async function findPlace(stream: Stream): Promise<boolean> {
    const untilMs = clock.monotonic() + PATIENCE_MS
    const since = ++step
    const { known } = stream
    try {
      for (let place = nextFree(known, since); place !== undefined; place = nextFree(known, since)) {
        if (clock.monotonic() > untilMs) throw new Error('Taking a place takes too long')
        stream.place = place
        const lease = await leases.acquire(`events.${stream.userId}.${place}`, LEASE_SECONDS)
        if (lease) hold(stream, lease)
        if (lease) return true
        known.refusedAt.set(place, ++step)
      }
      return false
    } finally {
      if (!stream.lease) stream.place = undefined
    }
  }

  function hold(stream: Stream, lease: Lease): void {
    if (stream.isClosed) return void lease.release()
    stream.lease = lease
    lease.lost.addEventListener('abort', () => lookLater(stream), { once: true })
    if (lease.lost.aborted) lookLater(stream)
  }

  function lookLater(stream: Stream): void {
    stream.lease = stream.place = undefined
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
    const { streams } = stream.known
    streams.delete(stream)
    if (streams.size === 0) open.delete(stream.userId)
    void stream.lease?.release()
  }

  return {
    async take(userId) {
      const known = open.get(userId) ?? { streams: new Set(), refusedAt: new Map() }
      if (known.streams.size >= STREAMS_A_USER) return undefined
      const stream: Stream = { userId, known, place: undefined, lease: undefined, isClosed: false, stopWaiting: () => {} }
      known.streams.add(stream)
      open.set(userId, known)
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
