/** Runs a task on one of several nodes: for as long as this node holds its lease. */
import type { Clock } from '../../ports/clock.ts'
import type { Lease, Leases, LeaseTtlSeconds } from '../../ports/leases.ts'

export interface LeaseDuty {
  readonly leases: Leases
  readonly clock: Clock
  /** Interval between attempts while another node holds the lease. */
  readonly retryMs: number
}

const LEASE_SECONDS: LeaseTtlSeconds = 15

/** Returns when the task has ended or, after a pause, if another node holds the lease. The task's signal aborts in both cases. */
export async function underLease(
  { leases, clock, retryMs }: LeaseDuty,
  key: string,
  task: (held: AbortSignal, lease: Lease) => Promise<void>,
  until: AbortSignal,
): Promise<void> {
  const lease = await leases.acquire(key, LEASE_SECONDS)
  if (!lease) return clock.sleep(retryMs, until)
  try {
    await task(AbortSignal.any([until, lease.lost]), lease)
  } finally {
    await lease.release()
  }
}
