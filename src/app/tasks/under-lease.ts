/** What one of several nodes does: a task for as long as this node holds its lease. */
import type { Clock } from '../../ports/clock.ts'
import type { Lease, Leases, LeaseTtlSeconds } from '../../ports/leases.ts'

export interface LeaseDuty {
  readonly leases: Leases
  readonly clock: Clock
  /** Until it is asked for again, where another node has it. */
  readonly retryMs: number
}

const LEASE_SECONDS: LeaseTtlSeconds = 15

/** Returns when the task has ended or, after a pause, when another node has the lease. The task's signal ends with either. */
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
