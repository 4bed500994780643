/**
 * Removes entries that NATS stores late. A server that hangs still stores the requests in its sockets when it continues, for holders that
 * have given up meanwhile: without this nobody could take those keys for a lifetime.
 */
import type { Clock } from '../../ports/clock.ts'
import type { LeaseBuckets, Place } from './lease-buckets.ts'

export interface LateEntries {
  /** The holder has given the place up, and NATS may still store a request for it. */
  expect(place: Place): void
  close(): void
}

export interface LateEntriesOptions {
  readonly buckets: Pick<LeaseBuckets, 'revisionOf' | 'remove'>
  readonly clock: Clock
}

interface State extends LateEntriesOptions {
  /** With the monotonic time at which NATS answered first; undefined: it has not answered since. */
  readonly places: Map<Place, number | undefined>
  readonly closing: AbortController
  isLooking: boolean
}

const LOOK_EVERY_MS = 500
/** A server that answers has read within this time what it had in its sockets. */
const LATE_MS = 3_000

export function createLateEntries(options: LateEntriesOptions): LateEntries {
  const state: State = { ...options, places: new Map(), closing: new AbortController(), isLooking: false }
  return {
    expect(place) {
      state.places.set(place, undefined)
      if (!state.isLooking) void keepLooking(state)
    },
    close: () => state.closing.abort(new Error('The leases are closed')),
  }
}

/** Never rejects. */
async function keepLooking(state: State): Promise<void> {
  const { clock, closing, places } = state
  state.isLooking = true
  while (places.size > 0 && !closing.signal.aborted) {
    // While NATS is away every look would fail.
    await lookAtAll(state).catch(() => undefined)
    await clock.sleep(LOOK_EVERY_MS, closing.signal).catch(() => undefined)
  }
  state.isLooking = false
}

/** @throws ServerUnavailable */
async function lookAtAll({ places, buckets, clock, closing }: State): Promise<void> {
  for (const [place, answeredMs = clock.monotonic()] of places) {
    if (closing.signal.aborted) return
    const revision = await buckets.revisionOf(place)
    if (revision !== null) await buckets.remove(place, revision)
    if (revision !== null || clock.monotonic() - answeredMs >= LATE_MS) places.delete(place)
    else places.set(place, answeredMs)
  }
}
