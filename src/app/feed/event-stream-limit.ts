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

interface State extends EventStreamLimitDependencies {
  /** Streams open on this node. */
  readonly open: Map<UserId, Known>
  /** Orders searches and refusals, which may happen within the same millisecond. */
  step: number
  readonly first: number
}

export function createEventStreamLimit(deps: EventStreamLimitDependencies): EventStreamLimit {
  const { node } = deps
  const state: State = {
    ...deps,
    open: new Map(),
    step: 0,
    first: Buffer.from(node).reduce((sum, byte) => sum + byte, 0) % STREAMS_A_USER,
  }

  return {
    take: (userId) => take(state, userId),
  }
}

/** The next place that none of the user's streams on this node holds or tries, and that was not refused since then. */
function nextFree({ first }: State, { streams, refusedAt }: Known, since: number): number | undefined {
  const own = new Set([...streams].map(({ place }) => place))
  const places = Array.from({ length: STREAMS_A_USER }, (_, n) => (first + n) % STREAMS_A_USER)
  return places.find((place) => !own.has(place) && (refusedAt.get(place) ?? -Infinity) < since)
}

/** False if all are taken. @throws if the lease server is unavailable */
async function findPlace(state: State, stream: Stream): Promise<boolean> {
  const { clock, leases } = state
  const untilMs = clock.monotonic() + PATIENCE_MS
  const since = ++state.step
  const { known } = stream
  try {
    for (let place = nextFree(state, known, since); place !== undefined; place = nextFree(state, known, since)) {
      if (clock.monotonic() > untilMs) throw new Error('Taking a place takes too long')
      stream.place = place
      const lease = await leases.acquire(`events.${stream.userId}.${place}`, LEASE_SECONDS)
      if (lease) hold(state, stream, lease)
      if (lease) return true
      known.refusedAt.set(place, ++state.step)
    }
    return false
  } finally {
    if (!stream.lease) stream.place = undefined
  }
}

function hold(state: State, stream: Stream, lease: Lease): void {
  if (stream.isClosed) return void lease.release()
  stream.lease = lease
  lease.lost.addEventListener('abort', () => lookLater(state, stream), { once: true })
  if (lease.lost.aborted) lookLater(state, stream)
}

function lookLater(state: State, stream: Stream): void {
  stream.lease = stream.place = undefined
  if (!stream.isClosed) stream.stopWaiting = state.clock.after(AGAIN_MS, () => void look(state, stream))
}

async function look(state: State, stream: Stream): Promise<void> {
  const isFound = await findPlace(state, stream).catch(() => false)
  if (!isFound) lookLater(state, stream)
}

function close({ open }: State, stream: Stream): void {
  if (stream.isClosed) return
  stream.isClosed = true
  stream.stopWaiting()
  const { streams } = stream.known
  streams.delete(stream)
  if (streams.size === 0) open.delete(stream.userId)
  void stream.lease?.release()
}

async function take(state: State, userId: UserId): Promise<(() => void) | undefined> {
  const { open } = state
  const known = open.get(userId) ?? { streams: new Set(), refusedAt: new Map() }
  if (known.streams.size >= STREAMS_A_USER) return undefined
  const stream: Stream = { userId, known, place: undefined, lease: undefined, isClosed: false, stopWaiting: () => {} }
  known.streams.add(stream)
  open.set(userId, known)
  try {
    if (!(await findPlace(state, stream))) {
      close(state, stream)
      return undefined
    }
  } catch {
    lookLater(state, stream)
  }
  return () => close(state, stream)
}
