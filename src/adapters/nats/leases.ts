/** Leases in NATS: kept in JetStream's storage, so they outlive every program. Like all leases they are only a hint. */
import type { Bus } from '../../ports/bus.ts'
import type { Clock } from '../../ports/clock.ts'
import type { AcquireOptions, Lease, Leases } from '../../ports/leases.ts'
import { withTimeout } from '../../concurrency/timeout.ts'
import { natsUnavailable, type NatsConnection } from './connection.ts'
import { createHolderPresence, type HolderPresence } from './holder-presence.ts'
import { createLeaseBuckets, type LeaseBuckets, type Place } from './lease-buckets.ts'
import { createLateEntries, type LateEntries } from './late-entries.ts'
import { renewLease } from './lease-renewal.ts'

export interface NatsLeasesOptions {
  readonly connection: NatsConnection
  readonly clock: Clock
  /** Over the same connection: used to check whether other holders are still there. */
  readonly bus: Bus
  /** Name of this program: letters, digits, dashes. */
  readonly name: string
}

interface State extends NatsLeasesOptions {
  readonly buckets: LeaseBuckets
  readonly late: LateEntries
  readonly presence: HolderPresence
  readonly held: Set<Lease>
  closed: boolean
}

/** Longest wait for NATS. */
const ANSWER_MS = 2_000

export function createNatsLeases(options: NatsLeasesOptions): Leases {
  const buckets = createLeaseBuckets(options)
  const state: State = {
    ...options,
    buckets,
    late: createLateEntries({ ...options, buckets }),
    presence: createHolderPresence(options),
    held: new Set(),
    closed: false,
  }
  return {
    acquire: (key, ttlSeconds, options = {}) => acquire(state, { key, ttlSeconds, holder: state.presence.newHolder() }, options),
    held: (key) => bounded(state, state.buckets.held(key)),
    async close() {
      state.closed = true
      await Promise.all([...state.held].map((lease) => lease.release()))
      state.late.close()
      state.presence.close()
    },
  }
}

async function acquire(state: State, place: Place, options: AcquireOptions): Promise<Lease | null> {
  if (state.closed) throw new Error('The leases are closed')
  const taking = take(state, place, options)
  try {
    return await bounded(state, taking)
  } catch (error) {
    // The answer may still come: otherwise nobody would know of that lease.
    taking.then((lease) => lease?.release()).catch(() => {})
    throw error
  }
}

async function take(state: State, place: Place, { fromEnded = false }: AcquireOptions): Promise<Lease | null> {
  const { buckets, clock, held, late } = state
  const askedMs = clock.monotonic()
  let isSent = false
  const taken = await buckets
    .create(place, () => (isSent = true))
    .catch((cause: unknown) => {
      if (isSent) late.expect(place)
      throw cause
    })
  if (!taken) return fromEnded ? takeFromEnded(state, place) : null
  const lease = renewLease({ clock, buckets, late, place, taken, askedMs, ended: (ended) => held.delete(ended) })
  if (!lease.lost.aborted) held.add(lease)
  return lease
}

/** Removes exactly the entry whose holder has ended: if another program is quicker, that one gets the key. */
async function takeFromEnded(state: State, place: Place): Promise<Lease | null> {
  const { buckets, presence } = state
  const entry = await buckets.entryOf(place.key, place.ttlSeconds)
  const program = entry && presence.programOf(entry.holder)
  if (!entry || !program || !(await presence.isGone(program))) return null
  await buckets.remove(place, entry.revision)
  const lease = await take(state, place, {})
  return lease && { ...lease, takenFrom: program }
}

async function bounded<T>({ clock }: State, asked: Promise<T>): Promise<T> {
  try {
    return await withTimeout(asked, { clock, ms: ANSWER_MS, message: 'NATS does not answer' })
  } catch (error) {
    throw natsUnavailable(error)
  }
}
