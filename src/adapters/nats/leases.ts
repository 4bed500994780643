/** Leases in NATS: kept in JetStream's storage, so they outlive every program; a hint, as the port says. */
import { randomUUID } from 'node:crypto'
import type { Clock } from '../../ports/clock.ts'
import type { Lease, Leases, LeaseTtlSeconds } from '../../ports/leases.ts'
import { within } from '../../flow/deadline.ts'
import { natsAway, type NatsConnection } from './connection.ts'
import { createLeaseBuckets, type LeaseBuckets } from './lease-buckets.ts'
import { keepLease } from './lease-keeping.ts'

export interface NatsLeasesOptions {
  readonly connection: NatsConnection
  readonly clock: Clock
}

interface State extends NatsLeasesOptions {
  readonly buckets: LeaseBuckets
  readonly held: Set<Lease>
  closed: boolean
}

/** Longest that anybody waits for NATS. */
const ANSWER_MS = 2_000

export function createNatsLeases(options: NatsLeasesOptions): Leases {
  const state: State = { ...options, buckets: createLeaseBuckets(options), held: new Set(), closed: false }
  return {
    acquire: (key, ttlSeconds) => acquire(state, key, ttlSeconds),
    held: (key) => bounded(state, state.buckets.held(key)),
    async close() {
      state.closed = true
      await Promise.all([...state.held].map((lease) => lease.release()))
    },
  }
}

async function acquire(state: State, key: string, ttlSeconds: LeaseTtlSeconds): Promise<Lease | null> {
  if (state.closed) throw new Error('The leases are closed')
  const taking = take(state, key, ttlSeconds)
  try {
    return await bounded(state, taking)
  } catch (error) {
    // The answer may come yet: nobody would know of that lease.
    taking.then((lease) => lease?.release()).catch(() => {})
    throw error
  }
}

async function take({ buckets, clock, held }: State, key: string, ttlSeconds: LeaseTtlSeconds): Promise<Lease | null> {
  const place = { key, ttlSeconds, holder: randomUUID() }
  const askedMs = clock.monotonic()
  const taken = await buckets.create(place)
  if (!taken) return null
  const lease = keepLease({ clock, buckets, place, taken, askedMs, ended: (ended) => held.delete(ended) })
  if (!lease.lost.aborted) held.add(lease)
  return lease
}

async function bounded<T>({ clock }: State, asked: Promise<T>): Promise<T> {
  try {
    return await within(asked, { clock, ms: ANSWER_MS, message: 'NATS does not answer' })
  } catch (error) {
    throw natsAway(error)
  }
}
