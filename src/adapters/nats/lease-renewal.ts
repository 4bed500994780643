/** Keeps a lease that was taken: renews it until it is released, and declares it lost as soon as another may hold it. */
import type { Clock } from '../../ports/clock.ts'
import type { Lease } from '../../ports/leases.ts'
import { withTimeout } from '../../concurrency/timeout.ts'
import type { LateEntries } from './late-entries.ts'
import type { LeaseBuckets, Place } from './lease-buckets.ts'

export interface RenewalOptions {
  readonly clock: Clock
  readonly buckets: LeaseBuckets
  readonly late: LateEntries
  readonly place: Place
  readonly taken: { readonly token: number; readonly revision: number }
  /** Monotonic time before the request that took it was sent: the server counts its lifetime from later. */
  readonly askedMs: number
  /** Called once, when it is no longer held. */
  readonly ended: (lease: Lease) => void
}

interface State extends RenewalOptions {
  readonly lost: AbortController
  readonly lease: Lease
  revision: number
  /** The renewal in progress. */
  renewing: Promise<void>
  stopRenewing: () => void
  stopExpiring: () => void
}

/** Renewals within one lifetime. */
const RENEWALS = 3
const RETRY_MS = 250
/** Share of its lifetime by which it is given up before the server may give it to another holder: clocks run differently. */
const MARGIN = 0.1
const RELEASE_MS = 2_000

export function renewLease(options: RenewalOptions): Lease {
  const lost = new AbortController()
  const state: State = {
    ...options,
    lost,
    lease: { token: options.taken.token, lost: lost.signal, release: () => release(state) },
    revision: options.taken.revision,
    renewing: Promise.resolve(),
    stopRenewing: () => {},
    stopExpiring: () => {},
  }
  prolong(state, options.askedMs)
  return state.lease
}

const lifetimeMs = ({ place }: State): number => place.ttlSeconds * 1000

/** Held for a lifetime from then, less the margin. */
function prolong(state: State, fromMs: number): void {
  const { clock } = state
  state.stopExpiring()
  state.stopExpiring = clock.after(fromMs + lifetimeMs(state) * (1 - MARGIN) - clock.monotonic(), () => expire(state))
  renewAfter(state, fromMs + lifetimeMs(state) / RENEWALS - clock.monotonic())
}

function renewAfter(state: State, ms: number): void {
  state.stopRenewing()
  state.stopRenewing = state.clock.after(Math.max(0, ms), () => void (state.renewing = renew(state)))
}

async function renew(state: State): Promise<void> {
  const { clock } = state
  const askedMs = clock.monotonic()
  const asked = state.buckets.update(state.place, state.revision)
  try {
    const revision = await bounded(state, asked)
    if (revision === null) return await makeSure(state)
    state.revision = revision
    if (!state.lost.signal.aborted) prolong(state, askedMs)
  } catch {
    if (!state.lost.signal.aborted) renewAfter(state, RETRY_MS)
  }
}

/** After a refusal: either another holder has it, or the answer to an earlier renewal was lost and its revision is the current one. */
async function makeSure(state: State): Promise<void> {
  const revision = await bounded(state, state.buckets.revisionOf(state.place))
  if (revision === null) return end(state)
  state.revision = revision
  if (!state.lost.signal.aborted) renewAfter(state, 0)
}

function bounded<T>(state: State, asked: Promise<T>): Promise<T> {
  return withTimeout(asked, { clock: state.clock, ms: lifetimeMs(state) / RENEWALS, message: 'NATS does not answer a renewal' })
}

function end(state: State): void {
  if (state.lost.signal.aborted) return
  state.stopRenewing()
  state.stopExpiring()
  state.lost.abort(new Error(`The lease ${state.place.key} is no longer held`))
  state.ended(state.lease)
}

/** NATS did not answer in time: it may still store a renewal. */
function expire(state: State): void {
  end(state)
  state.late.expect(state.place)
}

/** If NATS is unavailable the key expires by itself, or is removed when NATS answers again. */
async function release(state: State): Promise<void> {
  if (state.lost.signal.aborted) return
  end(state)
  const removal = state.renewing.then(() => state.buckets.remove(state.place, state.revision))
  await withTimeout(removal, { clock: state.clock, ms: RELEASE_MS, message: 'late' }).catch(() => state.late.expect(state.place))
}
